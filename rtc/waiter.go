package rtc

import (
	"context"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A waiter waits for events of one stream on behalf of callers whose context
// may end first. A blocked wait holds an OS thread; all these share one, which
// there is only while somebody waits. The queue has the events in the order in
// which they happen, and what happens before the one that is being waited for
// has a goroutine of its own, so nobody waits longer than for his own.
type waiter struct {
	stream *Stream
	mu     sync.Mutex
	queue  []wait
	active bool
	at     uint64 // behind how many pieces of work the event is that is being waited for
}

// A wait is for an event that was recorded behind n pieces of work.
type wait struct {
	ev     *driver.Event
	n      uint64
	shared bool       // the event belongs behind the stream's work, for all who ask
	done   chan error // where the stream's waiter tells; nil without it
	s      *Stream    // with done
}

// add takes over next and its event.
func (w *waiter) add(next *wait) {
	next.done, next.s = make(chan error, 1), w.stream
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.active && next.n < w.at {
		go func(early wait) { early.done <- w.stream.waitEvent(early) }(*next)
		return
	}
	i := len(w.queue)
	for i > 0 && w.queue[i-1].n > next.n {
		i--
	}
	w.queue = slices.Insert(w.queue, i, *next)
	if !w.active {
		w.active = true
		go w.run()
	}
}

// wait returns when the event has happened or ctx has ended; what was added is
// the waiter's either way.
func (w wait) wait(ctx context.Context) error {
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		w.s.dev.left.Store(true)
		return ended(ctx)
	}
}

func (w *waiter) run() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.active, w.queue, w.at = false, nil, 0
			w.mu.Unlock()
			return
		}
		next := w.queue[0]
		w.queue[0] = wait{}
		w.queue = w.queue[1:]
		w.at = next.n
		w.mu.Unlock()
		next.done <- w.stream.waitEvent(next)
	}
}

// await waits until what [call.start] started has finished or ctx has ended.
func (d *Device) await(ctx context.Context, w wait) error {
	var err error
	if w.done != nil {
		err = w.wait(ctx)
	} else {
		err = d.stream.waitEvent(w)
	}
	d.collect(false)
	return err
}

// waitEvent waits on this thread and gives the event back to the pool.
func (s *Stream) waitEvent(w wait) error {
	err := w.ev.Synchronize()
	if err != nil {
		w.n = 0 // nothing is known to be complete
	}
	s.dev.order.mu.Lock()
	s.complete = max(s.complete, w.n)
	if !w.shared {
		s.giveEvent(w.ev)
	}
	s.dev.order.mu.Unlock()
	return err
}

// takeEvent is an event that nobody uses. They are kept for reuse: at most as
// many exist as were ever waited for at once. The device's lock is held, and
// given up while a new one is made.
func (s *Stream) takeEvent() (*driver.Event, error) {
	if n := len(s.events); n > 0 {
		ev := s.events[n-1]
		s.events = s.events[:n-1]
		return ev, nil
	}
	s.dev.order.mu.Unlock()
	defer s.dev.order.mu.Lock()
	return s.dev.ctx.NewEvent(driver.EventConfig{})
}

// giveEvent takes an event back; the device's lock is held.
func (s *Stream) giveEvent(ev *driver.Event) {
	if s.closed {
		_ = ev.Close() // the stream's Close has gone by
		return
	}
	s.events = append(s.events, ev)
}
