package engine

import (
	"fmt"
	"math/bits"

	"github.com/purecuda/purecuda/abi/ptx"
)

// The race detector. Two accesses to the same byte race if different threads do them, at least one writes, not both are strong (atomic, volatile,
// or with an order: .relaxed, .acquire, .release), and nothing orders them. They race though both write the same value.
//
// What is ordered is tracked as in FastTrack (Flanagan, Freund: FastTrack: Efficient and Precise Dynamic Race Detection, PLDI 2009): a
// thread has a clock, an access is an epoch (the thread and its clock then), memory remembers the epoch of the last write and those of the
// reads since (racecell.go), and a thread knows for each other thread the clock up to which all comes before (racethread.go). Full vector clocks
// would be as long as the grid; here a thread knows
//
//   - of its block one number for all, which barriers raise (racebarrier.go),
//   - of the lanes of its warp a number each, which bar.warp.sync raises,
//   - of the rest, what threads have released in channels and it has acquired from them (racechannel.go).
//
// Lockstep orders nothing, as on sm_70 and later, nor do shfl, vote, match and redux, which the manual says are no fences. Volatile accesses
// of lanes of one warp to shared memory count as weak: code that relies on lockstep writes them.
//
// What orders across threads: bar, barrier, barrier.cluster and bar.warp.sync; mbarriers; and memory itself, where one thread writes by
// a strong operation after a fence (or with .release) and the other reads that word by a strong operation before a fence (or with .acquire).
// A fence of .cta only counts within the block. On the reading side code often goes without a fence and works, so an atomic operation that
// returns a value acquires by itself, and a barrier ends what a volatile load has begun. On the writing side a fence is asked for: a spin lock
// that is given back without __threadfence is reported.
//
// The detector sees the order that things happened in, in one run. It finds what this order doesn't hide: an access that was ordered by
// luck, through a lock that changed hands in that direction, is not reported.
//
// Its memory is 8 bytes for each byte that is accessed in words, 32 where single bytes are.

// An epoch is a thread of the launch, its clock, and how it accessed memory. 0 is none: clocks begin at 1.
type epoch uint64

const (
	clockLimit = 1<<24 - 1

	weak     = 0
	strong   = 1 // atomic, volatile, or with an order
	volatile = 2 // besides: strong only against other warps, in shared memory
)

func newEpoch(thread uint64, clock uint32, how uint8) epoch {
	return epoch(thread<<32 | uint64(clock)<<8 | uint64(how))
}

func (e epoch) thread() uint64 { return uint64(e >> 32) }
func (e epoch) clock() uint32  { return uint32(e) >> 8 }
func (e epoch) how() uint8     { return uint8(e) }

// A raceGrid is what the detector knows of a launch. One goroutine runs its blocks.
type raceGrid struct {
	threads  uint64 // of a block
	memory   shadowMemory
	channels map[uint64]*channel // of global memory by address, for all blocks
}

// A blockRace is what it knows of a block that runs.
type blockRace struct {
	grid     *raceGrid
	number   uint64 // of the block
	first    uint64 // the number of its first thread in the launch
	threads  []raceThread
	memory   shadowMemory        // shared
	channels map[uint64]*channel // by generic address, for threads of the block
	barriers [atCluster + 1]raceBarrier
	groups   []map[uint32]uint32 // of a warp: by member mask, the lanes that have come
}

func newRaceGrid(l *Launch) *raceGrid {
	return &raceGrid{threads: uint64(l.Block[0] * l.Block[1] * l.Block[2]), channels: map[uint64]*channel{}}
}

// begin readies it for a block.
func (r *blockRace) begin(b *block) {
	r.grid, r.number = b.grid.race, b.number
	r.first = r.number * r.grid.threads
	if len(r.threads) != 32*len(b.warps) {
		r.threads = make([]raceThread, 32*len(b.warps))
		r.groups = make([]map[uint32]uint32, len(b.warps))
	}
	clear(r.threads)
	for i := range r.threads {
		r.threads[i].clock = 1
	}
	clear(r.groups)
	r.channels = map[uint64]*channel{}
	r.barriers = [atCluster + 1]raceBarrier{}
	r.memory.reset()
}

