package forms

import "fmt"

// elements are the types that memory is read and written as.
var elements = []string{"u8", "s8", "b8", "u16", "s16", "b16", "u32", "s32", "b32", "u64", "s64", "b64", "f32", "f64"}

func bytesOf(t string) int {
	return map[string]int{"8": 1, "16": 2, "32": 4, "64": 8}[t[1:]]
}

// wider are the registers that hold an element.
func wider(t string) []string {
	all := []string{"b16", "b32", "b64"}
	switch bytesOf(t) {
	case 4:
		all = all[1:]
	case 8:
		all = all[2:]
	}
	if t[0] == 'f' {
		return all[:1]
	}
	return all
}

// copied is a body that first copies operand a, of 8 bytes, to another space, where %m is its address.
func copied(space, body string) string {
	switch space {
	case "shared":
		return "{\n.shared .align 16 .b8 sh[2048];\n.reg .b32 %m, %n0;\nmov.u32 %m, sh;\nshl.b32 %n0, %tix, 4;\nadd.u32 %m, %m, %n0;\nst.volatile.shared.b64 [%m], %a;\n" + body + "\n}"
	case "local":
		return "{\n.local .align 16 .b8 lo[16];\n.reg .b64 %m;\nmov.u64 %m, lo;\nst.local.b64 [%m], %a;\n" + body + "\n}"
	case "":
		return "{\n.reg .b64 %m;\ncvta.global.u64 %m, %pa;\n" + body + "\n}"
	case "generic shared":
		return "{\n.shared .align 16 .b8 sh[2048];\n.reg .b32 %m0, %n0;\n.reg .b64 %m;\nmov.u32 %m0, sh;\nshl.b32 %n0, %tix, 4;\nadd.u32 %m0, %m0, %n0;\nst.volatile.shared.b64 [%m0], %a;\ncvt.u64.u32 %m, %m0;\ncvta.shared.u64 %m, %m;\n" + body + "\n}"
	case "generic local":
		return "{\n.local .align 16 .b8 lo[16];\n.reg .b64 %m;\nmov.u64 %m, lo;\nst.local.b64 [%m], %a;\ncvta.local.u64 %m, %m;\n" + body + "\n}"
	}
	return replace(body, "[%m]", "[%pa]")
}

// loads adds ld: each type from each space into each register that takes it, vectors, and the caching and ordering forms.
func loads(l *list) {
	load := func(name, space, form, dst, in, out string) {
		c := l.add("load", name, copied(space, form+" "+dst+", [%m];"), in, out)
		c.Form, c.Count = form, 256
	}
	for _, space := range []string{"global", "shared", "local", "", "generic shared", "generic local"} {
		dot := map[string]string{"global": ".global", "shared": ".shared", "local": ".local"}[space]
		suffix := map[string]string{"generic shared": " at a generic address of shared", "generic local": " at a generic address of local"}[space]
		for _, t := range elements {
			form := "ld" + dot + "." + t
			for _, reg := range wider(t) {
				load(form+" to "+reg+suffix, space, form, "%d", "b64", reg)
			}
			if space == "generic shared" || space == "generic local" {
				continue
			}
			for _, n := range []int{2, 4} {
				if n*bytesOf(t) > 8 || t[0] == 's' {
					continue
				}
				form, dst, out := fmt.Sprintf("ld%s.v%d.%s", dot, n, t), "{%d, %q}", wider(t)[0]+" "+wider(t)[0]
				if n == 4 {
					dst, out = "{%d, %q, %r, %s}", out+" "+out
				}
				load(form, space, form, dst, "b64", out)
			}
		}
	}
	for _, x := range []struct{ n, t, dst, out string }{
		{"2", "u64", "{%d, %q}", "b64 b64"}, {"2", "f64", "{%d, %q}", "b64 b64"}, {"4", "u32", "{%d, %q, %r, %s}", "b32 b32 b32 b32"}, {"4", "f32", "{%d, %q, %r, %s}", "b32 b32 b32 b32"},
	} {
		for _, more := range []string{"", ".nc", ".cs"} {
			form := "ld.global" + more + ".v" + x.n + "." + x.t
			load(form, "global", form, x.dst, "b128", x.out)
		}
	}
	for _, form := range []string{"ld.volatile.global.u32", "ld.global.nc.u32", "ld.global.nc.u8", "ld.global.nc.s16", "ld.global.nc.f64", "ld.global.ca.u32", "ld.global.cg.u32", "ld.global.cs.u32", "ld.global.lu.u32", "ld.global.cv.u32",
		"ld.weak.global.u32", "ld.relaxed.cta.global.u32", "ld.relaxed.gpu.global.u32", "ld.relaxed.sys.global.u64", "ld.acquire.cta.global.u32", "ld.acquire.gpu.global.u32", "ld.acquire.sys.global.u64",
		"ld.global.L1::no_allocate.u32", "ld.global.L1::evict_last.u32", "ld.global.nc.L1::no_allocate.u32", "ld.global.L2::128B.u32", "ldu.global.u32", "ldu.global.f64"} {
		t := form[lastDot(form)+1:]
		load(form, "global", form, "%d", "b64", wider(t)[0])
	}
	for _, form := range []string{"ld.volatile.shared.u32", "ld.relaxed.cta.shared.u32", "ld.acquire.cta.shared.u32", "ld.shared::cta.u32"} {
		load(form, "shared", form, "%d", "b64", "b32")
	}
	for _, x := range []struct{ t, at, out string }{{"u8", "", "b32"}, {"s8", "", "b32"}, {"s8", "+2", "b64"}, {"u16", "+2", "b16"}, {"s16", "+4", "b32"}, {"u32", "+4", "b32"}, {"s32", "+4", "b64"}, {"u64", "+8", "b64"}, {"f32", "+12", "b32"}, {"f64", "", "b64"}, {"b8", "+1", "b16"}} {
		l.add("load", "ld.param."+x.t+" to "+x.out+" at extra"+x.at, "ld.param."+x.t+" %d, [extra"+x.at+"];", "", x.out).Count = 128
	}
	l.add("load", "ld.param.v4.u32", "ld.param.v4.u32 {%d, %q, %r, %s}, [extra];", "", "b32 b32 b32 b32").Count = 128
	l.add("load", "ld.param.v2.u16", "ld.param.v2.u16 {%d, %q}, [extra+4];", "", "b16 b16").Count = 128
	l.add("load", "ld.const.u32", "{\n.reg .b64 %k;\nmov.u64 %k, constants;\nand.b32 %w, %a, 12;\ncvt.u64.u32 %at, %w;\nadd.u64 %k, %k, %at;\nld.const.u32 %d, [%k];\n}", "b32", "b32").Count = 256
	l.add("load", "ld.const.s8", "{\n.reg .b64 %k;\nmov.u64 %k, constants;\nand.b32 %w, %a, 15;\ncvt.u64.u32 %at, %w;\nadd.u64 %k, %k, %at;\nld.const.s8 %d, [%k];\n}", "b32", "b32").Count = 256
}

func lastDot(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '.' {
			return i
		}
	}
	return -1
}
