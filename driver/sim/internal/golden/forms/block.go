package forms

import "strings"

func replace(s, old, new string) string { return strings.ReplaceAll(s, old, new) }

// blocks adds the barriers that give a value, and one that lets a value through shared memory.
func blocks(l *list) {
	for _, p := range []struct{ name, text string }{
		{"", "setp.lt.s32 %p0, %a, 0;"}, {" all true", "setp.ge.u32 %p0, %a, 0;"}, {" all false", "setp.lt.u32 %p0, %a, 0;"},
	} {
		for _, form := range []string{"bar.red.popc.u32", "barrier.red.popc.u32"} {
			l.add("block", form+p.name, "{\n.reg .pred %p0;\n"+p.text+"\n"+form+" %d, 0, %p0;\n}", "b32", "b32").Count = 256
		}
		for _, form := range []string{"bar.red.and.pred", "bar.red.or.pred", "barrier.red.and.pred", "barrier.red.or.pred"} {
			l.add("block", form+p.name, "{\n.reg .pred %p0;\n"+p.text+"\n"+form+" %d, 0, !%p0;\n}", "b32", "pred").Count = 256
		}
	}
	for _, form := range []string{"bar.sync", "barrier.sync", "bar.cta.sync", "barrier.cta.sync"} {
		l.add("block", form, `{
.shared .align 4 .b8 sh[512];
.reg .b32 %s0, %s1;
mov.u32 %s0, sh;
shl.b32 %s1, %tix, 2;
add.u32 %s1, %s1, %s0;
st.shared.b32 [%s1], %a;
`+form+` 0;
xor.b32 %s1, %tix, 37;
shl.b32 %s1, %s1, 2;
add.u32 %s1, %s1, %s0;
ld.shared.b32 %d, [%s1];
}`, "b32", "b32").Count = 512
	}
}
