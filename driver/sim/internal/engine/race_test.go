package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A model knows exactly what comes before what: for each thread the set of all accesses that do.
type model struct {
	threads map[int]*modelThread
	near    map[uint64]events // released at an address, by the block and the address
	wide    map[uint64]events
	bytes   map[uint64]*modelByte
	all     []modelAccess
}

// events are a set of accesses by their numbers.
type events [8]uint64

func event(i int) (e events) {
	e[i/64] = 1 << (i % 64)
	return e
}

func (e events) has(i int) bool { return e[i/64]>>(i%64)&1 != 0 }

func (e events) with(other events) events {
	for i := range e {
		e[i] |= other[i]
	}
	return e
}

type modelThread struct {
	known, pending, pendingNear, fenced, fencedNear events
	hasFenced, hasNear                              bool

	// A release that is done again at once, with nothing in between, counts as the same access.
	again uint64 // its address, 0: none
	last  int
}

type modelAccess struct {
	thread int
	how    uint8
}

type modelByte struct {
	write, strong int // -1 for none
	reads         []int
}

func newModel() *model {
	return &model{threads: map[int]*modelThread{}, near: map[uint64]events{}, wide: map[uint64]events{}, bytes: map[uint64]*modelByte{}}
}

func (m *model) thread(t int) *modelThread {
	if m.threads[t] == nil {
		m.threads[t] = &modelThread{}
	}
	return m.threads[t]
}

// modelThreads is how many threads a block has.
const modelThreads = 64

// access reports whether one races.
func (m *model) access(t int, u *raceUse, addr uint64) bool {
	x, e := m.thread(t), len(m.all)
	block := uint64(t / modelThreads)
	shared := u.space == ptx.SpaceShared
	word := addr | pick[uint64](shared, 1<<40|block<<41, 0)
	near := word | block<<50
	if releases := u.how != weak && u.kind&writes != 0 && (u.release || x.hasNear); releases && x.again == word && m.all[x.last].how == u.how && !u.release {
		e = x.last
	} else {
		m.all = append(m.all, modelAccess{t, u.how})
		x.again, x.last = pick(releases, word, 0), e
	}
	if u.how != weak {
		if u.kind == updates && u.acquire {
			if x.known = x.known.with(m.near[near]); !u.near {
				x.known = x.known.with(m.wide[word])
			}
		}
		if u.kind&writes != 0 {
			if u.release {
				x.fencedNear, x.hasNear = x.known, true
				if !u.near {
					x.fenced, x.hasFenced = x.known, true
				}
			}
			if x.hasNear {
				m.near[near] = m.near[near].with(x.fencedNear).with(event(e))
				if x.hasFenced && !shared && !u.near {
					m.wide[word] = m.wide[word].with(x.fenced).with(event(e))
				}
			}
		}
	}
	races := func(i int) bool {
		if i < 0 || m.all[i].thread == t || x.known.has(i) {
			return false
		}
		o := m.all[i]
		lockstep := shared && o.how&u.how&volatile != 0 && o.thread/32 == t/32
		return o.how&u.how&strong == 0 || lockstep
	}
	for k := range u.size {
		b := m.bytes[word+k]
		if b == nil {
			b = &modelByte{write: -1, strong: -1}
			m.bytes[word+k] = b
		}
		bad := races(b.write) || races(b.strong)
		if u.kind != reads {
			for _, i := range b.reads {
				bad = bad || races(i)
			}
		}
		if bad {
			x.known = x.known.with(event(e))
			return true
		}
		switch {
		case u.kind == reads:
			b.reads = append(b.reads, e)
		case u.how != weak:
			b.strong = e
		default:
			*b = modelByte{write: e, strong: -1}
		}
	}
	if u.how != weak && u.kind == reads {
		far := m.near[near]
		if !u.near {
			far = far.with(m.wide[word])
		}
		if u.acquire {
			x.known = x.known.with(far)
		} else {
			x.pendingNear, x.pending = x.pendingNear.with(m.near[near]), x.pending.with(far)
		}
	}
	x.known = x.known.with(event(e))
	return false
}

func (m *model) settle(t int, near bool) {
	x := m.thread(t)
	x.again = 0
	x.known = x.known.with(x.pendingNear)
	if !near {
		x.known, x.pending = x.known.with(x.pending), events{}
	}
	x.pendingNear = events{}
}

func (m *model) fence(t int, near bool) {
	m.settle(t, near)
	x := m.thread(t)
	x.fencedNear, x.hasNear = x.known, true
	if !near {
		x.fenced, x.hasFenced = x.known, true
	}
}

// meet orders what threads did before what they will do.
func (m *model) meet(threads []int) {
	all := events{}
	for _, t := range threads {
		all = all.with(m.thread(t).known)
	}
	for _, t := range threads {
		m.thread(t).known, m.thread(t).again = all, 0
	}
}

