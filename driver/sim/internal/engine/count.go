package engine

import (
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// counted emits what counts an instruction, outside its guard.
func (v *watcher) counted(in *ptx.Instruction) error {
	d := v.d
	o := op{fn: countInstruction, b: int32(class(in)), guard: -1}
	if in.Pred != nil {
		r, err := d.register(in.Pred.Reg, "")
		if err != nil {
			return err
		}
		if o.guard = r.slot; in.Pred.Negated {
			o.not = full
		}
	}
	d.emit(o)
	switch {
	case in.Opcode == "bra" && in.Pred != nil:
		o.fn = countBranch
		d.emit(o)
	case in.Opcode == "brx" && len(in.Operands) > 0:
		r, err := d.source(in.Operands[0], "u32")
		d.emit(op{fn: countIndex, a: r.slot})
		return err
	case in.Opcode == "call":
		d.emit(op{fn: countCall})
		if c, ok := in.Call(); ok {
			if _, direct := c.Target.(*ptx.Symbol); !direct {
				r, err := d.source(c.Target, "b64")
				d.emit(op{fn: countPointer, a: r.slot})
				return err
			}
		}
	}
	return nil
}

// access emits what counts an access, under its instruction's guard.
func (v *watcher) access(r reference) error {
	if r.access.space == ptx.SpaceLocal {
		return nil
	}
	o, err := v.address(op{fn: countAccess, b: int32(r.kind), size: uint8(r.size), ext: &memoryUse{space: r.access.space}}, r, 0)
	if err == nil {
		v.d.emit(o)
	}
	return err
}

// counts are those of the warp's block, nil where nobody asks.
func (w *warp) counts() *Counts {
	if w.block.watch == nil {
		return nil
	}
	return w.block.watch.counts
}

func countInstruction(w *warp, o *op) {
	c := w.counts()
	if c == nil {
		return
	}
	on := w.mask
	if o.guard >= 0 {
		on &= w.p[o.guard] ^ o.not
	}
	c.Classes[o.b].add(Instructions{1, uint64(bits.OnesCount32(w.mask)), uint64(bits.OnesCount32(on))})
}

func (w *warp) branched(uniform bool) {
	if c := w.counts(); c != nil {
		c.Branches++
		if uniform {
			c.Uniform++
		}
	}
}

func countBranch(w *warp, o *op) {
	taken := w.mask & (w.p[o.guard] ^ o.not)
	w.branched(taken == 0 || taken == w.mask)
}

func countIndex(w *warp, o *op) {
	_, same := w.uniform(&w.r32[o.a])
	w.branched(same)
}

func countPointer(w *warp, o *op) {
	as := &w.r64[o.a]
	first, same := as[bits.TrailingZeros32(w.mask)&31], true
	each(w.mask, func(i int) { same = same && as[i] == first })
	w.branched(same)
}

func countCall(w *warp, o *op) {
	if c := w.counts(); c != nil {
		c.Calls++
	}
}

// countAccess counts a request of the running lanes, in each space that their addresses lie in.
func countAccess(w *warp, o *op) {
	c, as := w.counts(), &w.r64[o.a]
	if c == nil {
		return
	}
	var global, shared [32]uint64
	var inGlobal, inShared uint32
	size := uint64(o.size)
	each(w.addressed(o), func(i int) {
		addr := as[i] + uint64(o.imm)
		switch s := w.spot(o, i, o.ext.(*memoryUse).space, addr, size); s.space {
		case ptx.SpaceGlobal:
			global[i], inGlobal = addr, inGlobal|1<<i
		case ptx.SpaceShared:
			shared[i], inShared = s.off, inShared|1<<i
		}
	})
	if inGlobal != 0 {
		r := map[refKind]*Requests{reads: &c.GlobalLoads, writes: &c.GlobalStores, updates: &c.GlobalAtomics}[refKind(o.b)]
		r.add(Requests{1, sectors(&global, inGlobal, size)})
	}
	if inShared != 0 && refKind(o.b) != updates {
		r := pick(refKind(o.b) == reads, &c.SharedLoads, &c.SharedStores)
		passes, least := passes(&shared, inShared, size)
		r.add(Wavefronts{1, passes, passes - least})
	}
}

// sectors counts the different 32 bytes among lanes' accesses.
func sectors(addrs *[32]uint64, lanes uint32, size uint64) uint64 {
	var seen [64]uint64
	return uint64(distinct(&seen, addrs, lanes, size, 5))
}

// distinct lists the different addresses, shifted, of the bytes that lanes access, and says how many there are.
func distinct(seen *[64]uint64, addrs *[32]uint64, lanes uint32, size uint64, shift int) (n int) {
	each(lanes, func(i int) {
	next:
		for s, end := addrs[i]>>shift, (addrs[i]+size-1)>>shift; s <= end; s++ {
			for k := n - 1; k >= 0; k-- { // mostly it is the last one
				if seen[k] == s {
					continue next
				}
			}
			seen[n] = s
			n++
		}
	})
	return n
}

// passes is how often the banks of shared memory work for lanes' accesses, and how often they would without conflicts.
func passes(addrs *[32]uint64, lanes uint32, size uint64) (n, least uint64) {
	group := 32 / max(int(size)/4, 1) // lanes that are served at a time: 128 bytes
	for first := 0; first < 32; first += group {
		some := lanes & (uint32(1<<group-1) << first)
		if some == 0 {
			continue
		}
		var words [64]uint64
		var bank [32]uint64
		most := uint64(0)
		for _, word := range words[:distinct(&words, addrs, some, size, 2)] {
			bank[word&31]++
			most = max(most, bank[word&31])
		}
		n += most
		least++
	}
	return n, least
}
