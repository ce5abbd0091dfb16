package engine

import (
	"fmt"
	"math/bits"
)

// What Check.Sync looks for: barriers that go on without threads that the manual wants there, and values taken of lanes that take no part.
// What never goes on is a deadlock, without it too.

// checkBarrier looks at a barrier that is complete, before whoever waits there goes on, and reports whether all is well.
func (b *block) checkBarrier(number int) bool {
	bar := &b.bars[number]
	var first *parked
	var of *warp
	wrong := ""
	for _, w := range b.warps {
		var here *op // where the warp's lanes wait; of a barrier for all, those of the whole block
		if bar.need == 0 && first != nil {
			here = first.op
		}
		for i := range w.parked {
			p := &w.parked[i]
			if p.barrier != number {
				continue
			}
			if first == nil {
				first, of = p, w
			}
			if here == nil {
				here = p.op
			}
			if p.op != here && (p.aligned() || first.aligned()) {
				wrong = "threads wait at different instructions of a barrier that all must reach together: "
			}
		}
		if bar.need > 0 && bar.warps>>(w.index&31)&1 == 0 {
			continue // a barrier for some, and none of these
		}
		switch missing := w.lanes() &^ w.arrived[number]; {
		case missing&w.dead != 0 && wrong == "":
			wrong = "a barrier that not all threads reach: "
		case missing&^w.dead != 0 && here != nil && here.ext.(*barrierUse).aligned:
			wrong = "a barrier that not all lanes of a warp reach together: "
		}
	}
	if wrong == "" || first == nil {
		return true
	}
	b.grid.fail(b.faultAt(of, first.act, first.op, bits.TrailingZeros32(first.mask)&31, Undefined, wrong+b.waiting()))
	return false
}

// aligned reports whether all lanes of a warp must be at the barrier's instruction together.
func (p *parked) aligned() bool { return p.op.ext.(*barrierUse).aligned }

// checkSources makes of a shuffle's take one that ends the launch where a lane takes the value of one that takes no part.
func checkSources(take func(w *warp, o *op, lanes uint32)) func(w *warp, o *op, lanes uint32) {
	return func(w *warp, o *op, lanes uint32) {
		bs, cs := &w.r32[o.b], &w.r32[o.c]
		for m := w.mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			from, _ := shflSource(o.size, uint32(i), bs[i], cs[i])
			if lanes>>from&1 != 0 {
				continue
			}
			why := "takes no part"
			switch x := o.ext.(*meeting); {
			case w.lanes()>>from&1 == 0:
				why = fmt.Sprintf("is no thread: the block has %d", w.block.threads)
			case w.dead>>from&1 != 0:
				why = "has ended"
			case x.named:
				why = fmt.Sprintf("is not in the member mask %#08x", pick(x.fixed, x.value, w.r32[x.mask][i]))
			}
			w.fail(o, i, Undefined, fmt.Sprintf("lane %d takes the value of lane %d, which %s", i, from, why))
			return
		}
		take(w, o, lanes)
	}
}