// TestRaceModel has random accesses, fences and barriers of a few threads of two blocks, in which the detector must find what the model does.
func TestRaceModel(t *testing.T) {
	lanes := []int{0, 1, 5, 31, 32, 63} // of a block: of both its warps
	found, none := 0, 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := newModel()
		g := &grid{launch: &Launch{Block: [3]uint32{modelThreads, 1, 1}}}
		g.race = newRaceGrid(g.launch)
		var blocks []*blockRace
		for n := range uint64(2) {
			b := &block{grid: g, number: n, warps: make([]*warp, 2), threads: modelThreads}
			x := &blockRace{}
			x.begin(b)
			blocks = append(blocks, x)
		}
		racy := r.IntN(4) == 0 // else mostly strong accesses
		for step := range 400 {
			n := r.IntN(2)
			b, lane := blocks[n], lanes[r.IntN(len(lanes))]
			thread := n*modelThreads + lane
			switch k := r.IntN(40); {
			case k == 0:
				all := threadSet{}.with(0, full).with(1, full)
				var threads []int
				for i := range modelThreads {
					threads = append(threads, n*modelThreads+i)
					m.settle(n*modelThreads+i, false)
				}
				m.meet(threads)
				bar := &b.barriers[0]
				bar.waiting = all
				b.complete(bar)
			case k < 3: // some of the block, by a barrier or of a warp
				mask, w := r.Uint32()|1<<(lane%32), lane/32
				var threads []int
				each(mask, func(i int) { threads = append(threads, n*modelThreads+32*w+i) })
				if k == 1 {
					m.meet(threads)
					b.met(w, mask)
					continue
				}
				for _, i := range threads {
					m.settle(i, false)
				}
				m.meet(threads)
				bar := &b.barriers[1]
				bar.waiting, bar.part = threadSet{}.with(w, mask), true
				b.complete(bar)
			case k < 7:
				near := r.IntN(2) == 0
				m.fence(thread, near)
				b.fence(lane, near)
			default:
				u := &raceUse{kind: []refKind{reads, writes, updates}[r.IntN(3)], near: r.IntN(4) == 0, size: pick[uint64](r.IntN(30) == 0, 1, 4), space: ptx.SpaceGlobal}
				if r.IntN(2) == 0 {
					u.space = ptx.SpaceShared
				}
				addr := uint64(0x1000 + 4*r.IntN(5))
				if u.how = strong; u.kind != updates && (racy && r.IntN(3) == 0 || addr == 0x1000) { // reads of an address are all of a kind
					u.how = weak
				}
				if u.kind == reads {
					u.how = pick[uint8](addr%8 == 0, weak, strong)
				}
				if u.how == strong && u.kind != updates && addr == 0x100c {
					u.how |= volatile
				}
				u.acquire, u.release = u.how == strong && u.kind&reads != 0 && r.IntN(2) == 0, u.how == strong && u.kind&writes != 0 && r.IntN(3) == 0
				want := m.access(thread, u, addr)
				_, got := b.access(lane, u, u.space, addr)
				require.Equal(t, want, got, "seed %d, step %d: thread %d, %+v at %#x", seed, step, thread, u, addr)
				if found++; !got {
					found--
					none++
				}
			}
		}
	}
	t.Logf("%d races, %d accesses that are none", found, none)
	assert.Greater(t, found, 1000)
	assert.Greater(t, none, 1000)
}

// TestReaderSet compares a set with a map, in random order.
func TestReaderSet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		var s readerSet
		want := map[uint64]epoch{}
		for range 300 {
			thread, clock := uint64(r.IntN(40)), uint32(1+r.IntN(3))
			if old, ok := want[thread]; ok && clock < old.clock() {
				clock = old.clock() // clocks go on
			}
			e := newEpoch(thread, clock, weak)
			s = s.insert(e, uint16(clock))
			want[thread] = e
			got := map[uint64]epoch{}
			for i, x := range s {
				require.True(t, x.n > 0 && (i == 0 || s[i-1].first.thread()+uint64(s[i-1].n) <= x.first.thread()), "%v", s)
				for k := range uint64(x.n) {
					got[x.first.thread()+k] = x.first + epoch(k<<32)
				}
			}
			require.Equal(t, want, got)
		}
		for thread := range uint64(40) { // all at one clock are one run
			s = s.insert(newEpoch(thread, 9, weak), 9)
		}
		require.Len(t, s, 1)
	}
}

// TestChannelForgets has more releases than are kept: what is forgotten counts as there from the beginning on, so that nothing that is ordered is reported.
func TestChannelForgets(t *testing.T) {
	c := newChannel()
	for i := range uint32(200) {
		c.release(&released{thread: 7, clock: 2*i + 1}, 2*i+2)
		for n := 1; n <= c.n; n++ {
			require.True(t, c.covers(n, 7, 0, uint32(2*n-1)), "%d of %d", n, c.n)
		}
		require.True(t, c.covers(c.n, 7, 0, 2*i+2))
		require.False(t, c.covers(c.n, 7, 0, 2*i+3))
		require.False(t, c.covers(c.n, 8, 0, 1))
		require.LessOrEqual(t, len(c.threads[7]), stampsKept)
	}
}
