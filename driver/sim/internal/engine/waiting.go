package engine

import (
	"fmt"
	"math/bits"
	"strings"
)

// deadlock ends the launch: nobody can go on. It names the barrier or meeting that was reached first of those that still wait.
//
// A barrier is a count, not a place: bar.sync instructions at different places of the text are the same barrier where they name the same number,
// as on sm_70 and later, and threads that have ended count as arrived. So a barrier in code where threads part is a fault only if
// some neither reach one nor end.
func (b *block) deadlock() {
	for _, w := range b.warps {
		if len(w.parked) == 0 {
			continue
		}
		p := w.parked[0]
		w.act, w.mask = p.act, p.mask
		w.fail(p.op, -1, Deadlock, "deadlock: "+b.waiting())
		b.grid.fail(w.fault)
		return
	}
}

// waiting says who waits where, and who has ended.
func (b *block) waiting() string {
	type place struct {
		barrier int
		in      *instruction
		lanes   uint32 // of their warp, that they wait for
	}
	who, order, ended := map[place]threadSet{}, []place(nil), threadSet(nil)
	for _, w := range b.warps {
		for i := range w.parked {
			p := &w.parked[i]
			at := place{barrier: p.barrier, in: &p.act.fn.insts[p.op.inst]}
			if p.barrier == inMeeting {
				at.lanes = w.missing(p)
			}
			if who[at] == nil {
				order = append(order, at)
			}
			who[at] = who[at].with(w.index, p.mask)
		}
		ended = ended.with(w.index, w.dead&w.lanes())
	}
	var s []string
	for i, at := range order {
		what := "wait at "
		if at.barrier >= 0 && at.barrier < len(b.bars) {
			what += fmt.Sprintf("barrier %d, ", at.barrier)
		}
		text := fmt.Sprintf("%s %s%s", who[at].text(pick(i == 0, "threads ", "")), what, b.grid.launch.Kernel.program.where(at.in))
		if at.lanes != 0 {
			text += fmt.Sprintf(" for the lanes %#08x of their warp", at.lanes)
		}
		s = append(s, text)
	}
	if ended.count() > 0 {
		s = append(s, ended.text("")+" have ended")
	}
	return strings.Join(s, "; ")
}

// lanes are those of a warp that are threads.
func (w *warp) lanes() uint32 {
	n := min(32, w.block.threads-32*w.index)
	return uint32(1<<n - 1)
}

// A threadSet is threads of a block, a mask for each warp.
type threadSet []uint32

// with adds lanes of a warp.
func (s threadSet) with(warp int, lanes uint32) threadSet {
	for len(s) <= warp {
		s = append(s, 0)
	}
	s[warp] |= lanes
	return s
}

func (s threadSet) count() (n int) {
	for _, m := range s {
		n += bits.OnesCount32(m)
	}
	return n
}

// text is how many they are and which, counted as %tid.x + %ntid.x * (%tid.y + %ntid.y * %tid.z): "96 threads (0-31, 64-127)".
func (s threadSet) text(noun string) string {
	var ranges []string
	has := func(t int) bool { return t/32 < len(s) && s[t/32]>>(t%32)&1 != 0 }
	for t := 0; t < 32*len(s); t++ {
		if !has(t) {
			continue
		}
		first := t
		for has(t + 1) {
			t++
		}
		if len(ranges) == 8 {
			ranges = append(ranges, "…")
			break
		}
		ranges = append(ranges, pick(first == t, fmt.Sprint(t), fmt.Sprintf("%d-%d", first, t)))
	}
	return fmt.Sprintf("%d %s(%s)", s.count(), noun, strings.Join(ranges, ", "))
}

// halted says where a block was when the launch's context ended, if that is why it stops.
func (b *block) halted() {
	if b.grid.ended() {
		for _, w := range b.warps {
			if w.dead != full {
				b.interrupt(w, "it was still running and was stopped")
				return
			}
		}
	}
}

// interrupt ends the launch, for a reason that no instruction gave, and names the place of one of the warp's threads.
func (b *block) interrupt(w *warp, why string) {
	w.fault = nil
	act, o, lanes := w.act, (*op)(nil), w.mask
	switch {
	case lanes != 0:
		o = &w.code[max(w.pc-1, 0)]
	case len(w.ready) > 0:
		f := w.ready[0]
		act, o, lanes = f.act, &f.act.fn.code[f.pc], f.mask
	case len(w.parked) > 0:
		p := w.parked[0]
		act, o, lanes = p.act, p.op, p.mask
	}
	w.fault = b.faultAt(w, act, o, bits.TrailingZeros32(lanes)&31, Endless, why)
	b.grid.fail(w.fault)
}
