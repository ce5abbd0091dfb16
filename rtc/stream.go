package rtc

import (
	"context"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A Stream is a queue of work for a device: launches and copies run one after
// the other in the order in which they were given.
//
// Safe for concurrent use. The Device owns it.
type Stream struct {
	dev    *Device
	raw    *driver.Stream
	waiter waiter
	events eventPool

	// mu keeps Close of an array apart from launches that use it.
	mu       sync.Mutex
	enqueued uint64 // pieces of work so far
	complete uint64 // as many of them, from the first, are known to be complete
}

func newStream(d *Device) (*Stream, error) {
	raw, err := d.ctx.NewStream(driver.StreamConfig{})
	if err != nil {
		return nil, err
	}
	s := &Stream{dev: d, raw: raw}
	s.waiter.stream = s
	s.events.ctx = d.ctx
	return s, nil
}

// Device is the device that the stream's work runs on.
func (s *Stream) Device() *Device { return s.dev }

// Raw is the driver's stream, for calls that this package has no word for.
func (s *Stream) Raw() *driver.Stream { return s.raw }

// Synchronize waits until all work given to the stream so far is complete, or
// ctx is done; the work goes on then. An error of that work is returned.
func (s *Stream) Synchronize(ctx context.Context) error {
	if err := s.dev.use(); err != nil {
		return fmt.Errorf("rtc: synchronize: %w", err)
	}
	if err := s.wait(ctx); err != nil {
		return fmt.Errorf("rtc: synchronize: %w", err)
	}
	s.dev.collect(false)
	return nil
}

// wait is Synchronize without the checks.
func (s *Stream) wait(ctx context.Context) error {
	if ctx.Done() != nil {
		ev, n, err := s.mark()
		if err != nil {
			return err
		}
		return s.waiter.wait(ctx, ev, n)
	}
	s.mu.Lock()
	n := s.enqueued
	s.mu.Unlock()
	if err := s.raw.Synchronize(); err != nil {
		return err
	}
	s.settled(n)
	return nil
}

// mark records an event behind the work given so far: n pieces of it.
func (s *Stream) mark() (ev *driver.Event, n uint64, err error) {
	if ev, err = s.events.get(); err != nil {
		return nil, 0, err
	}
	s.mu.Lock()
	err = s.raw.Record(ev)
	n = s.enqueued
	s.mu.Unlock()
	if err != nil {
		s.events.put(ev)
		return nil, 0, err
	}
	return ev, n, nil
}

// do gives the stream a piece of work that is no launch.
func (s *Stream) do(work func(*driver.Stream) error) error {
	s.mu.Lock()
	err := work(s.raw)
	s.enqueued++
	s.mu.Unlock()
	return err
}

// settled notes that the first n pieces of work are complete.
func (s *Stream) settled(n uint64) {
	s.mu.Lock()
	s.complete = max(s.complete, n)
	s.mu.Unlock()
}

func (s *Stream) idle() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enqueued == s.complete
}

// drain waits if there is anything to wait for.
func (s *Stream) drain() error {
	if err := s.dev.Health(); err != nil {
		return err
	}
	if s.idle() {
		return nil
	}
	return s.wait(context.Background())
}

// markClosed closes m to later launches. It reports false if it was closed.
func (s *Stream) markClosed(m *memory) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !m.closed.Swap(true)
}

func (s *Stream) close() error {
	err := s.drain()
	s.events.close()
	if cerr := s.raw.Close(); err == nil {
		err = cerr
	}
	return err
}
