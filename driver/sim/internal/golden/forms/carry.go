package forms

import "fmt"

// carries adds the instructions with a carry flag: one that sets it, perhaps one that takes and sets it, and one that takes it.
func carries(l *list) {
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		get := fmt.Sprintf("\naddc.%s %%q, 0, 0;", t)
		out := t + " " + t
		two, three := t+" "+t, t+" "+t+" "+t
		l.add("carry", "add.cc."+t, "add.cc."+t+" %d, %a, %b;"+get, two, out)
		l.add("carry", "sub.cc."+t, "sub.cc."+t+" %d, %a, %b;\nsubc."+t+" %q, 0, 0;", two, out)
		l.add("carry", "addc."+t, "add.cc."+t+" %d, %a, %b;\naddc."+t+" %q, %c, %e;", three+" "+t, out)
		l.add("carry", "subc."+t, "sub.cc."+t+" %d, %a, %b;\nsubc."+t+" %q, %c, %e;", three+" "+t, out)
		l.add("carry", "addc.cc."+t, "add.cc."+t+" %d, %a, %b;\naddc.cc."+t+" %q, %c, %e;\naddc."+t+" %r, 0, 0;", three+" "+t, out+" "+t)
		l.add("carry", "subc.cc."+t, "sub.cc."+t+" %d, %a, %b;\nsubc.cc."+t+" %q, %c, %e;\nsubc."+t+" %r, 0, 0;", three+" "+t, out+" "+t)
		l.add("carry", "sub.cc."+t+" and addc", "sub.cc."+t+" %d, %a, %b;"+get, two, out)
		l.add("carry", "add.cc."+t+" and subc", "add.cc."+t+" %d, %a, %b;\nsubc."+t+" %q, 0, 0;", two, out)
		for _, part := range []string{"lo", "hi"} {
			l.add("carry", "mad."+part+".cc."+t, "mad."+part+".cc."+t+" %d, %a, %b, %c;"+get, three, out)
			l.add("carry", "madc."+part+"."+t, "add.cc."+t+" %d, %e, %f;\nmadc."+part+"."+t+" %q, %a, %b, %c;", three+" "+two, out)
			l.add("carry", "madc."+part+".cc."+t, "add.cc."+t+" %d, %e, %f;\nmadc."+part+".cc."+t+" %q, %a, %b, %c;\naddc."+t+" %r, 0, 0;", three+" "+two, out+" "+t)
		}
	}
}
