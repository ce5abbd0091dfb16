package rtc

import (
	"context"
	"math"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// An ordering is what the streams of a device have in common: the lock under
// which work is given to any of them, and what is to be known of all. As long as
// there is one stream nothing is tracked, since the stream itself keeps order.
type ordering struct {
	mu        sync.Mutex
	closings  uint64    // flags that were set, and one: see call.open
	several   bool      // there is more than one stream, and all work is tracked
	untracked mark      // all that the first stream was given before
	streams   []*Stream // that are open, the first one among them
	seats     int       // that streams have had at once
	vacant    []seat    // of streams that were closed
	needed    []needed  // by the piece of work that is being given; here lest it be allocated
	number    uint64    // of the device, by when it was opened: the lesser is locked first
	copies    *Stream   // for copies between a device and Go's memory, while there are several
	copying   int       // such copies that are under way
	copied    sync.Cond // one has ended, or a function of Do
}

// A mark is a place in a stream, behind its first n pieces of work. The zero
// mark is behind nothing.
type mark struct {
	s *Stream
	n uint64
}

// over reports whether all in front of the mark is known to be complete. The
// device's lock is held, here and below.
func (m mark) over() bool { return m.s == nil || m.n <= m.s.complete }

// ringSize is how many of its last pieces of work a stream has an event behind
// each. Who has to wait for an older one waits for the oldest of these.
const ringSize = 256

// A point is an event behind the n-th piece of work.
type point struct {
	ev   *driver.Event
	n    uint64
	knew []uint64 // what the stream knew then: see Stream.knows
	held *holding // by who waits for the event; nil as long as nobody did
	of   mark     // what the piece of work stands for on another device: see giveAcross
}

// next is the point that belongs behind the next piece of work.
func (s *Stream) next() (*point, error) {
	if s.ring == nil {
		s.ring = make([]point, ringSize)
	}
	p := &s.ring[(s.enqueued+1)%ringSize]
	if p.held != nil && p.held.users > 0 {
		p.held.left = true
		p.ev, p.held = nil, nil
	}
	if n := len(s.events); p.ev == nil && n > 0 {
		p.ev, s.events = s.events[n-1], s.events[:n-1]
	}
	if p.ev == nil {
		ev, err := s.dev.ctx.NewEvent(driver.EventConfig{})
		if err != nil {
			return nil, err
		}
		p.ev = ev
	}
	p.n, p.of = 0, mark{} // until the event has been recorded anew
	return p, nil
}

// reached is an event that happens when n pieces of work are complete, and how
// many are complete then.
func (s *Stream) reached(n uint64) (*point, error) {
	if s.ring != nil {
		if p := &s.ring[n%ringSize]; p.n >= n {
			return p, nil
		}
	}
	// It was given before there were several streams, or past this package.
	p, err := s.next()
	if err != nil {
		return nil, err
	}
	s.enqueued++
	return p, s.record(p)
}

// An access is what is under way with a piece of memory. What has been over for
// long may still be noted.
type access struct {
	written mark
	read    []mark // since, one for each stream

	out, in int // copies to Go's memory, and from there, that are under way
}

// busy reports whether a copy from or to Go's memory is in the way of an access.
func (a *access) busy(write bool) bool { return a.in > 0 || write && a.out > 0 }

// note notes that the piece of work that s was given last is an access.
func (a *access) note(s *Stream, write bool) {
	m := mark{s, s.enqueued}
	if write {
		a.written, a.read = m, a.read[:0]
		return
	}
	for i := range a.read {
		if a.read[i].s == s || a.read[i].over() {
			a.read[i] = m
			return
		}
	}
	a.read = append(a.read, m)
}

// marks are those of all that is under way with the memory, of the writing alone
// for who reads.
func (a *access) marks(write bool) []mark {
	var all []mark
	if !a.written.over() {
		all = append(all, a.written)
	}
	if write {
		for _, m := range a.read {
			if !m.over() {
				all = append(all, m)
			}
		}
	}
	return all
}

// wait waits until what is in front of the mark is complete, or ctx is done. The
// lock is not held.
func (m mark) wait(ctx context.Context) error {
	if m.s == nil {
		return nil
	}
	s := m.s
	s.dev.order.mu.Lock()
	if m.over() {
		s.dev.order.mu.Unlock()
		return nil
	}
	p, err := s.reached(m.n)
	if err != nil {
		s.dev.order.mu.Unlock()
		return err
	}
	if p.held == nil {
		p.held = &holding{}
	}
	p.held.users++
	w := wait{ev: p.ev, n: p.n, s: s, held: p.held}
	s.dev.order.mu.Unlock()
	return s.dev.waiter.wait(ctx, w)
}

// finished: a stream that is closed has completed everything.
const finished = math.MaxUint64
