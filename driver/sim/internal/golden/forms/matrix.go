package forms

import (
	"fmt"
	"strings"
)

// matrices adds the products of matrices and what moves their parts. Integers are any; floating-point numbers are small whole ones, where every
// order of adding gives the same, and numbers below 1, where the results may differ by what is in productBounds.
func matrices(l *list) {
	for _, m := range []struct {
		form       string // behind mma.sync.aligned.
		a, b, c, d string // kinds of a register
		na, nb, nc int    // registers
	}{
		{"m16n8k8.row.col.f32.f16.f16.f32", "f16x2", "f16x2", "f32", "f32", 2, 1, 4},
		{"m16n8k8.row.col.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", "f16x2", 2, 1, 2},
		{"m16n8k16.row.col.f32.f16.f16.f32", "f16x2", "f16x2", "f32", "f32", 4, 2, 4},
		{"m16n8k16.row.col.f16.f16.f16.f16", "f16x2", "f16x2", "f16x2", "f16x2", 4, 2, 2},
		{"m16n8k8.row.col.f32.bf16.bf16.f32", "bf16x2", "bf16x2", "f32", "f32", 2, 1, 4},
		{"m16n8k16.row.col.f32.bf16.bf16.f32", "bf16x2", "bf16x2", "f32", "f32", 4, 2, 4},
		{"m16n8k4.row.col.f32.tf32.tf32.f32", "f32", "f32", "f32", "f32", 2, 1, 4},
		{"m16n8k8.row.col.f32.tf32.tf32.f32", "f32", "f32", "f32", "f32", 4, 2, 4},
		{"m8n8k4.row.col.f64.f64.f64.f64", "f64", "f64", "f64", "f64", 1, 1, 2},
		{"m16n8k4.row.col.f64.f64.f64.f64", "f64", "f64", "f64", "f64", 2, 1, 4},
		{"m16n8k8.row.col.f64.f64.f64.f64", "f64", "f64", "f64", "f64", 4, 2, 4},
		{"m16n8k16.row.col.f64.f64.f64.f64", "f64", "f64", "f64", "f64", 8, 4, 4},
		{"m16n8k32.row.col.f32.e4m3.e4m3.f32", "e4m3x4", "e4m3x4", "f32", "f32", 4, 2, 4},
		{"m16n8k32.row.col.f32.e5m2.e5m2.f32", "e5m2x4", "e5m2x4", "f32", "f32", 4, 2, 4},
		{"m16n8k32.row.col.f32.e4m3.e5m2.f32", "e4m3x4", "e5m2x4", "f32", "f32", 4, 2, 4},
		{"m8n8k16.row.col.s32.s8.s8.s32", "b32", "b32", "s32", "s32", 1, 1, 2},
		{"m16n8k16.row.col.s32.s8.u8.s32", "b32", "b32", "s32", "s32", 2, 1, 4},
		{"m16n8k32.row.col.s32.u8.u8.s32", "b32", "b32", "s32", "s32", 4, 2, 4},
		{"m16n8k32.row.col.s32.s8.s8.s32", "b32", "b32", "s32", "s32", 4, 2, 4},
		{"m16n8k32.row.col.satfinite.s32.s8.s8.s32", "b32", "b32", "s32", "s32", 4, 2, 4},
		{"m8n8k32.row.col.s32.s4.s4.s32", "b32", "b32", "s32", "s32", 1, 1, 2},
		{"m16n8k32.row.col.s32.u4.s4.s32", "b32", "b32", "s32", "s32", 2, 1, 4},
		{"m16n8k64.row.col.s32.u4.u4.s32", "b32", "b32", "s32", "s32", 4, 2, 4},
		{"m8n8k128.row.col.s32.b1.b1.s32.xor.popc", "b32", "b32", "s32", "s32", 1, 1, 2},
		{"m16n8k128.row.col.s32.b1.b1.s32.and.popc", "b32", "b32", "s32", "s32", 2, 1, 4},
		{"m16n8k256.row.col.s32.b1.b1.s32.xor.popc", "b32", "b32", "s32", "s32", 4, 2, 4},
	} {
		form := "mma.sync.aligned." + m.form
		body := form + " " + registers(outNames, m.nc) + ", " + registers(inNames, m.na) + ", " + registers(inNames[m.na:], m.nb) + ", " + registers(inNames[m.na+m.nb:], m.nc) + ";"
		styles := []style{anyNumber}
		if kindOf(m.a).float != nil {
			styles = []style{whole, unit}
		}
		for _, s := range styles {
			name, of := form, func(k string) string { return k }
			if s != anyNumber {
				name, of = form+" of "+string(s), func(k string) string { return k + ":" + string(s) }
			}
			l.add("matrix", name, body, repeat(of(m.a), m.na)+repeat(of(m.b), m.nb)+repeat(of(m.c), m.nc), repeat(m.d, m.nc)).Count = 128
		}
	}
	wmmas(l)
	for _, n := range []int{1, 2, 4} {
		for _, trans := range []string{"", ".trans"} {
			form := fmt.Sprintf("ldmatrix.sync.aligned.m8n8.x%d%s.shared.b16", n, trans)
			body := inShared("ld.global.v4.b32 {%w0, %w1, %w2, %w3}, [%pa];\nst.shared.v4.b32 [%m], {%w0, %w1, %w2, %w3};\nbar.warp.sync -1;\n" + form + " " + registers(outNames, n) + ", [%m];")
			l.add("matrix", form, body, "b128", repeat("b32", n)).Count = 256
			form = fmt.Sprintf("stmatrix.sync.aligned.m8n8.x%d%s.shared.b16", n, trans)
			body = inShared("mov.b32 %w0, 0;\nst.shared.v4.b32 [%m], {%w0, %w0, %w0, %w0};\nbar.warp.sync -1;\n" + form + " [%m], " + registers(inNames, n) + ";\nbar.warp.sync -1;\n" +
				"ld.shared.v4.b32 {%w0, %w1, %w2, %w3}, [%m];\nst.global.v4.b32 [%pd], {%w0, %w1, %w2, %w3};")
			l.add("matrix", form, body, repeat("b32", n), "*b128").Count = 256
		}
	}
	l.add("matrix", "movmatrix.sync.aligned.m8n8.trans.b16", "movmatrix.sync.aligned.m8n8.trans.b16 %d, %a;", "b32", "b32").Count = 256
}

