package forms

// comparisons adds setp and set with everything that they combine with.
func comparisons(l *list) {
	integers := []string{"u16", "s16", "u32", "s32", "u64", "s64"}
	floats := []string{"f16", "bf16", "f32", "f64"}
	type group struct{ cmps, types []string }
	groups := []group{{[]string{"eq", "ne", "lt", "ge"}, integers}, {[]string{"eq", "lt", "neu", "geu", "nan", "num"}, floats}}
	for _, g := range groups {
		for _, t := range g.types {
			for _, cmp := range g.cmps {
				if kindOf(t).size > 2 || kindOf(t).float == nil { // a comparison of halves has one result
					l.add("compare", "setp."+cmp+"."+t+" both", "setp."+cmp+"."+t+" %d|%q, %a, %b;", t+" "+t, "pred pred")
				}
				for _, to := range []string{"u32", "s32", "f32"} {
					if to == "f32" && kindOf(t).size == 2 && kindOf(t).float != nil {
						continue
					}
					l.add("compare", "set."+cmp+"."+to+"."+t, "set."+cmp+"."+to+"."+t+" %d, %a, %b;", t+" "+t, to)
				}
			}
			for i, op := range []string{"and", "or", "xor"} {
				cmp := g.cmps[i%len(g.cmps)]
				form := "setp." + cmp + "." + op + "." + t
				if kindOf(t).size > 2 || kindOf(t).float == nil {
					l.add("compare", form, form+" %d|%q, %a, %b, %c;", t+" "+t+" pred", "pred pred")
				} else {
					l.add("compare", form, form+" %d, %a, %b, %c;", t+" "+t+" pred", "pred")
				}
				l.add("compare", form+" not", form+" %d, %a, %b, !%c;", t+" "+t+" pred", "pred")
				form = "set." + cmp + "." + op + ".u32." + t
				l.add("compare", form, form+" %d, %a, %b, %c;", t+" "+t+" pred", "u32")
			}
		}
	}
	for _, t := range []string{"u16", "s32", "u64", "f32", "f64"} {
		l.add("compare", "set.lt.f16."+t, "set.lt.f16."+t+" %d, %a, %b;", t+" "+t, "f16")
		l.add("compare", "set.ge.bf16."+t, "set.ge.bf16."+t+" %d, %a, %b;", t+" "+t, "bf16")
	}
	for _, to := range []string{"f16", "u16", "s16"} {
		for _, cmp := range []string{"eq", "lt", "geu", "nan"} {
			l.add("compare", "set."+cmp+"."+to+".f16", "set."+cmp+"."+to+".f16 %d, %a, %b;", "f16 f16", to)
		}
	}
	for _, cmp := range []string{"eq", "lt", "geu", "nan"} {
		l.add("compare", "set."+cmp+".bf16.bf16", "set."+cmp+".bf16.bf16 %d, %a, %b;", "bf16 bf16", "bf16")
		l.add("compare", "set."+cmp+".ftz.f32.f32", "set."+cmp+".ftz.f32.f32 %d, %a, %b;", "f32 f32", "f32")
		l.add("compare", "set."+cmp+".f16x2.f16x2", "set."+cmp+".f16x2.f16x2 %d, %a, %b;", "f16x2 f16x2", "f16x2")
		l.add("compare", "set."+cmp+".bf16x2.bf16x2", "set."+cmp+".bf16x2.bf16x2 %d, %a, %b;", "bf16x2 bf16x2", "bf16x2")
		l.add("compare", "setp."+cmp+".f16x2", "setp."+cmp+".f16x2 %d|%q, %a, %b;", "f16x2 f16x2", "pred pred")
		l.add("compare", "setp."+cmp+".bf16x2", "setp."+cmp+".bf16x2 %d|%q, %a, %b;", "bf16x2 bf16x2", "pred pred")
		l.add("compare", "setp."+cmp+".ftz.f16x2", "setp."+cmp+".ftz.f16x2 %d|%q, %a, %b;", "f16x2 f16x2", "pred pred")
		for _, t := range []string{"f16x2", "bf16x2"} {
			l.add("compare", "set."+cmp+".u32."+t, "set."+cmp+".u32."+t+" %d, %a, %b;", t+" "+t, "u32")
		}
	}
	for _, op := range []string{"and", "or", "xor"} {
		for _, t := range []string{"f16x2", "bf16x2"} {
			l.add("compare", "setp.lt."+op+"."+t, "setp.lt."+op+"."+t+" %d|%q, %a, %b, %c;", t+" "+t+" pred", "pred pred")
			l.add("compare", "set.geu."+op+"."+t+"."+t, "set.geu."+op+"."+t+"."+t+" %d, %a, %b, !%c;", t+" "+t+" pred", t)
		}
	}
}
