package forms

import "fmt"

// stores adds st: each type to each space from each register that has it, into bytes that hold a pattern.
func stores(l *list) {
	add := func(name, form, body, in, out string) {
		c := l.add("store", name, body, in, out)
		c.Form, c.Count = form, 256
	}
	for _, t := range elements {
		for _, reg := range wider(t) {
			form := "st.global." + t
			add(form+" from "+reg, form, form+" [%pd+8], %a;", reg, "*b128")
			form = "st.shared." + t
			add(form+" from "+reg, form, copied("shared", form+" [%m], %b;\nld.volatile.shared.b64 %d, [%m];"), "b64 "+reg, "b64")
			form = "st.local." + t
			add(form+" from "+reg, form, copied("local", form+" [%m], %b;\nld.local.b64 %d, [%m];"), "b64 "+reg, "b64")
		}
		form := "st." + t
		add(form, form, "{\n.reg .b64 %g;\ncvta.global.u64 %g, %pd;\n"+form+" [%g+8], %a;\n}", wider(t)[0], "*b128")
		if t[0] == 's' {
			continue
		}
		for _, n := range []int{2, 4} {
			if n*bytesOf(t) > 16 {
				continue
			}
			form, src, in := fmt.Sprintf("st.global.v%d.%s", n, t), "{%a, %b}", wider(t)[0]+" "+wider(t)[0]
			if n == 4 {
				src, in = "{%a, %b, %c, %e}", in+" "+in
			}
			add(form, form, form+" [%pd], "+src+";", in, "*b128")
		}
	}
	for _, form := range []string{"st.volatile.global.u32", "st.global.wb.u32", "st.global.cg.u32", "st.global.cs.u32", "st.global.wt.u32", "st.weak.global.u32", "st.relaxed.cta.global.u32", "st.relaxed.gpu.global.u32",
		"st.relaxed.sys.global.u32", "st.release.cta.global.u32", "st.release.gpu.global.u32", "st.release.sys.global.u32", "st.global.L1::no_allocate.u32"} {
		add(form, form, form+" [%pd], %a;", "b32", "*b128")
	}
}
