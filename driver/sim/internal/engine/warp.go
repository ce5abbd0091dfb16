package engine

import "math/bits"

// A warp is 32 threads in lockstep. The fragment that runs lies in its own fields; the others wait in ready or parked.
type warp struct {
	block *block
	index int         // in the block
	root  *activation // of the kernel

	// The running fragment: the lanes in mask are at pc of act, whose code and registers are repeated here.
	act  *activation
	pc   int32
	mask uint32
	all  bool // the lanes outside mask are gone for good, so that an operation may work on all 32
	stop bool // leave the loop
	code []op
	r32  []lanes32
	r64  []lanes64
	p    []uint32

	dead   uint32 // lanes that have ended, or never were
	ready  []fragment
	parked []parked
	turns  int // control operations since another fragment ran
	hold   int // control operations that this fragment may go on for whatever its place
	fuel   int // control operations until the warp lets others run

	found  [8]*Allocation // the allocations that memory operations met last
	local  [32][]byte
	free   []*activation
	steps  uint64
	ticks  uint64 // what reads of the clock have added
	ex     exchange
	fences uint32

	cluster clusterState
	async   asyncState // of cp.async
	bulk    asyncState // of cp.async.bulk to global memory
	arrived [16]uint32 // lanes that have arrived at a barrier
	fault   *Fault
	watch   warpWatch
}

const (
	patience = 2048 // control operations before a fragment that others wait for has to let them run
	quantum  = 128  // how long they then run
	slice    = 1 << 14
)

// setMask makes m the running lanes.
func (w *warp) setMask(m uint32) {
	w.mask = m
	w.all = m|w.dead == full
}

// enter makes f the running fragment.
func (w *warp) enter(f fragment) {
	if w.act != f.act {
		w.act = f.act
		w.code, w.r32, w.r64, w.p = f.act.fn.code, f.act.r32, f.act.r64, f.act.p
	}
	w.pc = f.pc
	w.setMask(f.mask)
}

// run goes on until every fragment is parked or has ended, the warp has had its share, or there is a fault.
func (w *warp) run() {
	w.fuel, w.stop = slice, false
	if w.mask == 0 && !w.next() {
		return
	}
	n := uint64(0)
	for !w.stop {
		o := &w.code[w.pc]
		w.pc++
		n++
		o.fn(w, o)
	}
	w.steps += n
}

// runnable reports whether run would do anything.
func (w *warp) runnable() bool { return w.mask != 0 || len(w.ready) > 0 }

// next takes a waiting fragment in place of one that has ended or parked, and stops the loop if there is none.
func (w *warp) next() bool {
	w.mask = 0
	if len(w.ready) == 0 {
		w.stop = true
		return false
	}
	i := w.first()
	f := w.ready[i]
	w.ready = append(w.ready[:i], w.ready[i+1:]...)
	w.turns, w.hold = 0, 0
	w.enter(f)
	w.merge()
	return true
}

// exit ends the running lanes.
func (w *warp) exit() {
	w.dead |= w.mask
	w.block.alive -= bits.OnesCount32(w.mask)
	w.act.leave(w)
	if len(w.bulk.copies) > 0 { // they end in any case
		w.bulk.finish(w.mask, func(*asyncCopy) bool { return true })
	}
	w.mask = 0
	if len(w.parked) > 0 { // they may have waited for these
		w.meetings()
	}
	w.block.exited()
	w.next()
}

// fail ends the launch. lane is the one to name; -1 is the first that runs.
func (w *warp) fail(o *op, lane int, kind FaultKind, detail string) {
	if lane < 0 {
		lane = bits.TrailingZeros32(w.mask) & 31
	}
	w.stop = true
	if w.fault == nil {
		w.fault = w.block.faultAt(w, w.act, o, lane, kind, detail)
	}
}
