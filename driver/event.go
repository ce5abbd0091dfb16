package driver

import (
	"fmt"
	"sync"
	"time"

	"github.com/purecuda/purecuda/dl"
)

// An Event is a moment in a stream.
//
// Safe for concurrent use.
type Event struct {
	ctx    *Context
	handle eventHandle
	life   lifetime

	mu     sync.Mutex
	stream *Stream // where it was recorded last
	epoch  uint64
	record *dl.Call // cuEventRecord; nil until the first
	follow *dl.Call // cuStreamWaitEvent; nil until the first

	wait   *dl.Call // cuEventSynchronize; who is alone in life may use it
	timing bool
}

// An EventConfig says what kind of event to make. The zero value is the
// cheapest: no time is taken, a wait spins.
//
// Safe for concurrent use after it is made; its fields must not change.
type EventConfig struct {
	Timing   bool // take the time, for Elapsed
	Blocking bool // a wait sleeps rather than spins: slower by some 10 µs, but frees a core
	IPC      bool // another process can open it; excludes Timing
}

// NewEvent makes an event.
func (c *Context) NewEvent(config EventConfig) (*Event, error) {
	var flags uint32
	if config.Blocking {
		flags |= 1 // CU_EVENT_BLOCKING_SYNC
	}
	if !config.Timing {
		flags |= 2 // CU_EVENT_DISABLE_TIMING
	}
	if config.IPC {
		flags |= 4 // CU_EVENT_INTERPROCESS
	}
	h := new(eventHandle)
	if err := c.Do(func() error { return c.api.eventCreate(h, flags) }); err != nil {
		return nil, explain(err, "make an event on "+c.device.String(), "")
	}
	e := &Event{ctx: c, handle: *h, timing: config.Timing}
	return e.start()
}

func (e *Event) start() (*Event, error) {
	e.ctx.driver.counts.events.Add(1)
	if !e.ctx.children.add(e) {
		_ = e.Close()
		return nil, e.ctx.closedError()
	}
	return e, nil
}

// enqueue records e in s, by a call that is kept for the next time.
func (e *Event) enqueue(s *Stream) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.put(s)
}

// put is enqueue with the lock held.
func (e *Event) put(s *Stream) error {
	api := s.ctx.api
	if fault := api.fault.first(); fault != nil {
		return api.failure("cuEventRecord", fault.Result)
	}
	if err := e.aim(s); err != nil {
		return err
	}
	epoch := s.mark()
	if err := api.result(fnEventRecord, e.record.Do()); err != nil {
		return err
	}
	e.stream, e.epoch = s, epoch
	return nil
}

// aim readies the call that records e in s. The lock is held.
func (e *Event) aim(s *Stream) error {
	if e.record == nil {
		f, err := s.ctx.api.direct(fnEventRecord)
		if err != nil {
			return err
		}
		e.record = dl.NewCall(f, uintptr(e.handle), 0)
	}
	e.record.Words()[1] = uintptr(s.handle)
	return nil
}

// hold makes s wait for e, by a call that is kept for the next time. The lock
// is held.
func (e *Event) hold(s *Stream) error {
	api := s.ctx.api
	if fault := api.fault.first(); fault != nil {
		return api.failure("cuStreamWaitEvent", fault.Result)
	}
	if e.follow == nil {
		f, err := api.direct(fnStreamWaitEvent)
		if err != nil {
			return err
		}
		e.follow = dl.NewCall(f, 0, uintptr(e.handle), 0)
	}
	e.follow.Words()[0] = uintptr(s.handle)
	return api.result(fnStreamWaitEvent, e.follow.Do())
}

func (e *Event) last() (*Stream, uint64) {
	e.mu.Lock()
	s, epoch := e.stream, e.epoch
	e.mu.Unlock()
	return s, epoch
}

func (e *Event) closedError() error { return fmt.Errorf("driver: event: %w", ErrClosed) }

// Context is the context that the event is in.
func (e *Event) Context() *Context { return e.ctx }

// Synchronize waits until the event, as it was recorded last, has happened;
// one that never was has. It holds an OS thread meanwhile.
func (e *Event) Synchronize() error {
	open, alone := e.life.enterAlone()
	if !open {
		return e.closedError()
	}
	s, epoch := e.last()
	err := e.synchronize(alone)
	e.life.leave()
	if err != nil {
		return explain(err, "wait for event", "")
	}
	if s != nil {
		s.settled(epoch)
	}
	return nil
}

// synchronize makes the call, for a caller who is alone by one that is kept.
func (e *Event) synchronize(alone bool) error {
	api := e.ctx.api
	if alone && api.fault.first() == nil {
		if e.wait == nil {
			f, err := api.direct(fnEventSynchronize)
			if err != nil {
				return err
			}
			e.wait = dl.NewCall(f, uintptr(e.handle))
		}
		r := e.wait.Do()
		if Result(int32(r)) == Success {
			return nil
		}
		if err := api.result(fnEventSynchronize, r); !wantsContext(err) {
			return err
		}
	}
	return e.ctx.unbound(func() error { return api.eventSynchronize(e.handle) })
}

// Query reports whether the event has happened, at once.
func (e *Event) Query() (bool, error) {
	if !e.life.enter() {
		return false, e.closedError()
	}
	defer e.life.leave()
	s, epoch := e.last()
	err := e.ctx.unbound(func() error { return e.ctx.api.eventQuery(e.handle) })
	switch err {
	case nil:
		if s != nil {
			s.settled(epoch)
		}
		return true, nil
	case errNotReady:
		return false, nil
	}
	return false, explain(err, "query event", "")
}

// Elapsed is the time on the device from start to e, both made with Timing,
// of one device, recorded and over. The resolution is about half a microsecond.
func (e *Event) Elapsed(start *Event) (time.Duration, error) {
	if !e.timing || !start.timing {
		return 0, &Error{Op: "time between events", Result: InvalidHandle, Detail: "an event was made without EventConfig.Timing"}
	}
	if a, b := start.ctx.device, e.ctx.device; a.driver != b.driver || a.ordinal != b.ordinal {
		return 0, &Error{Op: "time between events", Result: InvalidHandle, Detail: fmt.Sprintf("one is of %s, the other of %s", a, b)}
	}
	if !e.life.enter() {
		return 0, e.closedError()
	}
	defer e.life.leave()
	if !start.life.enter() {
		return 0, start.closedError()
	}
	defer start.life.leave()
	ms := new(float32)
	err := e.ctx.unbound(func() error { return e.ctx.api.eventElapsedTime(ms, start.handle, e.handle) })
	if err != nil {
		return 0, explain(err, "time between events", "")
	}
	return time.Duration(float64(*ms) * float64(time.Millisecond)), nil
}

// Close destroys the event. It is safe on nil and more than once.
func (e *Event) Close() error {
	if e == nil {
		return nil
	}
	return e.life.close(func() error {
		e.mu.Lock() // an EnqueueEvent that is under way comes first
		e.record, e.follow = nil, nil
		e.mu.Unlock()
		c := e.ctx
		err := c.bind(func() error { return c.api.eventDestroy(e.handle) })
		c.children.drop(e)
		c.driver.counts.events.Add(-1)
		return c.afterFault(err, "destroy event")
	})
}
