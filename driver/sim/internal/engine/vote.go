package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// voteOf is a mode of vote: what the lanes that take part get of their ballot; nil if there is no such mode.
func voteOf(name string) func(w *warp, o *op, lanes uint32) {
	switch name {
	case "all":
		return func(w *warp, o *op, lanes uint32) { w.setPred(o.d, w.ex.bits&lanes == lanes) }
	case "any":
		return func(w *warp, o *op, lanes uint32) { w.setPred(o.d, w.ex.bits&lanes != 0) }
	case "uni":
		return func(w *warp, o *op, lanes uint32) { w.setPred(o.d, w.ex.bits&lanes == lanes || w.ex.bits&lanes == 0) }
	case "ballot":
		return func(w *warp, o *op, lanes uint32) { w.setWord(o.d, w.ex.bits&lanes) }
	}
	return nil
}

// vote decodes vote{.sync}.MODE.pred and .ballot.b32 d, {!}a{, membermask}.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: vote.sync".
func (d *decoder) vote(in *ptx.Instruction) error {
	mods, x := in.Modifiers, in.Operands
	var member ptx.Operand
	if len(mods) == 3 && mods[0] == "sync" && len(x) == 3 {
		mods, member, x = mods[1:], x[2], x[:2]
	}
	if len(mods) != 2 || len(x) != 2 {
		return d.unsupported()
	}
	take := voteOf(mods[0])
	k := kind(pick(mods[0] == "ballot", "b32", "pred"))
	if take == nil || mods[1] != string(k) {
		return d.unsupported()
	}
	from, err := d.source(x[1], "pred")
	if err != nil {
		return err
	}
	to, err := d.dest(x[0], k)
	if err != nil {
		return err
	}
	return d.meeting(op{d: to.slot, a: from.slot}, meeting{bring: bringBit, take: take}, member)
}

// bringBit hands over a predicate.
func bringBit(w *warp, o *op) { w.ex.bits = w.ex.bits&^w.mask | w.p[o.a]&w.mask }

// setPred gives the running lanes a predicate.
func (w *warp) setPred(r int32, v bool) {
	w.p[r] = w.p[r]&^w.mask | pick(v, w.mask, 0)
}

// setWord gives the running lanes a word.
func (w *warp) setWord(r int32, v uint32) {
	d := &w.r32[r]
	each(w.mask, func(i int) { d[i] = v })
}

// activemask decodes activemask.b32. What runs together here need not do so on a device.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: activemask".
func (d *decoder) activemask(in *ptx.Instruction) error {
	if in.Form() != "activemask.b32" || len(in.Operands) != 1 {
		return d.unsupported()
	}
	to, err := d.dest(in.Operands[0], "b32")
	if err != nil {
		return err
	}
	d.emit(op{fn: func(w *warp, o *op) { w.setWord(o.d, w.mask) }, d: to.slot})
	return nil
}

// elect decodes elect.sync d|p, membermask: the lowest lane is elected.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: elect.sync".
func (d *decoder) elect(in *ptx.Instruction) error {
	if in.Form() != "elect.sync" || len(in.Operands) != 2 {
		return d.unsupported()
	}
	first, second := both(in.Operands[0])
	to, err := d.dest(first, "b32")
	if err != nil {
		return err
	}
	pred, err := d.second(second)
	if err != nil {
		return err
	}
	return d.meeting(op{d: to.slot}, meeting{bring: nop, take: electTake, pred: pred}, in.Operands[1])
}

// electTake elects the lowest lane.
func electTake(w *warp, o *op, lanes uint32) {
	leader := bits.TrailingZeros32(lanes)
	w.setWord(o.d, uint32(leader))
	if p := o.ext.(*meeting).pred; p >= 0 {
		w.p[p] = w.p[p]&^w.mask | 1<<leader&w.mask
	}
}
