package engine

import (
	"maps"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A channel is a place where threads release what they did, for others to acquire: a word of memory, or a barrier that not the whole
// block takes part in. Who acquires knows what was released until then.
type channel struct {
	n       int                // releases so far
	threads map[uint64][]stamp // by the thread whose accesses they are of
	blocks  map[uint64][]stamp // by the block all of whose threads they are of
	know    *knowledge         // what those who released knew of other channels
	view    *knowledge         // all of it, for who acquires now; nil where there is something new
}

// A stamp says that accesses up to a clock, and those at another one, were released.
type stamp struct {
	n         int // by the n-th release
	clock, op uint32
}

// stampsKept is how many are kept of a thread. Those that go count as if they had been there from the beginning on.
const stampsKept = 64

func newChannel() *channel {
	return &channel{threads: map[uint64][]stamp{}, blocks: map[uint64][]stamp{}}
}

// release adds what a thread released. op is the clock of the access that did it, 0 where it was none.
func (c *channel) release(s *released, op uint32) {
	if have := c.threads[s.thread]; len(have) > 0 {
		if last := have[len(have)-1]; last.clock == s.clock && last.op == op {
			return // again, in a loop that waits
		}
	}
	c.n++
	c.view = nil
	add(c.threads, s.thread, stamp{c.n, s.clock, op})
	if s.seen > 0 && upTo(c.blocks[s.block], c.n) < s.seen {
		add(c.blocks, s.block, stamp{c.n, s.seen, 0})
	}
	if s.row != nil {
		for i, clock := range s.row {
			if u := s.warp + uint64(i); clock > s.seen && u != s.thread && upTo(c.threads[u], c.n) < clock {
				add(c.threads, u, stamp{c.n, clock, 0})
			}
		}
	}
	c.know = c.know.with(s.know)
}

func add(m map[uint64][]stamp, key uint64, s stamp) {
	list := m[key]
	if len(list) == stampsKept {
		list[stampsKept/2].n = list[0].n
		list = append(list[:0], list[stampsKept/2:]...)
	}
	m[key] = append(list, s)
}

// last is the newest stamp of the first n releases.
func last(list []stamp, n int) stamp {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].n <= n {
			return list[i]
		}
	}
	return stamp{}
}

// upTo is the clock up to which the first n releases cover all.
func upTo(list []stamp, n int) uint32 { return last(list, n).clock }

// covers reports whether the first n releases have an access of a thread.
func (c *channel) covers(n int, thread, block uint64, clock uint32) bool {
	if clock <= upTo(c.blocks[block], n) {
		return true
	}
	list := c.threads[thread]
	for i := len(list) - 1; i >= 0; i-- {
		if s := list[i]; s.n <= n && (clock <= s.clock || clock == s.op) {
			return true
		}
	}
	return false
}

// replaces reports whether c has all that other has.
func (c *channel) replaces(other *channel) bool {
	for t, list := range other.threads {
		if last(c.threads[t], c.n).clock < list[len(list)-1].clock {
			return false
		}
	}
	for b, list := range other.blocks {
		if last(c.blocks[b], c.n).clock < list[len(list)-1].clock {
			return false
		}
	}
	return true
}

// acquired is what who acquires now gets to know.
func (c *channel) acquired() *knowledge {
	if c == nil || c.n == 0 {
		return nil
	}
	if c.view == nil {
		c.view = c.know.with(&knowledge{map[*channel]int{c: c.n}})
	}
	return c.view
}

// knowledge is what a thread has acquired: the first n releases of channels. It is shared, and so not changed once it is made. nil is none.
type knowledge struct{ at map[*channel]int }

// with is both.
func (k *knowledge) with(other *knowledge) *knowledge {
	switch {
	case other == nil || k == other || k.includes(other):
		return k
	case k == nil || other.includes(k):
		return other
	}
	both := make(map[*channel]int, len(k.at)+len(other.at))
	for c, n := range k.at {
		both[c] = n
	}
	for c, n := range other.at {
		both[c] = max(both[c], n)
	}
	return &knowledge{both}
}

// without is what is known but for a channel.
func (k *knowledge) without(c *channel) *knowledge {
	if k == nil || k.at[c] == 0 {
		return k
	}
	rest := maps.Clone(k.at)
	delete(rest, c)
	return &knowledge{rest}
}

func (k *knowledge) includes(other *knowledge) bool {
	if k == nil || len(k.at) < len(other.at) {
		return false
	}
	for c, n := range other.at {
		if k.at[c] < n {
			return false
		}
	}
	return true
}

// acquired is what a strong operation at an address can get to know: from the block's threads, and unless it is near from all.
func (r *blockRace) acquired(addr uint64, space ptx.Space, near bool) *knowledge {
	k := r.channels[addr].acquired()
	if !near && space == ptx.SpaceGlobal {
		k = k.with(r.grid.channels[addr].acquired())
	}
	return k
}

// release is told that a thread writes by a strong operation, and reports whether that releases something.
func (r *blockRace) release(index int, u *raceUse, addr uint64, space ptx.Space) bool {
	t := &r.threads[index]
	if u.release {
		r.beginRelease(index, u.near)
	}
	if t.fencedNear == nil {
		return false
	}
	if t.accessed || t.wrote && (t.at != addr || t.how != u.how) {
		t.tick()
	}
	t.wrote, t.at, t.how = true, addr, u.how
	channelAt(r.channels, addr).release(t.fencedNear, t.clock)
	if space == ptx.SpaceGlobal && !u.near && t.fenced != nil {
		channelAt(r.grid.channels, addr).release(t.fenced, t.clock)
	}
	return true
}

// channelAt is the channel of that key.
func channelAt(m map[uint64]*channel, key uint64) *channel {
	c := m[key]
	if c == nil {
		c = newChannel()
		m[key] = c
	}
	return c
}
