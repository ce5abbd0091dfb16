package engine

import (
	"fmt"
	"math/bits"
)

// A barrier is one of a block's sixteen. Threads are counted, not warps, as sm_70 and later do, so that it may stand in divergent code.
// See the PTX ISA manual, "Parallel Synchronization and Communication Instructions: bar, barrier".
type barrier struct {
	arrived int // threads that wait or have arrived
	need    int // 0: all threads of the block that have not ended
	ones    int // arrived threads whose predicate is true, of a reduction

	warps uint32 // that have arrived threads: those of their threads that have ended count as arrived too
}

// A barrierUse is what an instruction does at a barrier.
type barrierUse struct {
	number, count int32 // registers; count is -1 where the instruction has none: all threads
	wait          bool
	aligned       bool   // all lanes of a warp execute it together
	reduce        string // "popc", "and", "or"; "" of no reduction
	pred          int32  // the register that a reduction is of
}

// barAt arrives at a barrier in the running lanes, and waits there if it is to.
func barAt(w *warp, o *op) {
	u := o.ext.(*barrierUse)
	numbers := &w.r32[u.number]
	for rest := w.mask; rest != 0; {
		first := bits.TrailingZeros32(rest) & 31
		number, need := numbers[first], uint32(0)
		if u.count >= 0 {
			need = w.r32[u.count][first]
		}
		lanes := uint32(0)
		for m := rest; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if numbers[i] == number && (u.count < 0 || w.r32[u.count][i] == need) {
				lanes |= 1 << i
			}
		}
		rest &^= lanes
		if wrong := w.block.arrive(w, u, number, need, lanes); wrong != "" {
			w.fail(o, first, Undefined, wrong)
			return
		}
		if u.wait {
			w.park(int(number), o, lanes)
		}
		w.block.release(int(number))
	}
	if u.wait {
		w.act.users--
		w.next()
	}
}

// barAll is barAt for what __syncthreads() is: all threads, at a barrier that the text names.
func barAll(w *warp, o *op) {
	bar := &w.block.bars[o.imm&15]
	if bar.arrived > 0 && bar.need != 0 {
		barAt(w, o) // says what is wrong, if it is
		return
	}
	number := int(o.imm)
	bar.arrived += bits.OnesCount32(w.mask)
	bar.warps |= 1 << (w.index & 31)
	w.arrived[number] |= w.mask
	w.parked = append(w.parked, parked{fragment: fragment{w.act, w.pc, w.mask}, barrier: number, op: o})
	w.block.release(number)
	w.next()
}

// arrive counts lanes of a warp at a barrier. It says what is wrong, or nothing.
func (b *block) arrive(w *warp, u *barrierUse, number, need, lanes uint32) string {
	if number > 15 {
		return fmt.Sprintf("barrier %d: there are 0 to 15", number)
	}
	if u.count >= 0 && (need == 0 || need%32 != 0) {
		return fmt.Sprintf("barrier %d for %d threads: that is no multiple of 32", number, need)
	}
	bar := &b.bars[number]
	if bar.arrived > 0 && bar.need != int(need) && pick(bar.need == 0, b.whole(), bar.need) != pick(need == 0, b.whole(), int(need)) {
		return fmt.Sprintf("barrier %d is for %s, and others wait there for %s", number, threads(int(need)), threads(bar.need))
	}
	bar.arrived += bits.OnesCount32(lanes)
	bar.need = int(need)
	bar.warps |= 1 << (w.index & 31)
	w.arrived[number] |= lanes
	if u.reduce != "" {
		bar.ones += bits.OnesCount32(lanes & w.p[u.pred])
	}
	if have := b.arrived(int(number)); need > 0 && have > int(need) {
		return fmt.Sprintf("barrier %d is for %d threads, and %d have come", number, need, have)
	}
	return ""
}

func threads(n int) string {
	if n == 0 {
		return "all threads"
	}
	return fmt.Sprintf("%d threads", n)
}

// whole is the number of threads of the block's warps.
func (b *block) whole() int { return 32 * len(b.warps) }

// arrived is how many threads count as arrived at a barrier for a number of them.
func (b *block) arrived(number int) int {
	bar := &b.bars[number]
	n := bar.arrived
	for m := bar.warps; m != 0; m &= m - 1 {
		w := b.warps[bits.TrailingZeros32(m)]
		n += bits.OnesCount32(w.dead &^ w.arrived[number])
	}
	return n
}

// park puts lanes of the running fragment among those that wait at a barrier.
func (w *warp) park(barrier int, o *op, lanes uint32) {
	w.act.users++
	w.parked = append(w.parked, parked{fragment: fragment{w.act, w.pc, lanes}, barrier: barrier, op: o})
}

// release lets go on whoever waits at a barrier if it is complete.
func (b *block) release(number int) {
	bar := &b.bars[number]
	if bar.need == 0 && bar.arrived < b.alive || bar.need > 0 && b.arrived(number) < bar.need {
		return
	}
	if b.grid.config.Check.Sync && !b.checkBarrier(number) {
		return
	}
	done := *bar
	*bar = barrier{}
	for _, w := range b.warps {
		w.arrived[number] = 0
		if len(w.parked) > 0 {
			w.unpark(func(p *parked) bool {
				if p.barrier == number {
					p.result(&done)
					return true
				}
				return false
			})
		}
	}
}

// result gives lanes that waited the result of a reduction.
func (p *parked) result(done *barrier) {
	u, r := p.op.ext.(*barrierUse), uint32(0)
	switch u.reduce {
	case "":
		return
	case "popc":
		d := &p.act.r32[p.op.d]
		each(p.mask, func(i int) { d[i] = uint32(done.ones) })
		return
	case "and":
		r = pick(done.ones == done.arrived, full, 0)
	case "or":
		r = pick(done.ones > 0, full, 0)
	}
	p.act.p[p.op.d] = p.act.p[p.op.d]&^p.mask | r&p.mask
}

// exited completes the barriers where only threads were missing that have ended now.
func (b *block) exited() {
	for n := range b.bars {
		if b.bars[n].arrived > 0 {
			b.release(n)
		}
	}
	if b.arrivals > 0 {
		b.releaseCluster()
	}
}

// unpark makes ready the parked fragments for which goes says so.
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
