package engine

import (
	"math/bits"
	"strings"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// set and setp of pairs of halves compare the low ones and the high ones. See the PTX ISA manual, "Half Precision Comparison Instructions".

// ofPairs reports whether an instruction's operands are pairs of halves.
func ofPairs(in *ptx.Instruction) bool {
	n := len(in.Modifiers)
	return n > 0 && (in.Modifiers[n-1] == "f16x2" || in.Modifiers[n-1] == "bf16x2")
}

// comparePairs emits the two comparisons; name is that of setp, "setp.lt.f16x2". They are combined with the last operand where combine is not nil.
func (d *decoder) comparePairs(in *ptx.Instruction, name string, combine func(*warp, *op)) (low, high reg, err error) {
	f := formOf(strings.TrimSuffix(name, "x2"))
	if f == nil {
		return low, high, d.unsupported()
	}
	if want := pick(combine != nil, 4, 3); len(in.Operands) != want {
		return low, high, d.errorf("%d operands instead of %d", len(in.Operands), want)
	}
	var from, up [2]reg
	for i := range from {
		if from[i], err = d.source(in.Operands[i+1], kind(in.Modifiers[len(in.Modifiers)-1])); err != nil {
			return low, high, err
		}
		up[i] = d.temp32()
		d.emit(op{fn: formOf("shr.b32").fn, d: up[i].slot, a: from[i].slot, b: d.const32(16).slot})
	}
	low, high = d.tempPred(), d.tempPred()
	d.emit(op{fn: f.fn, d: low.slot, a: from[0].slot, b: from[1].slot}) // of a word it takes the low half
	d.emit(op{fn: f.fn, d: high.slot, a: up[0].slot, b: up[1].slot})
	if combine == nil {
		return low, high, nil
	}
	c, err := d.source(in.Operands[3], "pred")
	if err != nil {
		return low, high, err
	}
	d.emit(op{fn: combine, d: low.slot, a: low.slot, b: c.slot})
	d.emit(op{fn: combine, d: high.slot, a: high.slot, b: c.slot})
	return low, high, nil
}

// setpPairs decodes setp.CMP{.BOOL}{.ftz}.TYPE p|q, a, b{, {!}c}, where p is of the low halves and q of the high ones.
func (d *decoder) setpPairs(in *ptx.Instruction, name string, combine func(*warp, *op)) error {
	low, high, err := d.comparePairs(in, name, combine)
	if err != nil {
		return err
	}
	p, q := both(in.Operands[0])
	if q == nil {
		return d.errorf("%s is no pair of predicates", p)
	}
	for _, r := range []struct {
		to   ptx.Operand
		from reg
	}{{p, low}, {q, high}} {
		to, err := d.dest(r.to, "pred")
		if err != nil {
			return err
		}
		d.emit(op{fn: movPred, d: to.slot, a: r.from.slot})
	}
	return nil
}

// setPairs decodes set.CMP{.BOOL}{.ftz}.DTYPE.TYPE d, a, b{, {!}c}: two halves, 1.0 or all ones for true.
func (d *decoder) setPairs(in *ptx.Instruction, name string, combine func(*warp, *op)) error {
	yes := uint16(0xffff)
	switch to, of := in.Modifiers[len(in.Modifiers)-2], in.Modifiers[len(in.Modifiers)-1]; {
	case to == "u32" || to == "s32":
	case to == "f16x2" && of == to:
		yes = number.SetF16(true)
	case to == "bf16x2" && of == to:
		yes = number.SetBF16(true)
	default:
		return d.unsupported()
	}
	low, high, err := d.comparePairs(in, name, combine)
	if err != nil {
		return err
	}
	r, err := d.dest(in.Operands[0], kind(in.Modifiers[len(in.Modifiers)-2]))
	if err != nil {
		return err
	}
	d.emit(op{fn: setHalves, d: r.slot, a: low.slot, b: high.slot, imm: int64(yes)})
	return nil
}

func setHalves(w *warp, o *op) {
	d, low, high, yes := &w.r32[o.d], w.p[o.a], w.p[o.b], uint32(o.imm)
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = yes*(low>>i&1) | yes<<16*(high>>i&1)
	}
}