func repeat(kind string, n int) string { return strings.Repeat(kind+" ", n) }

// registers is a vector of n registers.
func registers(names string, n int) string {
	return "{%" + strings.Join(strings.Split(names[:n], ""), ", %") + "}"
}

// inShared is a body with the address of 16 bytes of shared memory in %m, and four words.
func inShared(body string) string {
	return "{\n.shared .align 16 .b8 sh[2048];\n.reg .b32 %m, %w0, %w1, %w2, %w3;\nmov.u32 %m, sh;\nshl.b32 %w0, %tix, 4;\nadd.u32 %m, %m, %w0;\n" + body + "\n}"
}

// wmmas adds products whose parts only the device knows: a warp loads whole matrices, multiplies and stores one.
func wmmas(l *list) {
	for _, m := range []struct {
		shape, types, elem, acc string
		a, b, c, d              string // kinds of what a lane has in memory
		na, nb, nc              int    // registers
	}{
		{"m16n16k16", "f32.f32", "f16", "f32", "f16x8", "f16x8", "f32x8", "b256", 8, 8, 8},
		{"m16n16k16", "f16.f16", "f16", "f16", "f16x8", "f16x8", "f16x8", "b128", 8, 8, 4},
		{"m16n16k16", "f32.bf16.bf16.f32", "bf16", "f32", "bf16x8", "bf16x8", "f32x8", "b256", 4, 4, 8},
		{"m16n16k8", "f32.tf32.tf32.f32", "tf32", "f32", "f32x4", "f32x4", "f32x8", "b256", 4, 4, 8},
		{"m16n16k16", "s32.s8.s8.s32", "s8", "s32", "s8x16", "s8x16", "s32x8", "b256", 2, 2, 8},
		{"m16n16k16", "s32.u8.u8.s32", "u8", "s32", "s8x16", "s8x16", "s32x8", "b256", 2, 2, 8},
		{"m8n8k4", "f64.f64.f64.f64", "f64", "f64", "f64x2", "f64x2", "f64x2", "b128", 1, 1, 2},
	} {
		for _, layout := range []string{"row.col", "col.row"} {
			form := "wmma.mma.sync.aligned." + layout + "." + m.shape + "." + m.types
			la, lb, _ := strings.Cut(layout, ".")
			ra, rb, rc := "a", "b", "c"
			vec := func(p string, n int) string {
				s := make([]string, n)
				for i := range s {
					s[i] = fmt.Sprintf("%%%s%d", p, i)
				}
				return "{" + strings.Join(s, ", ") + "}"
			}
			reg := map[bool]string{true: "b64", false: "b32"}[m.elem == "f64"]
			var body strings.Builder
			fmt.Fprintf(&body, "{\n.reg .%s %%ra<%d>, %%rb<%d>, %%rc<%d>;\n.reg .b64 %%first;\nmov.u32 %%w, %%laneid;\n", reg, m.na, m.nb, m.nc)
			ra, rb, rc = "r"+ra, "r"+rb, "r"+rc
			first := func(p, kind string) {
				fmt.Fprintf(&body, "mul.wide.u32 %%first, %%w, %d;\nsub.u64 %%first, %s, %%first;\n", kindOf(kind).size, p)
			}
			first("%pa", m.a)
			fmt.Fprintf(&body, "wmma.load.a.sync.aligned.%s.%s.global.%s %s, [%%first];\n", la, m.shape, m.elem, vec(ra, m.na))
			first("%pb", m.b)
			fmt.Fprintf(&body, "wmma.load.b.sync.aligned.%s.%s.global.%s %s, [%%first];\n", lb, m.shape, m.elem, vec(rb, m.nb))
			first("%pc", m.c)
			fmt.Fprintf(&body, "wmma.load.c.sync.aligned.row.%s.global.%s %s, [%%first];\n", m.shape, m.acc, vec(rc, m.nc))
			fmt.Fprintf(&body, "%s %s, %s, %s, %s;\n", form, vec(rc, m.nc), vec(ra, m.na), vec(rb, m.nb), vec(rc, m.nc))
			first("%pd", m.d)
			fmt.Fprintf(&body, "wmma.store.d.sync.aligned.row.%s.global.%s [%%first], %s;\n}", m.shape, m.acc, vec(rc, m.nc))
			l.add("matrix", form+" of whole", body.String(), m.a+":whole "+m.b+":whole "+m.c+":whole", "*"+m.d).Count = 128
		}
	}
}
