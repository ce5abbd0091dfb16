package rtc

import (
	"context"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A waiter waits for events of one stream on behalf of callers whose context
// may end first. A blocked wait holds an OS thread; all these share one, which
// there is only while somebody waits. Events of a stream complete in order, so
// waiting for the oldest first is right.
type waiter struct {
	stream *Stream
	mu     sync.Mutex
	queue  []wait
	active bool
}

type wait struct {
	ev   *driver.Event
	n    uint64 // the work that is complete with it
	done chan error
}

// wait takes over ev.
func (w *waiter) wait(ctx context.Context, ev *driver.Event, n uint64) error {
	done := make(chan error, 1)
	w.mu.Lock()
	w.queue = append(w.queue, wait{ev, n, done})
	if !w.active {
		w.active = true
		go w.run()
	}
	w.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (w *waiter) run() {
	for {
		w.mu.Lock()
		if len(w.queue) == 0 {
			w.active = false
			w.mu.Unlock()
			return
		}
		next := w.queue[0]
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

func (p *eventPool) put(ev *driver.Event) {
	p.mu.Lock()
	closed := p.closed
	if !closed {
		p.free = append(p.free, ev)
	}
	p.mu.Unlock()
	if closed {
		ev.Close()
	}
}

func (p *eventPool) close() {
	p.mu.Lock()
	free := p.free
	p.free, p.closed = nil, true
	p.mu.Unlock()
	for _, ev := range free {
		ev.Close()
	}
}
