package rtc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/driver"
)

// An Event is a moment in a stream, for its time and for whoever orders work by
// hand. [Stream.Record] makes one.
//
// Safe for concurrent use. The caller closes it, or the device does.
type Event struct {
	s      *Stream
	raw    *driver.Event
	n      uint64
	closed atomic.Bool
}

// String is the stream that the event is in.
func (e *Event) String() string {
	if e == nil || e.s == nil {
		return "no event"
	}
	return fmt.Sprintf("event in %v", e.s)
}

// Record makes an event that happens when all that the stream was given so far
// is complete. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EVENT.html.
func (s *Stream) Record() (*Event, error) {
	if err := s.use(); err != nil {
		return nil, fmt.Errorf("rtc: record: %w", err)
	}
	raw, err := s.dev.ctx.NewEvent(driver.EventConfig{Timing: true})
	if err != nil {
		return nil, fmt.Errorf("rtc: record: %w", err)
	}
	e := &Event{s: s, raw: raw}
	s.dev.order.mu.Lock()
	e.n = s.enqueued
	err = s.raw.Record(raw)
	s.dev.order.mu.Unlock()
	if err != nil {
		_ = raw.Close() // the first error is the one that counts
		return nil, fmt.Errorf("rtc: record: %w", err)
	}
	return e, nil
}

var (
	errNilEvent    = errors.New("the event is nil")
	errEventClosed = fmt.Errorf("the event is %w", ErrClosed)
)

func (e *Event) use() error {
	switch {
	case e == nil:
		return errNilEvent
	case e.s == nil:
		return unmade("Event")
	case e.closed.Load():
		return errEventClosed
	}
	return e.s.dev.use()
}

// Synchronize waits until the event has happened, or ctx is done. An error of
// the work before it is returned.
func (e *Event) Synchronize(ctx context.Context) error {
	if err := e.synchronize(ctx); err != nil {
		return fmt.Errorf("rtc: wait for event: %w", err)
	}
	return nil
}

func (e *Event) synchronize(ctx context.Context) error {
	if err := e.use(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	return e.s.dev.waiter.wait(ctx, wait{ev: e.raw, n: e.n, s: e.s, keep: true})
}

// Happened reports whether the event has happened, at once.
func (e *Event) Happened() (bool, error) {
	if err := e.use(); err != nil {
		return false, fmt.Errorf("rtc: ask event: %w", err)
	}
	done, err := e.raw.Query()
	if err != nil {
		return false, fmt.Errorf("rtc: ask event: %w", err)
	}
	if done {
		e.s.settled(e.n)
	}
	return done, nil
}

// Since is the time on the device from start to e, which both must have
// happened there: devices have no time in common. The resolution is about half a microsecond.
func (e *Event) Since(start *Event) (time.Duration, error) {
	err := e.use()
	if err == nil {
		err = start.use()
	}
	if err == nil && (e.s.dev.drv != start.s.dev.drv || e.s.dev.ordinal != start.s.dev.ordinal) {
		err = fmt.Errorf("it begins on %v and ends on %v", start.s.dev, e.s.dev)
		if e.s.dev.ordinal == start.s.dev.ordinal {
			err = fmt.Errorf("it begins on %v and ends on device %d of another driver", start.s.dev, e.s.dev.ordinal)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("rtc: time between events: %w", err)
	}
	d, err := e.raw.Elapsed(start.raw)
	if errors.Is(err, driver.NotReady) {
		err = fmt.Errorf("one of them has not happened yet: %w", err)
	}
	if err != nil {
		return 0, fmt.Errorf("rtc: time between events: %w", err)
	}
	return d, nil
}

// Wait makes what the stream is given from now on wait for an event, which may
// be of another device of the same driver. It is for order that the use of arrays does not give.
func (s *Stream) Wait(e *Event) error {
	err := s.use()
	if err == nil {
		err = e.use()
	}
	if err == nil && e.s.dev.drv != s.dev.drv {
		err = fmt.Errorf("it is of %v, of another driver than the stream's device", e.s.dev)
	}
	if err == nil {
		err = s.raw.Wait(e.raw)
	}
	if err != nil {
		return fmt.Errorf("rtc: wait for event: %w", err)
	}
	return nil
}

// Close gives the event back. Streams that were made to wait for it still do.
// It is safe on nil, and later calls do nothing.
func (e *Event) Close() error {
	if e == nil || e.s == nil {
		return nil
	}
	e.closed.Store(true)
	if err := e.raw.Close(); err != nil {
		return fmt.Errorf("rtc: close event: %w", err)
	}
	return nil
}
