package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// isspacep decodes isspacep.SPACE p, a: whether a generic address lies in a space.
// See the PTX ISA manual, "Data Movement and Conversion Instructions: isspacep".
func (d *decoder) isspacep(in *ptx.Instruction) error {
	if len(in.Modifiers) != 1 || len(in.Operands) != 2 {
		return d.unsupported()
	}
	var is func(w *warp, addr uint64) bool
	window := func(begin uint64) func(*warp, uint64) bool {
		return func(_ *warp, addr uint64) bool { return addr-begin < windowSize }
	}
	switch in.Modifiers[0] {
	case "shared", "shared::cta", "shared::cluster":
		is = window(sharedWindow)
	case "local":
		is = window(localWindow)
	case "param", "param::entry":
		is = window(paramWindow)
	case "const":
		is = (*warp).isConst
	case "global":
		is = func(w *warp, addr uint64) bool {
			return addr-sharedWindow >= windowSize && addr-localWindow >= windowSize && addr-paramWindow >= windowSize && !w.isConst(addr)
		}
	default:
		return d.unsupported()
	}
	r, err := d.source(in.Operands[1], "u64")
	if err != nil {
		return err
	}
	to, err := d.dest(in.Operands[0], "pred")
	if err != nil {
		return err
	}
	d.emit(op{fn: isspacep, d: to.slot, a: r.slot, ext: is})
	return nil
}

func isspacep(w *warp, o *op) {
	is, a, r := o.ext.(func(*warp, uint64) bool), &w.r64[o.a], uint32(0)
	for m := w.mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; is(w, a[i]) {
			r |= 1 << i
		}
	}
	w.p[o.d] = w.p[o.d]&^w.mask | r
}

// isConst reports whether an address lies in a constant variable. These have no window: they lie among the rest.
func (w *warp) isConst(addr uint64) bool {
	for _, v := range w.block.grid.launch.Kernel.program.globals {
		if v.space == ptx.SpaceConst && v.alloc != nil && addr-v.alloc.Base < uint64(v.size) {
			return true
		}
	}
	return false
}
