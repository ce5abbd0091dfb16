package engine

import "fmt"

// A block is a thread block that runs on one goroutine at a time. Blocks are kept and used again: see worker.
type block struct {
	grid     *grid
	last     *grid // whose special registers it has
	index    [3]uint32
	number   uint64 // in the grid
	warps    []*warp
	live     int        // warps with a lane that has not ended
	alive    int        // threads that have not ended
	shared   Allocation // at 0 of its own space
	threads  int
	bars     [16]barrier
	arrivals int // threads that have arrived at the cluster's barrier
	bulk     []bulkCopy
	rng      rng
	watch    *blockWatch // nil without detectors
}

// newBlock makes a block for launches of one kernel with one block size.
func newBlock(k *Kernel, size [3]uint32) *block {
	b := &block{threads: int(size[0] * size[1] * size[2])}
	for i := range (b.threads + 31) / 32 {
		w := &warp{block: b, index: i}
		a := &activation{}
		k.fn.frame(a)
		w.root = a
		b.warps = append(b.warps, w)
	}
	return b
}

// blockIndex is %ctaid of the block of that number.
func blockIndex(l *Launch, number uint64) [3]uint32 {
	x, y := uint64(l.Grid[0]), uint64(l.Grid[1])
	return [3]uint32{uint32(number % x), uint32(number / x % y), uint32(number / (x * y))}
}

// begin makes b the block of that number in a grid.
func (b *block) begin(g *grid, number uint64) {
	l := g.launch
	again := b.last == g
	b.grid, b.last, b.number = g, g, number
	b.index = blockIndex(l, number)
	b.live, b.alive = len(b.warps), b.threads
	b.bars, b.arrivals, b.bulk = [16]barrier{}, 0, b.bulk[:0]
	if need := l.Kernel.SharedBytes + l.Shared; len(b.shared.Data) != need {
		b.shared.Data = alignedBytes(int64(need))
	} else {
		clear(b.shared.Data)
	}
	if g.config.Worst {
		b.rng = rng(g.config.Seed ^ number*0x9e3779b97f4a7c15)
	}
	b.watched()
	for _, w := range b.warps {
		w.begin(l, !again)
	}
}

// begin puts all threads of a warp at the kernel's first operation. first says that the launch is another than before.
func (w *warp) begin(l *Launch, first bool) {
	fn := l.Kernel.fn
	w.act = w.root // it may have ended in a call
	w.code, w.r32, w.r64, w.p = fn.code, w.act.r32, w.act.r64, w.act.p
	w.act.users = 1
	w.ready, w.parked = w.ready[:0], w.parked[:0]
	w.cluster, w.arrived = clusterState{}, [16]uint32{}
	w.async.begin()
	w.bulk.begin()
	w.turns, w.hold, w.fault, w.steps, w.ticks = 0, 0, nil, 0, 0
	if first {
		w.found = [8]*Allocation{}
	}
	n := min(32, w.block.threads-32*w.index)
	w.dead = full &^ uint32(1<<n-1)
	w.pc = 0
	w.setMask(^w.dead)
	w.special(w.act, first)
	w.reserve(fn.local)
}

// manyRounds is how often the warps take turns before the block has had its share, whatever they do: it may wait for another block by barriers.
const manyRounds = 4096

// run goes on until all warps have ended, each one waits, or the block has had its share. It reports whether the block is done.
func (b *block) run() (done bool) {
	for rounds := 0; b.live > 0; rounds++ {
		moved, long := false, rounds > manyRounds
		for i := range b.warps {
			w := b.warps[i]
			if b.grid.config.Worst {
				w = b.warps[b.rng.below(len(b.warps))]
			}
			if !w.runnable() {
				continue
			}
			moved = true
			w.run()
			if w.fault != nil {
				b.grid.fail(w.fault)
				return true
			}
			if limit := b.grid.config.MaxSteps; limit > 0 && w.steps > limit && w.dead != full {
				b.interrupt(w, fmt.Sprintf("more than %d steps", limit))
				return true
			}
			if w.dead == full {
				b.live--
			}
			long = long || w.fuel < 0
		}
		if b.grid.stopped() {
			b.halted()
			return true
		}
		if moved {
			if long {
				return false
			}
			continue
		}
		if b.grid.config.Worst && b.anyRunnable() {
			continue
		}
		b.deadlock()
		return true
	}
	return true
}

func (b *block) anyRunnable() bool {
	for _, w := range b.warps {
		if w.runnable() {
			return true
		}
	}
	return false
}

// faultAt describes a fault of a lane.
func (b *block) faultAt(w *warp, a *activation, o *op, lane int, kind FaultKind, detail string) *Fault {
	l := b.grid.launch
	t := uint32(32*w.index + lane)
	f := &Fault{Kind: kind, Kernel: l.Kernel.Name, Block: b.index, Detail: detail,
		Thread: [3]uint32{t % l.Block[0], t / l.Block[0] % l.Block[1], t / (l.Block[0] * l.Block[1])}}
	if o.inst >= 0 && int(o.inst) < len(a.fn.insts) {
		in, p := a.fn.insts[o.inst], l.Kernel.program
		f.Line, f.Form, f.Source, f.Inlined, f.Called = in.Line, in.Form(), p.place(in.loc), p.inlined(in.at), p.called(a)
	}
	return f
}
