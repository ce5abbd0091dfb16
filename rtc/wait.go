package rtc

import (
	"context"

	"github.com/purecuda/purecuda/driver"
)

// A wait is for an event that was recorded behind n pieces of work of s.
type wait struct {
	ev   *driver.Event
	n    uint64
	s    *Stream
	keep bool       // the event is not the stream's to use again
	held *holding   // what keeps a point's event as it is
	done chan error // where the waiter tells; nil without it
}

// A holding is of those who wait for a point's event, which must not be recorded
// again meanwhile: who asks now and then would never see it happen.
type holding struct {
	users int
	left  bool // the point has another event now
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

// await waits until what [call.start] started has finished or ctx has ended.
func (d *Device) await(ctx context.Context, w wait) error {
	var err error
	if w.done != nil {
		err = w.wait(ctx)
	} else {
		err = w.block()
	}
	d.collect(false)
	return err
}

// block waits on this thread.
func (w *wait) block() error {
	err := ErrInHostFunc
	if !driver.InHostFunc() {
		err = w.ev.Synchronize()
	}
	w.end(err)
	return err
}

// end notes that the event has happened, unless err, and gives it back.
func (w *wait) end(err error) {
	s := w.s
	s.dev.order.mu.Lock()
	if err == nil {
		s.complete = max(s.complete, w.n)
	}
	if w.held != nil {
		w.held.users--
	}
	if w.held != nil && w.held.left && w.held.users == 0 || w.held == nil && !w.keep {
		s.giveEvent(w.ev)
	}
	s.dev.order.mu.Unlock()
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
