package random

import (
	"fmt"
	"strings"
)

// templates are instructions with the letters of their operands' banks; i is a number, I one below 32.
var templates = strings.Split(strings.TrimSpace(`
add.u32 r r r
sub.s32 r r r
mul.lo.s32 r r r
mul.hi.u32 r r r
mul.hi.s32 r r r
mul24.lo.s32 r r r
add.sat.s32 r r r
sub.sat.s32 r r r
min.s32 r r r
max.u32 r r r
and.b32 r r r
or.b32 r r i
xor.b32 r r r
shl.b32 r r r
shl.b32 r r I
shr.u32 r r r
shr.s32 r r I
not.b32 r r
cnot.b32 r r
neg.s32 r r
abs.s32 r r
popc.b32 r r
clz.b32 r r
brev.b32 r r
bfind.u32 r r
bfind.s32 r r
mad.lo.s32 r r r r
mad.hi.u32 r r r r
sad.u32 r r r r
sad.s32 r r r r
prmt.b32 r r r r
prmt.b32 r r r i
shf.l.wrap.b32 r r r r
shf.r.clamp.b32 r r r r
bfe.u32 r r r r
bfe.s32 r r I I
bfi.b32 r r r I I
dp4a.s32.s32 r r r r
dp4a.u32.u32 r r r r
selp.b32 r r r p
slct.s32.s32 r r r r
vabsdiff4.u32.u32.u32 r r r r
mov.u32 r i
add.u64 d d d
sub.u64 d d d
mul.lo.s64 d d d
mul.hi.u64 d d d
mul.hi.s64 d d d
min.s64 d d d
max.u64 d d d
and.b64 d d d
xor.b64 d d d
shl.b64 d d r
shr.s64 d d r
shr.u64 d d I
mad.lo.s64 d d d d
mul.wide.u32 d r r
mul.wide.s32 d r r
mad.wide.s32 d r r d
popc.b64 r d
clz.b64 r d
brev.b64 d d
bfe.s64 d d I I
selp.b64 d d d p
cvt.u32.u64 r d
cvt.s64.s32 d r
cvt.u64.u32 d r
cvt.u16.u32 h r
cvt.s32.s16 r h
cvt.u32.u16 r h
cvt.s32.s8 r r
cvt.sat.s16.s32 h r
cvt.rn.f32.s32 f r
cvt.rz.f32.u32 f r
cvt.rn.f32.u64 f d
cvt.rn.f64.s64 g d
cvt.rn.f64.u32 g r
cvt.rzi.s32.f32 r f
cvt.rni.u32.f32 r f
cvt.rmi.s64.f64 d g
cvt.rpi.s32.f64 r g
cvt.rzi.u64.f32 d f
cvt.f64.f32 g f
cvt.rn.f32.f64 f g
cvt.rz.f32.f64 f g
cvt.rn.f16.f32 h f
cvt.f32.f16 f h
cvt.rni.f32.f32 f f
cvt.rmi.f64.f64 g g
add.u16 h h h
sub.s16 h h h
mul.lo.u16 h h h
mul.wide.s16 r h h
min.s16 h h h
and.b16 h h h
shl.b16 h h I
add.rn.f16 h h h
mul.rn.f16 h h h
fma.rn.f16 h h h h
add.rn.f16x2 r r r
fma.rn.f16x2 r r r r
add.rn.f32 f f f
add.rz.f32 f f f
add.rn.ftz.f32 f f f
add.rn.sat.f32 f f f
sub.rm.f32 f f f
mul.rn.f32 f f f
mul.rp.f32 f f f
mul.rn.ftz.f32 f f f
fma.rn.f32 f f f f
fma.rz.f32 f f f f
fma.rn.ftz.f32 f f f f
fma.rp.f32 f f f f
min.f32 f f f
max.f32 f f f
min.NaN.f32 f f f
neg.f32 f f
abs.f32 f f
copysign.f32 f f f
div.rn.f32 f f f
rcp.rn.f32 f f
sqrt.rn.f32 f f
sqrt.rz.f32 f f
selp.f32 f f f p
mov.b32 r f
mov.b32 f r
add.rn.f64 g g g
sub.rz.f64 g g g
mul.rn.f64 g g g
mul.rm.f64 g g g
fma.rn.f64 g g g g
fma.rp.f64 g g g g
min.f64 g g g
max.f64 g g g
neg.f64 g g
div.rn.f64 g g g
sqrt.rn.f64 g g
selp.f64 g g g p
mov.b64 d g
mov.b64 g d
setp.lt.s32 p r r
setp.ge.u32 p r r
setp.eq.s32 p r I
setp.ne.u64 p d d
setp.gt.s64 p d d
setp.lt.f32 p f f
setp.geu.f32 p f f
setp.nan.f32 p f f
setp.le.f64 p g g
setp.neu.f64 p g g
setp.lt.and.s32 p r r p
setp.gt.or.f32 p f f p
setp.eq.xor.u32 p r r p
and.pred p p p
or.pred p p p
xor.pred p p p
not.pred p p
set.lt.u32.s32 r r r
set.gt.f32.f32 f f f
testp.finite.f32 p f
`), "\n")

