package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// lop3 decodes lop3{.BOOL}.b32 d{|p}, a, b, c, table{, q}: any logical function of three operands, and p = (d != 0) BOOL q.
func (d *decoder) lop3(in *ptx.Instruction) error {
	combine := (func(*warp, *op))(nil)
	mods := in.Modifiers
	if len(mods) == 2 {
		combine, mods = boolOp(mods[0]), mods[1:]
		if combine == nil || in.Modifiers[0] == "xor" {
			return d.unsupported()
		}
	}
	want := pick(combine != nil, 6, 5)
	if len(mods) != 1 || mods[0] != "b32" {
		return d.unsupported()
	}
	if len(in.Operands) != want {
		return d.errorf("%d operands instead of %d", len(in.Operands), want)
	}
	table, err := d.integer(in.Operands[4])
	if err != nil {
		return err
	}
	o := op{fn: lop3, imm: table & 0xff}
	for i, at := range []*int32{&o.a, &o.b, &o.c} {
		r, err := d.source(in.Operands[i+1], "b32")
		if err != nil {
			return err
		}
		*at = r.slot
	}
	dst, p := in.Operands[0], ptx.Operand(nil)
	if pair, ok := dst.(*ptx.Pair); ok {
		dst, p = pair.First, pair.Second
	}
	to, err := d.dest(dst, "b32")
	if err != nil {
		return err
	}
	o.d = to.slot
	if combine == nil || p == nil {
		d.emit(o)
		return nil
	}
	q, err := d.source(in.Operands[5], "pred")
	if err != nil {
		return err
	}
	pr, err := d.dest(p, "pred")
	if err != nil {
		return err
	}
	d.emit(o)
	t := d.tempPred()
	d.emit(op{fn: formOf("setp.ne.b32").fn, d: t.slot, a: to.slot, b: d.const32(0).slot})
	d.emit(op{fn: combine, d: pr.slot, a: t.slot, b: q.slot})
	return nil
}

func lop3(w *warp, o *op) {
	d, as, bs, cs := &w.r32[o.d], &w.r32[o.a], &w.r32[o.b], &w.r32[o.c]
	table := uint8(o.imm)
	if w.all {
		for i := range d {
			d[i] = number.Lop3(as[i], bs[i], cs[i], table)
		}
		return
	}
	for m := w.mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		d[i] = number.Lop3(as[i], bs[i], cs[i], table)
	}
}
