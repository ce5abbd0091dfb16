package rtc

import (
	"context"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A waiter waits for events of one stream on behalf of callers whose context
// may end first. A blocked wait holds an OS thread; all these share one, which
// there is only while somebody waits. The queue has the events in the order in
// which they were recorded, and events of a stream happen in that order, so
// nobody waits longer than for his own.
type waiter struct {
	stream *Stream
	mu     sync.Mutex
	queue  []*wait
	active bool
}

// A wait is for an event that was recorded behind n pieces of work.
type wait struct {
	ev   *driver.Event
	n    uint64
	done chan error
}

func newWait(ev *driver.Event) *wait { return &wait{ev: ev, done: make(chan error, 1)} }

// add takes over w and its event. The stream's lock is held since it was
// recorded.
func (w *waiter) add(next *wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue = append(w.queue, next)
	if !w.active {
		w.active = true
		go w.run()
	}
}

// wait returns when the event has happened or ctx has ended; what was added is
// the waiter's either way.
func (w *wait) wait(ctx context.Context) error {
	select {
	case err := <-w.done:
		return err
	case <-ctx.Done():
		return ended(ctx)
	}
}

func (w *waiter) run() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.active, w.queue = false, nil
			w.mu.Unlock()
			return
		}
		next := w.queue[0]
		w.queue[0] = nil
		w.queue = w.queue[1:]
		w.mu.Unlock()
		next.done <- w.stream.waitEvent(next.ev, next.n)
	}
}

// waitEvent waits for ev on this thread and gives it back to the pool.
func (s *Stream) waitEvent(ev *driver.Event, n uint64) error {
	err := ev.Synchronize()
	s.events.put(ev)
	if err != nil {
		return err
	}
	s.settled(n)
	return nil
}

// An eventPool keeps events for reuse. At most as many exist as were ever
// waited for at once.
type eventPool struct {
	ctx    *driver.Context
	mu     sync.Mutex
	free   []*driver.Event
	closed bool
}

func (p *eventPool) get() (*driver.Event, error) {
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		ev := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return ev, nil
	}
	p.mu.Unlock()
	return p.ctx.NewEvent(driver.EventConfig{})
}

// put takes an event back. Its Close does nothing if the device has been closed
// meanwhile, and the event with it.
func (p *eventPool) put(ev *driver.Event) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.free = append(p.free, ev)
	}
	p.mu.Unlock()
	if closed {
		_ = ev.Close()
	}
}

func (p *eventPool) close() {
	p.mu.Lock()
	free := p.free
	p.free, p.closed = nil, true
	p.mu.Unlock()
	for _, ev := range free {
		_ = ev.Close()
	}
}
