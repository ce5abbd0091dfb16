package engine

import "math/bits"

// A raceBarrier is a barrier of a block as the race detector sees it, between the first that arrives and the first that goes on.
type raceBarrier struct {
	waiting threadSet
	part    bool     // not the whole block takes part, or some go on without waiting
	channel *channel // of a barrier that not the whole block takes part in
	before  *channel // of the last time
}

// A raceArrival is an instruction that arrives at a barrier.
type raceArrival struct {
	number, count int32 // registers; count is -1 for the whole block
	wait          bool
}

// raceArrive is told of lanes that arrive at a barrier.
func raceArrive(w *warp, o *op) {
	r := w.race()
	if r == nil {
		return
	}
	u := o.ext.(*raceArrival)
	for rest := w.mask; rest != 0; {
		number, lanes := alike(&w.r32[u.number], rest)
		rest &^= lanes
		b := &r.barriers[min(number, atCluster)]
		if u.count >= 0 {
			each(lanes, func(i int) { b.part = b.part || int(w.r32[u.count][i]) < w.block.threads })
		}
		if u.wait {
			b.waiting = b.waiting.with(w.index, lanes)
			continue
		}
		b.part = true
		each(lanes, func(i int) { b.releases(r, 32*w.index+i) })
	}
}

// alike is the value of a register in the first of some lanes, and those that have the same.
func alike(r *lanes32, lanes uint32) (v, same uint32) {
	v = r[bits.TrailingZeros32(lanes)&31]
	for m := lanes; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; r[i] == v {
			same |= 1 << i
		}
	}
	return v, same
}

func (b *raceBarrier) releases(r *blockRace, index int) {
	if b.channel == nil {
		b.channel = newChannel()
	}
	b.channel.release(r.released(index), 0)
}

// racePass is told of lanes that go on. The first of them speak for all who waited: nobody has moved since.
func racePass(w *warp, o *op) {
	r := w.race()
	if r == nil {
		return
	}
	u := o.ext.(*raceArrival)
	for rest := w.mask; rest != 0; {
		number, lanes := alike(&w.r32[u.number], rest)
		rest &^= lanes
		if b := &r.barriers[min(number, atCluster)]; w.index < len(b.waiting) && b.waiting[w.index]&lanes != 0 {
			r.complete(b)
		}
	}
}

// race is what the detector knows of the warp's block, nil where nobody asks.
func (w *warp) race() *blockRace {
	if w.block.watch == nil {
		return nil
	}
	return w.block.watch.race
}

// complete orders what the threads that waited did before what they will do.
func (r *blockRace) complete(b *raceBarrier) {
	var know *knowledge
	if b.part {
		b.waiting.each(func(index int) { b.releases(r, index) })
	}
	seen := uint32(0)
	for i := range r.threads { // those that have ended have arrived for good
		seen = max(seen, r.threads[i].clock)
	}
	b.waiting.each(func(index int) {
		t := &r.threads[index]
		t.settle(false)
		know = know.with(t.know)
	})
	if b.part {
		know = know.with(b.channel.acquired())
		if b.before != nil && b.channel.replaces(b.before) { // the same threads, again and again
			know = know.without(b.before)
		}
		b.before, b.channel = b.channel, nil
	}
	b.waiting.each(func(index int) {
		t := &r.threads[index]
		t.know = know
		if !b.part {
			t.seen, t.clock = seen, seen
			t.tick()
		}
	})
	clear(b.waiting)
	b.part = false
}

// each calls f with the number of each thread.
func (s threadSet) each(f func(index int)) {
	for w, m := range s {
		for ; m != 0; m &= m - 1 {
			f(32*w + bits.TrailingZeros32(m))
		}
	}
}

// raceMeet is told of lanes that come to bar.warp.sync with the member masks in o.a.
func raceMeet(w *warp, o *op) {
	r := w.race()
	if r == nil {
		return
	}
	if r.groups[w.index] == nil {
		r.groups[w.index] = map[uint32]uint32{}
	}
	each(w.mask, func(i int) { r.groups[w.index][w.r32[o.a][i]] |= 1 << i })
}

// raceMet is told of lanes that go on from there.
func raceMet(w *warp, o *op) {
	r := w.race()
	if r == nil {
		return
	}
	each(w.mask, func(i int) {
		if member := w.r32[o.a][i]; r.groups[w.index][member]>>i&1 != 0 {
			r.met(w.index, r.groups[w.index][member])
			delete(r.groups[w.index], member)
		}
	})
}

// met orders what lanes of a warp did before what they will do.
func (r *blockRace) met(warp int, lanes uint32) {
	var row [32]uint32
	var know *knowledge
	seen := uint32(0)
	threads := r.threads[32*warp:][:32]
	each(lanes, func(i int) {
		t := &threads[i]
		for j, c := range t.row {
			row[j] = max(row[j], c)
		}
		row[i] = max(row[i], t.clock)
		seen = max(seen, t.seen)
		know = know.with(t.know)
	})
	each(lanes, func(i int) {
		t := &threads[i]
		t.row, t.seen, t.know = row, seen, know
		t.tick()
	})
}

// raceFence is told of a fence; o.b is 1 for one within the block.
func raceFence(w *warp, o *op) {
	if r := w.race(); r != nil {
		each(w.mask, func(i int) { r.fence(32*w.index+i, o.b != 0) })
	}
}
