package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// reduction is what a form of redux.sync does, nil for what is none. Those of .f32, of sm_100a, are not done.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: redux.sync".
func reduction(name string) func(a, b uint32) uint32 {
	switch name {
	case "redux.sync.add.u32":
		return func(a, b uint32) uint32 { return a + b }
	case "redux.sync.add.s32":
		return func(a, b uint32) uint32 { return a + b }
	case "redux.sync.min.u32":
		return func(a, b uint32) uint32 { return min(a, b) }
	case "redux.sync.min.s32":
		return func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) }
	case "redux.sync.max.u32":
		return func(a, b uint32) uint32 { return max(a, b) }
	case "redux.sync.max.s32":
		return func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) }
	case "redux.sync.and.b32":
		return func(a, b uint32) uint32 { return a & b }
	case "redux.sync.or.b32":
		return func(a, b uint32) uint32 { return a | b }
	case "redux.sync.xor.b32":
		return func(a, b uint32) uint32 { return a ^ b }
	}
	return nil
}

// redux decodes redux.sync.OP.TYPE d, a, membermask.
func (d *decoder) redux(in *ptx.Instruction) error {
	reduce := reduction(in.Form())
	if reduce == nil || len(in.Operands) != 3 {
		return d.unsupported()
	}
	from, err := d.source(in.Operands[1], "b32")
	if err != nil {
		return err
	}
	to, err := d.dest(in.Operands[0], "b32")
	if err != nil {
		return err
	}
	take := func(w *warp, o *op, lanes uint32) {
		first := bits.TrailingZeros32(lanes) & 31
		r := w.ex.words[first]
		each(lanes&(lanes-1), func(i int) { r = reduce(r, w.ex.words[i]) })
		w.setWord(o.d, r)
	}
	return d.meeting(op{d: to.slot, a: from.slot}, meeting{bring: bringWord, take: take}, in.Operands[2])
}
