package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// match decodes match.any.sync.TYPE d, a, membermask and match.all.sync.TYPE d{|p}, a, membermask.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: match.sync".
func (d *decoder) match(in *ptx.Instruction) error {
	mods, x := in.Modifiers, in.Operands
	if len(mods) != 3 || mods[1] != "sync" || len(x) != 3 {
		return d.unsupported()
	}
	m := meeting{}
	switch mods[2] {
	case "b32":
		m.bring = func(w *warp, o *op) { each(w.mask, func(i int) { w.ex.wide[i] = uint64(w.r32[o.a][i]) }) }
	case "b64":
		m.bring = func(w *warp, o *op) { each(w.mask, func(i int) { w.ex.wide[i] = w.r64[o.a][i] }) }
	default:
		return d.unsupported()
	}
	first, second := both(x[0])
	switch mods[0] {
	case "any":
		m.take = matchAny
		if second != nil {
			return d.unsupported()
		}
	case "all":
		m.take = matchAll
	default:
		return d.unsupported()
	}
	from, err := d.source(x[1], kind(mods[2]))
	if err != nil {
		return err
	}
	to, err := d.dest(first, "b32")
	if err != nil {
		return err
	}
	if m.pred, err = d.second(second); err != nil {
		return err
	}
	return d.meeting(op{d: to.slot, a: from.slot}, m, x[2])
}

// same are the lanes that brought what lane i did.
func (x *exchange) same(i int, lanes uint32) (same uint32) {
	for m := lanes; m != 0; m &= m - 1 {
		if j := bits.TrailingZeros32(m) & 31; x.wide[j] == x.wide[i] {
			same |= 1 << j
		}
	}
	return same
}

// matchAny gives each lane those that brought the same.
func matchAny(w *warp, o *op, lanes uint32) {
	d := &w.r32[o.d]
	for rest := w.mask; rest != 0; {
		same := w.ex.same(bits.TrailingZeros32(rest)&31, lanes)
		each(rest&same, func(i int) { d[i] = same })
		rest &^= same
	}
}

// matchAll gives all lanes where all brought the same, else 0.
func matchAll(w *warp, o *op, lanes uint32) {
	all := w.ex.same(bits.TrailingZeros32(lanes)&31, lanes) == lanes
	w.setWord(o.d, pick(all, lanes, 0))
	if p := o.ext.(*meeting).pred; p >= 0 {
		w.setPred(p, all)
	}
}