// compound are instructions that take more than one line: A is a b32 register that gets something, a to e are others, q a predicate.
var compound = []string{
	"lop3.b32 A, a, b, c, 0x%IMM;",
	"or.b32 %t0, a, 1;\nA2: div.u32 A, b, %t0;",
	"or.b32 %t0, a, 1;\nA2: rem.u32 A, b, %t0;",
	"and.b32 %t0, a, 0x7ffe;\nor.b32 %t0, %t0, 1;\nA2: div.s32 A, b, %t0;",
	"and.b32 %t0, a, 0x7ffe;\nor.b32 %t0, %t0, 1;\nA2: rem.s32 A, b, %t0;",
	"add.cc.u32 %t0, a, b;\naddc.u32 A, c, e;",
	"sub.cc.u32 %t0, a, b;\nsubc.cc.u32 %t1, c, e;\nsubc.u32 A, %t0, %t1;",
	"mad.lo.cc.u32 %t0, a, b, c;\nmadc.hi.u32 A, a, b, e;",
	"mov.b64 %t64, {a, b};\nshr.u64 %t64, %t64, 9;\nmov.b64 {%t0, A}, %t64;",
	"and.b32 %t0, a, 60;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %lo, %t64;\nst.local.u32 [%t64], b;",
	"and.b32 %t0, a, 60;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %lo, %t64;\nld.local.u32 A, [%t64];",
	"and.b32 %t0, a, 62;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %lo, %t64;\nld.local.s16 A, [%t64];",
	"and.b32 %t0, a, 63;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %lo, %t64;\nst.local.u8 [%t64], b;",
	"and.b32 %t0, a, 63;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %lo, %t64;\ncvta.local.u64 %t64, %t64;\nld.s8 A, [%t64];",
	"and.b32 %t0, a, 0xffc;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %in, %t64;\nld.global.u32 A, [%t64];",
	"and.b32 %t0, a, 0xff8;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %in, %t64;\nld.global.v2.u32 {%t0, A}, [%t64];\nadd.u32 A, A, %t0;",
	"and.b32 %t0, a, 0xfff;\ncvt.u64.u32 %t64, %t0;\nadd.u64 %t64, %in, %t64;\nld.global.nc.u8 A, [%t64];",
	"setp.lt.or.s32 %p1|%p3, a, b, !%p2;",
	"{\n.param .b32 x0;\n.param .b32 x1;\n.param .b32 y0;\nst.param.b32 [x0], a;\nst.param.b32 [x1], b;\ncall.uni (y0), FN, (x0, x1);\nld.param.b32 A, [y0];\n}",
}

// straight writes instructions without branches, some of them under a predicate.
func (w *writer) straight(n int) {
	for range n {
		if w.dice.OneIn(4) {
			w.compound()
			continue
		}
		fields := strings.Fields(templates[w.dice.Below(len(templates))])
		guard := ""
		if w.dice.OneIn(6) {
			guard = fmt.Sprintf("@%s%%p%d ", []string{"", "!"}[w.dice.Below(2)], w.dice.Below(5))
		}
		operands := make([]string, len(fields)-1)
		for i, f := range fields[1:] {
			operands[i] = w.operand(f)
		}
		w.p("%s%s %s;", guard, fields[0], strings.Join(operands, ", "))
	}
}

func (w *writer) operand(bank string) string {
	switch bank {
	case "i":
		return fmt.Sprint(int32(w.dice.Next()) >> w.dice.Below(32))
	case "I":
		return fmt.Sprint(w.dice.Below(32))
	}
	for _, b := range banks {
		if b.letter == bank {
			return fmt.Sprintf("%%%s%d", b.letter, w.dice.Below(b.n))
		}
	}
	return bank
}

// compound writes one of several lines.
func (w *writer) compound() {
	text := compound[w.dice.Below(len(compound))]
	words := map[string]string{"A2: ": "", "A": w.operand("r"), "%IMM": fmt.Sprintf("%x", w.dice.Below(256)), "FN": fmt.Sprintf("fn%d", w.dice.Below(functions))}
	for _, x := range "abce" {
		words[string(x)] = w.operand("r")
	}
	for line := range strings.Lines(text) {
		w.p("%s", substitute(strings.TrimRight(line, "\n"), words))
	}
}

// substitute puts words into their places: a word stands by itself.
func substitute(line string, words map[string]string) string {
	line = strings.ReplaceAll(strings.ReplaceAll(line, "A2: ", ""), "%IMM", words["%IMM"])
	opcode, rest, _ := strings.Cut(line, " ")
	var b strings.Builder
	for i := 0; i < len(rest); {
		n := i
		for n < len(rest) && (rest[n] >= 'a' && rest[n] <= 'z' || rest[n] >= 'A' && rest[n] <= 'Z' || rest[n] >= '0' && rest[n] <= '9' || rest[n] == '%' || rest[n] == '.') {
			n++
		}
		if n == i {
			b.WriteByte(rest[i])
			i++
			continue
		}
		if v, ok := words[rest[i:n]]; ok {
			b.WriteString(v)
		} else {
			b.WriteString(rest[i:n])
		}
		i = n
	}
	if rest == "" {
		return opcode
	}
	return opcode + " " + b.String()
}
