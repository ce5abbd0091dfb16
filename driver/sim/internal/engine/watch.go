package engine

import "github.com/purecuda/purecuda/abi/ptx"

// A watcher adds to the operations of a function those of the detectors: a few in front of an instruction's own, or behind, under the same guard.
// A function that is loaded without them has none, so they cost nothing then.
//
//   - watchuse.go, watchcarry.go and shadow.go find the use of memory that nobody wrote,
//   - race.go and those that it names find races,
//   - count.go counts.
type watcher struct {
	d     *decoder
	uses  *uses // nil where nobody asks for uninitialised memory
	race  bool
	count bool
}

// watcher makes that of a function, nil where there is nothing to watch.
func (d *decoder) watcher() *watcher {
	c := d.l.config.Config
	if !c.watches() {
		return nil
	}
	v := &watcher{d: d, race: c.Check.Race, count: c.Count}
	if c.Check.Uninitialised {
		v.uses = newUses(d)
		d.emit(op{fn: freshFrame, inst: 0})
	}
	return v
}

// around decodes an instruction with what watches it.
func (v *watcher) around(in *ptx.Instruction) error {
	refs := references(in)
	if v.count {
		for _, r := range append(refs, copyReads(in)...) {
			if err := v.access(r); err != nil {
				return err
			}
		}
	}
	if v.uses != nil {
		if err := v.uses.before(in, refs); err != nil {
			return err
		}
	}
	if v.race {
		if err := v.raceBefore(in, refs); err != nil {
			return err
		}
	}
	if in.Opcode == "cp" && (v.race || v.uses != nil) {
		if err := v.copies(in); err != nil {
			return err
		}
	}
	if err := v.d.perform(in); err != nil {
		return err
	}
	if v.race {
		return v.raceAfter(in)
	}
	return nil
}

// A spot is where an address lies.
type spot struct {
	space   ptx.Space // shared, local or global; "" is nowhere that is looked at
	off     uint64    // in the block's shared memory, the lane's local memory or the allocation
	alloc   *Allocation
	written *written
}

// spot finds size bytes at an address in a space. What the operation itself will refuse is nowhere, and so is what is the same for all.
func (w *warp) spot(o *op, lane int, space ptx.Space, addr, size uint64) spot {
	if space == "" {
		space = ptx.SpaceGlobal
		switch {
		case addr-sharedWindow < windowSize:
			space, addr = ptx.SpaceShared, addr-sharedWindow
		case addr-localWindow < windowSize:
			space, addr = ptx.SpaceLocal, addr-localWindow
		case addr-paramWindow < windowSize:
			return spot{}
		}
	}
	if addr&(size-1) != 0 {
		return spot{}
	}
	watch := w.block.watch
	switch space {
	case ptx.SpaceShared:
		if n := uint64(len(w.block.shared.Data)); addr < n && n-addr >= size {
			return spot{space: space, off: addr, written: watch.shared}
		}
	case ptx.SpaceLocal:
		if top := uint64(w.act.local + w.act.fn.local); addr < top && top-addr >= size {
			return spot{space: space, off: addr, written: watch.local(w, lane)}
		}
	case ptx.SpaceGlobal:
		a := w.allocation(o)
		if off := addr - a.Base; off >= uint64(len(a.Data)) {
			if a = w.block.grid.launch.Kernel.program.memory.Find(addr); a == nil {
				return spot{}
			}
			w.found[o.slot] = a
		}
		if off := addr - a.Base; uint64(len(a.Data))-off >= size {
			return spot{space: space, off: off, alloc: a, written: a.written}
		}
	}
	return spot{}
}

// A warpWatch is what the detectors know of a warp.
type warpWatch struct {
	origins uint32   // how many there have been
	ring    []origin // the last ones
	copies  []watchedCopy
}

// A blockWatch is what the detectors know of a block that runs.
type blockWatch struct {
	shared *written
	locals []*written // of each thread; nil where nobody asks
	frames []*written // the same, kept from launch to launch
	counts *Counts    // nil where nobody asks
	race   *blockRace // nil where nobody asks
	races  *blockRace // the same, kept
}

// local is what a lane's local memory has been written; nil where nobody asks.
func (b *blockWatch) local(w *warp, lane int) *written {
	if b.locals == nil {
		return nil
	}
	return b.locals[32*w.index+lane]
}

// watched readies a block's detectors for a launch.
func (b *block) watched() {
	check := b.grid.config.Check
	if !b.grid.config.watches() {
		b.watch = nil
		return
	}
	if b.watch == nil {
		b.watch = &blockWatch{}
	}
	for _, w := range b.warps {
		w.watch.copies = w.watch.copies[:0]
	}
	b.watch.shared, b.watch.locals, b.watch.race, b.watch.counts = nil, nil, nil, nil
	if b.grid.config.Count {
		b.watch.counts = &Counts{}
	}
	if check.Uninitialised {
		b.watch.shared = newWritten(int64(len(b.shared.Data)))
		if b.watch.locals = b.watch.frames; b.watch.locals == nil {
			for range 32 * len(b.warps) {
				b.watch.locals = append(b.watch.locals, newWritten(0))
			}
			b.watch.frames = b.watch.locals
		}
	}
	if check.Race {
		if b.watch.race = b.watch.races; b.watch.race == nil {
			b.watch.races = &blockRace{}
			b.watch.race = b.watch.races
		}
		b.watch.race.begin(b)
	}
}
