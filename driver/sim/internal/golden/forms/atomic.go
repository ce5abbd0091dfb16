package forms

import "strings"

// atomics adds atom and red on a place of each thread's own: what was there, and what is there afterwards.
func atomics(l *list) {
	var ops []string
	for _, t := range []string{"u32", "s32", "u64", "f32", "f64"} {
		ops = append(ops, "add."+t)
	}
	ops = append(ops, "add.noftz.f16", "add.noftz.f16x2", "add.noftz.bf16", "add.noftz.bf16x2", "inc.u32", "dec.u32")
	for _, t := range []string{"u32", "s32", "u64", "s64"} {
		ops = append(ops, "min."+t, "max."+t)
	}
	for _, t := range []string{"b32", "b64"} {
		ops = append(ops, "and."+t, "or."+t, "xor."+t)
	}
	exchanges := []string{"exch.b32", "exch.b64", "cas.b16", "cas.b32", "cas.b64"}
	for _, op := range append(ops, exchanges...) {
		t := op[strings.LastIndexByte(op, '.')+1:]
		in, rest := t+" "+t, ", %b;"
		if strings.HasPrefix(op, "cas.") { // half of the places hold what is asked for
			in, rest = t+" "+t+" "+t, ", %e, %c;"
		}
		for _, space := range []string{".global", ".shared", ""} {
			atomic(l, "atom"+space+"."+op, " %d, [%m]"+rest, space, t, in, t+" "+t)
			if !strings.HasPrefix(op, "cas.") && !strings.HasPrefix(op, "exch.") {
				atomic(l, "red"+space+"."+op, " [%m]"+rest, space, t, in, "- "+t)
			}
		}
	}
	for _, form := range []string{"atom.relaxed.gpu.global.add.u32", "atom.acquire.gpu.global.add.u32", "atom.release.gpu.global.add.u32", "atom.acq_rel.gpu.global.add.u32", "atom.relaxed.cta.global.add.u32",
		"atom.relaxed.sys.global.add.u32", "atom.global.gpu.add.u32", "atom.global.cta.add.u32", "atom.global.sys.add.u32"} {
		atomic(l, form, " %d, [%m], %b;", ".global", "u32", "u32 u32", "u32 u32")
	}
}

// atomic adds an atomic form: the place holds operand a before.
func atomic(l *list, form, rest, space, t, in, out string) {
	k := kindOf(t)
	bits := map[int]string{2: "b16", 4: "b32", 8: "b64"}[k.size]
	result := "%q" // what is there afterwards
	if strings.HasPrefix(out, "- ") {
		result, out = "%d", out[2:]
	}
	body := form + rest
	if strings.Contains(rest, "%e") {
		body = ".reg ." + bits + " %e;\n.reg .pred %same;\n.reg .b32 %odd;\nand.b32 %odd, %tix, 1;\nsetp.ne.u32 %same, %odd, 0;\nselp." + bits + " %e, %a, %b, %same;\n" + form + rest
	}
	switch space {
	case ".shared":
		body = ".shared .align 16 .b8 sh[2048];\n.reg .b32 %m, %n0;\nmov.u32 %m, sh;\nshl.b32 %n0, %tix, 4;\nadd.u32 %m, %m, %n0;\nst.shared." + bits + " [%m], %a;\n" + body + "\nld.shared." + bits + " " + result + ", [%m];"
	case ".global":
		body = "st.global." + bits + " [%p" + result[1:] + "], %a;\n" + replace(body, "[%m]", "[%p"+result[1:]+"]")
		out = starLast(out)
	default:
		body = ".reg .b64 %m;\ncvta.global.u64 %m, %p" + result[1:] + ";\nst." + bits + " [%m], %a;\n" + body
		out = starLast(out)
	}
	c := l.add("atomic", form, "{\n"+body+"\n}", in, out)
	c.Count = 1024
}

// starLast says that the last result is written to memory by the body.
func starLast(out string) string {
	i := strings.LastIndexByte(out, ' ') + 1
	return out[:i] + "*" + out[i:]
}
