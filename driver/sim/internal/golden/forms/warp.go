package forms

import "fmt"

// warps adds the instructions that lanes of a warp do together: whole warps, and parts of them.
func warps(l *list) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		form := "shfl.sync." + mode + ".b32"
		l.add("warp", form, form+" %d|%q, %a, %b, %c, -1;", "b32 b32 b32", "b32 pred")
		l.add("warp", form+" of the whole warp", form+fmt.Sprintf(" %%d|%%q, %%a, %%b, %d, -1;", map[string]int{"up": 0}[mode]|map[string]int{"down": 31, "bfly": 31, "idx": 31}[mode]), "b32 b32", "b32 pred")
		for _, width := range []int{2, 8, 16} {
			c := (32 - width) << 8
			if mode != "up" {
				c |= 31
			}
			l.add("warp", fmt.Sprintf("%s in %ds", form, width), fmt.Sprintf("%s %%d|%%q, %%a, %%b, %d, -1;", form, c), "b32 b32", "b32 pred")
		}
		old := "shfl." + mode + ".b32"
		l.add("warp", old, old+" %d|%q, %a, %b, %c;", "b32 b32 b32", "b32 pred")
	}
	// A predicate that half the lanes have: random ones would seldom be all true.
	for _, p := range []struct{ name, text string }{
		{"", "setp.lt.s32 %p0, %a, 0;"},
		{" mostly true", "setp.ne.u32 %p0, %b, 3;"},
		{" mostly false", "setp.eq.u32 %p0, %b, 3;"},
		{" all true", "setp.ge.u32 %p0, %a, 0;"},
	} {
		for _, mode := range []string{"all", "any", "uni"} {
			for _, form := range []string{"vote.sync." + mode + ".pred", "vote." + mode + ".pred"} {
				member := map[bool]string{true: ", -1"}[form[5] == 's']
				l.add("warp", form+p.name, "{\n.reg .pred %p0;\n"+p.text+"\n"+form+" %d, %p0"+member+";\n}", "b32 b32", "pred")
			}
		}
		for _, form := range []string{"vote.sync.ballot.b32", "vote.ballot.b32"} {
			member := map[bool]string{true: ", -1"}[form[5] == 's']
			l.add("warp", form+p.name, "{\n.reg .pred %p0;\n"+p.text+"\n"+form+" %d, !%p0"+member+";\n}", "b32 b32", "b32")
		}
	}
	for _, bits := range []string{"32", "64"} {
		any, all := "match.any.sync.b"+bits, "match.all.sync.b"+bits
		in := "b" + bits
		l.add("warp", any, any+" %d, %a, -1;", in, "b32")
		few := "{\n.reg .b" + bits + " %few;\nand.b" + bits + " %few, %a, %mask%;\n"
		l.add("warp", any+" of few", replace(few, "%mask%", "3")+any+" %d, %few, -1;\n}", in, "b32")
		l.add("warp", all, all+" %d|%q, %a, -1;", in, "b32 pred")
		l.add("warp", all+" that match", replace(few, "%mask%", "0")+all+" %d|%q, %few, -1;\n}", in, "b32 pred")
	}
	for _, op := range []string{"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"} {
		form := "redux.sync." + op
		l.add("warp", form, form+" %d, %a, -1;", "b32", "b32")
	}
	l.add("warp", "elect.sync", "elect.sync %d|%q, -1;", "", "b32 pred").Count = 256
	l.add("warp", "activemask.b32", "activemask.b32 %d;", "", "b32").Count = 256
	// In a part of the warp, the others somewhere else: they keep what they have.
	some := "{\n.reg .pred %p0;\nmov.b32 %d, %a;\nmov.u32 %w, %laneid;\nand.b32 %w, %w, 3;\nsetp.eq.u32 %p0, %w, 1;\n@!%p0 bra OVER;\n"
	for _, x := range []struct{ form, rest string }{
		{"shfl.sync.idx.b32", " %d, %a, %b, 31, 0x22222222;"},
		{"shfl.sync.bfly.b32", " %d, %a, 4, 31, 0x22222222;"},
		{"redux.sync.add.s32", " %d, %a, 0x22222222;"},
		{"match.any.sync.b32", " %d, %b, 0x22222222;"},
	} {
		body := some
		if x.form == "shfl.sync.idx.b32" { // from lanes that take part
			body += "and.b32 %w, %b, 28;\nor.b32 %w, %w, 1;\n"
			x.rest = " %d, %a, %w, 31, 0x22222222;"
		}
		l.add("warp", x.form+" in a quarter", body+x.form+x.rest+"\nOVER:\n}", "b32 b32", "b32")
	}
	l.add("warp", "vote.sync.ballot.b32 in a quarter", some+"setp.lt.s32 %p0, %a, 0;\nvote.sync.ballot.b32 %d, %p0, 0x22222222;\nOVER:\n}", "b32", "b32")
}
