package engine

import "math/bits"

const full = ^uint32(0)

// A lanes32 is a register of at most 32 bits in the 32 lanes of a warp. One of 8 or 16 bits stands in the low bits, the others are
// zero. A lanes64 is one of 64 bits; a predicate register is a uint32 with a bit for each lane.
type (
	lanes32 = [32]uint32
	lanes64 = [32]uint64
)

// An op is a decoded operation: a PTX instruction is one, or a few. It is what a warp's loop reads, so it is small and
// flat; what only few need is in ext.
type op struct {
	fn func(w *warp, o *op)

	d, a, b, c, e int32  // registers: places in the bank that fn knows
	imm           int64  // a displacement, an immediate, a place to go to
	guard         int32  // of guarded: the predicate
	not           uint32 // of guarded: full where the predicate is negated
	inst          int32  // the instruction, in function.insts
	size          uint8  // of a memory access, in bytes
	align         uint8  // of a memory access: its size less one; of the first element of a vector, that of all
	slot          uint8  // of a memory access: which of the warp's remembered allocations
	inner         func(w *warp, o *op)
	ext           any
}

// guarded runs an operation in the lanes whose predicate says so.
func guarded(w *warp, o *op) {
	outer, all := w.mask, w.all
	m := outer & (w.p[o.guard] ^ o.not)
	if m == 0 {
		return
	}
	if m == outer {
		o.inner(w, o)
		return
	}
	w.setMask(m)
	o.inner(w, o)
	w.mask, w.all = outer, all
}

// each calls f for the lanes of a mask, in their order.
func each(mask uint32, f func(lane int)) {
	for ; mask != 0; mask &= mask - 1 {
		f(bits.TrailingZeros32(mask))
	}
}

// pick is a where c is true, else b.
func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}