// A raceUse is what an operation that watches an access knows of it.
type raceUse struct {
	space   ptx.Space // "" is generic
	kind    refKind
	how     uint8
	acquire bool
	release bool
	near    bool // at the scope of the block
	site    uint16
	size    uint64
}

// A site is an access in a program's text, to name the other one of a race. The first of a program's list stands for those that are too many.
type site struct {
	fn   *function
	inst int32
}

// raceAccess watches an access of the running lanes.
func raceAccess(w *warp, o *op) {
	watch := w.block.watch
	if watch == nil || watch.race == nil {
		return
	}
	r, u, as := watch.race, o.ext.(*raceUse), &w.r64[o.a]
	for m := w.addressed(o); m != 0 && !w.stop; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		addr := as[i] + uint64(o.imm)
		if s := w.spot(o, i, u.space, addr, u.size); s.space == ptx.SpaceShared || s.space == ptx.SpaceGlobal {
			w.raceAt(r, o, i, u, s, addr)
		}
	}
}

// raceAt watches an access of a lane, and ends the launch where it races with another.
func (w *warp) raceAt(r *blockRace, o *op, lane int, u *raceUse, s spot, addr uint64) {
	if s.space == ptx.SpaceShared {
		addr = s.off
	}
	if c, bad := r.access(32*w.index+lane, u, s.space, addr); bad {
		w.fail(o, lane, Race, r.conflict(w, c, s, addr, u))
	}
}

// access is one of thread t of the block, and reports the other one where they race. addr is an address in its space.
func (r *blockRace) access(index int, u *raceUse, space ptx.Space, addr uint64) (conflict, bool) {
	t := &r.threads[index]
	memory, at := &r.grid.memory, addr
	if space == ptx.SpaceShared {
		memory, addr = &r.memory, sharedWindow+addr
	}
	if u.kind == updates && u.acquire {
		t.acquire(r.acquired(addr, space, u.near))
	}
	if u.how == weak || u.kind == reads || !r.release(index, u, addr, space) {
		t.access()
	}
	e := newEpoch(r.first+uint64(index), t.clock, u.how)
	if c, bad := r.touch(memory, at, u.size, index, e, u); bad {
		return c, true
	}
	if u.how != weak && u.kind == reads {
		if near, far := r.acquired(addr, space, true), r.acquired(addr, space, u.near); u.acquire {
			t.acquire(far)
		} else {
			t.pendingNear, t.pending = t.pendingNear.with(near), t.pending.with(far)
		}
	}
	return conflict{}, false
}

// A conflict is the other access of a race.
type conflict struct {
	by    epoch
	site  uint16
	wrote bool
}

// conflict describes a race.
func (r *blockRace) conflict(w *warp, c conflict, s spot, addr uint64, u *raceUse) string {
	l := w.block.grid.launch
	block, t := c.by.thread()/r.grid.threads, uint32(c.by.thread()%r.grid.threads)
	who := fmt.Sprintf("thread (%d,%d,%d)", t%l.Block[0], t/l.Block[0]%l.Block[1], t/(l.Block[0]*l.Block[1]))
	if block != r.number {
		x, y := uint64(l.Grid[0]), uint64(l.Grid[1])
		who += fmt.Sprintf(" of block (%d,%d,%d)", block%x, block/x%y, block/(x*y))
	}
	text := fmt.Sprintf("race: %s %s there", who, pick(c.wrote, "wrote", "read"))
	if at := l.Kernel.program.sites[c.site]; at.fn != nil {
		text += ", at " + l.Kernel.program.where(&at.fn.insts[at.inst])
	}
	return text + fmt.Sprintf(", and nothing orders the two: %d bytes at %s", u.size, w.describe(s, addr))
}
