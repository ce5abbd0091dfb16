package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// set decodes set.CMP{.BOOL}{.ftz}.DTYPE.STYPE d, a, b{, {!}c}: setp whose result is a number, all ones or 1.0 for true.
func (d *decoder) set(in *ptx.Instruction) error {
	name, combine, n := "setp", (func(*warp, *op))(nil), len(in.Modifiers)
	if n < 3 {
		return d.unsupported()
	}
	to := in.Modifiers[n-2]
	for i, m := range in.Modifiers {
		if f := boolOp(m); f != nil && i == 1 {
			combine = f
		} else if i != n-2 {
			name += "." + m
		}
	}
	if ofPairs(in) {
		return d.setPairs(in, name, combine)
	}
	f := formOf(name)
	yes, known := map[string]uint32{"u32": full, "s32": full, "u16": 0xffff, "s16": 0xffff,
		"f32": 0x3f800000, "f16": uint32(number.SetF16(true)), "bf16": uint32(number.SetBF16(true))}[to]
	if f == nil || !known {
		return d.unsupported()
	}
	want := pick(combine != nil, 4, 3)
	if len(in.Operands) != want {
		return d.errorf("%d operands instead of %d", len(in.Operands), want)
	}
	p := d.tempPred()
	o := op{fn: f.fn, d: p.slot}
	for i, at := range []*int32{&o.a, &o.b} {
		r, err := d.source(in.Operands[i+1], f.kinds[i+1])
		if err != nil {
			return err
		}
		*at = r.slot
	}
	d.emit(o)
	if combine != nil {
		c, err := d.source(in.Operands[3], "pred")
		if err != nil {
			return err
		}
		d.emit(op{fn: combine, d: p.slot, a: p.slot, b: c.slot})
	}
	r, err := d.dest(in.Operands[0], kind(to))
	if err != nil {
		return err
	}
	d.emit(op{fn: setNumber, d: r.slot, a: p.slot, imm: int64(yes)})
	return nil
}

func setNumber(w *warp, o *op) {
	d, p := &w.r32[o.d], w.p[o.a]
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = uint32(o.imm) * (p >> i & 1)
	}
}
