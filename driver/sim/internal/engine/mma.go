package engine

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
)

// mmaShapes are the shapes of mma.sync and wmma.mma for each type of the factors, as the manual lists them. k of .b1 is in words.
var mmaShapes = [...]matrixShapes{
	{"mma f16", []string{"m16n8k8", "m16n8k16"}}, {"mma bf16", []string{"m16n8k8", "m16n8k16"}}, {"mma tf32", []string{"m16n8k4", "m16n8k8"}},
	{"mma e4m3", []string{"m16n8k32"}}, {"mma e5m2", []string{"m16n8k32"}},
	{"mma s8", []string{"m8n8k16", "m16n8k16", "m16n8k32"}}, {"mma u8", []string{"m8n8k16", "m16n8k16", "m16n8k32"}},
	{"mma s4", []string{"m8n8k32", "m16n8k32", "m16n8k64"}}, {"mma u4", []string{"m8n8k32", "m16n8k32", "m16n8k64"}},
	{"mma b1", []string{"m8n8k128", "m16n8k128", "m16n8k256"}}, {"mma f64", []string{"m8n8k4", "m16n8k4", "m16n8k8", "m16n8k16"}},
	{"wmma f16", []string{"m16n16k16", "m8n32k16", "m32n8k16"}}, {"wmma bf16", []string{"m16n16k16", "m8n32k16", "m32n8k16"}},
	{"wmma s8", []string{"m16n16k16", "m8n32k16", "m32n8k16"}}, {"wmma u8", []string{"m16n16k16", "m8n32k16", "m32n8k16"}},
	{"wmma tf32", []string{"m16n16k8"}}, {"wmma f64", []string{"m8n8k4"}},
}

// matrixShapes are the names of the shapes of an opcode and a type: "mma f16".
type matrixShapes struct {
	of    string
	names []string
}

// shapeOf is the shape of that name, if the instruction has it for the type.
func shapeOf(opcode, name, elem string) (s shape, ok bool) {
	i := slices.IndexFunc(mmaShapes[:], func(s matrixShapes) bool { return s.of == opcode+" "+elem })
	if i < 0 || !slices.Contains(mmaShapes[i].names, name) {
		return s, false
	}
	n, err := fmt.Sscanf(name, "m%dn%dk%d", &s.m, &s.n, &s.k)
	if elem == "b1" {
		s.k /= 32
	}
	return s, n == 3 && err == nil
}

// mma decodes mma.sync.aligned.SHAPE.row.col{.satfinite}.D.A.B.C d, a, b, c and the forms of .b1, which end in .xor.popc or .and.popc.
// See the PTX ISA manual, "Warp Level Matrix Multiply-Accumulate Instructions: mma".
func (d *decoder) mma(in *ptx.Instruction) error {
	mods := in.Modifiers
	if len(mods) < 9 || strings.Join(mods[:2], ".") != "sync.aligned" || strings.Join(mods[3:5], ".") != "row.col" || len(in.Operands) != 4 {
		return d.unsupported()
	}
	p, rest := &product{}, mods[5:]
	if rest[0] == "satfinite" {
		p.saturate, rest = true, rest[1:]
	}
	if rest[0] == "rn" && rest[len(rest)-1] == "f64" {
		rest = rest[1:]
	}
	if n := len(rest); n == 6 && rest[1] == "b1" && rest[5] == "popc" {
		switch rest[4] {
		case "xor":
			p.combine = xorCounted
		case "and":
			p.combine = andCounted
		default:
			return d.unsupported()
		}
		rest = rest[:4]
	} else if n != 4 || rest[1] == "b1" {
		return d.unsupported()
	}
	return d.product(p, "mma", mods[2], rest)
}

// product emits a product of matrices; types are those of d, a, b and c.
func (d *decoder) product(p *product, opcode, name string, types []string) error {
	s, ok := shapeOf(opcode, name, types[1])
	_, same := shapeOf(opcode, name, types[2])
	if !ok || !same || !p.typed(types) {
		return d.unsupported()
	}
	elem := func(i int) *matrixElem { return matrixElemOf(types[i]) }
	p.d, p.a, p.b, p.c = matrixPart{'c', s, elem(0)}, matrixPart{'a', s, elem(1)}, matrixPart{'b', s, elem(2)}, matrixPart{'c', s, elem(3)}
	for i, x := range []struct {
		part matrixPart
		to   *[]int32
	}{{p.d, &p.rd}, {p.a, &p.ra}, {p.b, &p.rb}, {p.c, &p.rc}} {
		r, err := d.matrixRegisters(d.in.Operands[i], x.part, opcode, i == 0)
		if err != nil {
			return err
		}
		*x.to = r
	}
	p.lay()
	return d.aligned(op{}, p, func(w *warp, o *op) { p.multiply(p, w) })
}

// typed chooses what multiplies, and reports whether the types go together.
func (p *product) typed(types []string) bool {
	dt, at, bt, ct := types[0], types[1], types[2], types[3]
	half := func(t string) bool { return t == "f16" || t == "f32" }
	p.multiply = (*product).floats
	switch at {
	case "f16":
		return bt == at && half(dt) && half(ct) && !p.saturate
	case "bf16", "tf32":
		return bt == at && dt == "f32" && ct == "f32" && !p.saturate
	case "e4m3", "e5m2":
		return (bt == "e4m3" || bt == "e5m2") && dt == ct && half(dt) && !p.saturate
	case "f64":
		p.multiply = (*product).doubles
		return bt == at && dt == at && ct == at && !p.saturate
	}
	p.multiply = (*product).integers
	if dt != "s32" || ct != "s32" {
		return false
	}
	switch at {
	case "s8", "u8":
		return bt == "s8" || bt == "u8"
	case "s4", "u4":
		return bt == "s4" || bt == "u4"
	case "b1":
		return bt == "b1" && !p.saturate
	}
	return false
}

// matrixRegisters are the registers of a part. In wmma those of .f16 factors are always 8.
func (d *decoder) matrixRegisters(x ptx.Operand, part matrixPart, opcode string, result bool) ([]int32, error) {
	elems := []ptx.Operand{x}
	if v, ok := x.(*ptx.Vector); ok {
		elems = v.Elems
	}
	want := part.registers()
	if opcode == "wmma" && part.use != 'c' && part.elem.name == "f16" {
		want = 8
	}
	if len(elems) != want {
		return nil, d.errorf("%d registers in place of %d", len(elems), want)
	}
	k := kind(pick(part.elem.bits == 64, "b64", "b32"))
	var all []int32
	for _, e := range elems {
		r, err := reg{}, error(nil)
		if result {
			r, err = d.dest(e, k)
		} else {
			r, err = d.source(e, k)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r.slot)
	}
	return all, nil
}

// aligned emits an operation that all 32 lanes of a warp do together.
func (d *decoder) aligned(o op, extra any, do func(w *warp, o *op)) error {
	return d.meeting(o, meeting{aligned: true, extra: extra, bring: nop, take: func(w *warp, o *op, lanes uint32) {
		if gone := ^lanes; gone != 0 {
			w.fail(o, -1, Undefined, fmt.Sprintf("it takes all 32 lanes of the warp, and %d are not there", bits.OnesCount32(gone)))
			return
		}
		do(w, o)
	}}, &ptx.Int{Value: -1})
}
