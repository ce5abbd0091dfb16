package forms

// moves adds mov with vectors and predicates, and what else copies.
func moves(l *list) {
	for _, m := range []struct{ name, body, in, out string }{
		{"mov.b32 pack two", "mov.b32 %d, {%a, %b};", "b16 b16", "b32"},
		{"mov.b32 unpack two", "mov.b32 {%d, %q}, %a;", "b32", "b16 b16"},
		{"mov.b32 unpack one", "mov.b32 {_, %d}, %a;", "b32", "b16"},
		{"mov.b64 pack two", "mov.b64 %d, {%a, %b};", "b32 b32", "b64"},
		{"mov.b64 unpack two", "mov.b64 {%d, %q}, %a;", "b64", "b32 b32"},
		{"mov.b64 pack four", "mov.b64 %d, {%a, %b, %c, %e};", "b16 b16 b16 b16", "b64"},
		{"mov.b64 unpack four", "mov.b64 {%d, %q, %r, %s}, %a;", "b64", "b16 b16 b16 b16"},
		{"mov.b32 pack four", "{\n.reg .b8 %b0, %b1, %b2, %b3;\ncvt.u8.u16 %b0, %a;\ncvt.u8.u16 %b1, %b;\ncvt.u8.u16 %b2, %c;\ncvt.u8.u16 %b3, %e;\nmov.b32 %d, {%b0, %b1, %b2, %b3};\n}", "b16 b16 b16 b16", "b32"},
		{"mov.pred", "mov.pred %d, %a;", "pred", "pred"},
		{"mov.u32 lanemask_eq", "mov.u32 %d, %lanemask_eq;", "", "b32"},
		{"mov.u32 lanemask_lt", "mov.u32 %d, %lanemask_lt;", "", "b32"},
		{"mov.u32 lanemask_le", "mov.u32 %d, %lanemask_le;", "", "b32"},
		{"mov.u32 lanemask_gt", "mov.u32 %d, %lanemask_gt;", "", "b32"},
		{"mov.u32 lanemask_ge", "mov.u32 %d, %lanemask_ge;", "", "b32"},
		{"mov.u32 laneid", "mov.u32 %d, %laneid;", "", "b32"},
		{"mov.u32 tid", "mov.u32 %d, %tid.x;", "", "b32"},
		{"mov.u32 ntid", "mov.u32 %d, %ntid.x;", "", "b32"},
		{"mov.u32 ctaid", "mov.u32 %d, %ctaid.x;", "", "b32"},
		{"mov.u32 nctaid", "mov.u32 %d, %nctaid.x;", "", "b32"},
		{"isspacep.global", "{\n.reg .b64 %g;\ncvta.global.u64 %g, %pa;\nisspacep.global %d, %g;\n}", "b32", "pred"},
		{"isspacep.shared", "{\n.reg .b64 %g;\ncvta.global.u64 %g, %pa;\nisspacep.shared %d, %g;\n}", "b32", "pred"},
		{"isspacep.shared of shared", "{\n.reg .b64 %g;\n.shared .b32 sh;\nmov.u64 %g, sh;\ncvta.shared.u64 %g, %g;\nisspacep.shared %d, %g;\n}", "b32", "pred"},
		{"isspacep.local", "{\n.reg .b64 %g;\n.local .b32 lo;\nmov.u64 %g, lo;\ncvta.local.u64 %g, %g;\nisspacep.local %d, %g;\n}", "b32", "pred"},
		{"isspacep.const", "{\n.reg .b64 %g;\ncvta.global.u64 %g, %pa;\nisspacep.const %d, %g;\n}", "b32", "pred"},
	} {
		c := l.add("mov", m.name, m.body, m.in, m.out)
		if kindOf(c.Out[0]).size == 1 || m.in == "" {
			c.Count = 256
		}
	}
}
