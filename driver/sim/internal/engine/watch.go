package engine

import "github.com/purecuda/purecuda/abi/ptx"

// A watcher adds to the operations of a function those of the detectors: a few in front of an instruction's own, or behind, under the same guard.
// A function that is loaded without them has none, so they cost nothing then.
//
//   - watchuse.go, shadow.go and uninitialised.go find the use of memory that nobody wrote,
//   - race.go and those that it names find races.
type watcher struct {
	d    *decoder
	uses *uses // nil where nobody asks for uninitialised memory
	race bool
}

// watcher makes that of a function, nil where there is nothing to watch.
func (d *decoder) watcher() *watcher {
	check := d.l.config.Config.Check
	if check == (Check{}) {
		return nil
	}
	v := &watcher{d: d, race: check.Race}
	if check.Uninitialised {
		v.uses = newUses(d)
		d.emit(op{fn: freshFrame, inst: 0})
	}
	return v
}

// around decodes an instruction with what watches it.
func (v *watcher) around(in *ptx.Instruction) error {
	refs := references(in)
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
	if err := v.d.perform(in); err != nil {
		return err
	}
	if v.race {
		return v.raceAfter(in)
	}
	return nil
}

// A refKind is what an instruction does to memory.
type refKind uint8

const (
	reads   refKind = 1
	writes  refKind = 2
	updates refKind = reads | writes // both in one step
)

// A reference is memory that an instruction works on.
type reference struct {
	kind   refKind
	access access
	at     ptx.Operand   // the address
	data   []ptx.Operand // of a load: what it goes to; of a store: what it comes from; one for each element
	size   int           // of all elements, in bytes
}

// references lists the memory that an instruction works on, where races and unwritten bytes are looked for: not constants and
// parameters.
func references(in *ptx.Instruction) []reference {
	if in == nil {
		return nil
	}
	a, x := accessOf(in), in.Operands
	switch a.space {
	case ptx.SpaceConst, ptx.SpaceParam:
		return nil
	}
	r := reference{access: a, size: a.n * a.elem.Bytes()}
	switch in.Opcode {
	case "ld", "ldu":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at, r.data = reads, x[1], elements(x[0])
	case "st":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at, r.data = writes, x[0], elements(x[1])
	case "atom":
		if len(x) < 3 {
			return nil
		}
		r.kind, r.at = updates, x[1]
	case "red":
		if len(x) < 2 {
			return nil
		}
		r.kind, r.at = updates, x[0]
	default:
		return nil
	}
	if r.size == 0 || r.kind != updates && len(r.data) != a.n {
		return nil // the decoder refuses it
	}
	return []reference{r}
}

// elements are those of a vector, or the operand alone.
func elements(x ptx.Operand) []ptx.Operand {
	if v, ok := x.(*ptx.Vector); ok {
		return v.Elems
	}
	return []ptx.Operand{x}
}

// address makes an operation's fields for the address of a reference, off bytes on.
func (v *watcher) address(o op, r reference, off int64) (op, error) {
	at, err := v.d.address(r.at)
	if err != nil {
		return o, err
	}
	at = v.d.wide(at)
	o.a, o.imm, o.slot = at.base.slot, at.off+off, v.d.nextSlot()
	return o, nil
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
}

// A blockWatch is what the detectors know of a block that runs.
type blockWatch struct {
	shared *written
	locals []*written // of each thread; nil where nobody asks
	frames []*written // the same, kept from launch to launch
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
	if check == (Check{}) {
		b.watch = nil
		return
	}
	if b.watch == nil {
		b.watch = &blockWatch{}
	}
	b.watch.shared, b.watch.locals, b.watch.race = nil, nil, nil
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
