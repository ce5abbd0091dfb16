package engine

import "math/bits"

// A barrier is one of a block's sixteen. Threads are counted, not warps, as sm_70 and later do, so that it may stand in divergent code.
type barrier struct {
	arrived int // threads that wait or have arrived
	need    int // 0: all threads of the block that have not ended
}

// barSync parks the running lanes at barrier o.a until o.b threads have come (0: all of the block).
func barSync(w *warp, o *op) {
	b := &w.block.bars[o.a&15]
	b.arrived += bits.OnesCount32(w.mask)
	b.need = int(o.b)
	w.park(int(o.a), o)
}

// barArrive counts the running lanes and goes on.
func barArrive(w *warp, o *op) {
	b := &w.block.bars[o.a&15]
	b.arrived += bits.OnesCount32(w.mask)
	b.need = int(o.b)
}

// park puts the running fragment among those that wait and runs another.
func (w *warp) park(barrier int, o *op) {
	w.parked = append(w.parked, parked{fragment{w.act, w.pc, w.mask}, barrier, o})
	w.next()
}

// release lets go on whoever waits at a barrier that is complete.
func (b *block) release() {
	for n := range b.bars {
		bar := &b.bars[n]
		if bar.arrived == 0 {
			continue
		}
		need := bar.need
		if need == 0 {
			need = b.alive()
		}
		if bar.arrived < need {
			continue
		}
		bar.arrived = 0
		for _, w := range b.warps {
			w.unpark(func(p *parked) bool { return p.barrier == n })
		}
	}
}

// alive is the number of threads that have not ended.
func (b *block) alive() (n int) {
	for _, w := range b.warps {
		n += bits.OnesCount32(^w.dead)
	}
	return n
}

// unpark makes ready the parked fragments for which go says so.
func (w *warp) unpark(goes func(*parked) bool) {
	kept := w.parked[:0]
	for i := range w.parked {
		if p := &w.parked[i]; goes(p) {
			w.ready = append(w.ready, p.fragment)
		} else {
			kept = append(kept, *p)
		}
	}
	w.parked = kept
}

// meetings lets lanes of a warp go on that wait for one another and are all there.
func (b *block) meetings(w *warp) {}
