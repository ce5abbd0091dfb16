package rtc

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A Stream is a queue of work for a device: launches and copies run one after
// the other in the order in which they were given. [Device.Stream] is the one
// that each device has, [Device.NewStream] makes more. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html.
//
// Safe for concurrent use. The Device owns its first; others are closed by who
// made them, or with the device.
type Stream struct {
	raw *driver.Stream
	dev *Device

	// Guarded by the device's lock.
	enqueued uint64          // pieces of work so far
	complete uint64          // as many of them, from the first, are known to be complete
	events   []*driver.Event // that nobody uses
	ring     []point         // behind the last pieces of work, if there are several streams
	index    int             // its seat among the device's streams
	knows    []uint64        // by seat, how many pieces of each stream's work come before what this one is given next
	met      []mark          // what was untracked on other devices, and is in front of what this one is given next
	closing  bool            // nothing more is taken
	lent     int             // functions of Do that have the handle
	closed   bool

	end closer

	_ [24]byte // has it begin a cache line, see TestCacheLines
}

func newStream(d *Device, priority int) (*Stream, error) {
	raw, err := d.ctx.NewStream(driver.StreamConfig{Priority: priority})
	if err != nil {
		return nil, err
	}
	return &Stream{dev: d, raw: raw}, nil
}

// Device is the device that the stream's work runs on.
func (s *Stream) Device() *Device {
	if s == nil {
		return nil
	}
	return s.dev
}

// String is the stream's number among those of its device, from 0; one that was
// closed leaves its number to another.
func (s *Stream) String() string {
	if s == nil || s.dev == nil {
		return "no stream"
	}
	return fmt.Sprintf("stream %d of device %d", s.index, s.dev.ordinal)
}

// Raw is the driver's stream, for calls that this package has no word for.
// What is put into it that way, this package does not know of: arrays that it
// uses must be kept open until it is over.
func (s *Stream) Raw() *driver.Stream {
	if s == nil {
		return nil
	}
	return s.raw
}

// Synchronize waits until all work given to the stream so far is complete, or
// ctx is done; the work goes on then. An error of that work is returned.
func (s *Stream) Synchronize(ctx context.Context) error {
	if err := s.synchronize(ctx); err != nil {
		return fmt.Errorf("rtc: synchronize: %w", err)
	}
	return nil
}

func (s *Stream) synchronize(ctx context.Context) error {
	if err := s.use(); err != nil {
		return err
	}
	if err := s.wait(ctx); err != nil {
		return err
	}
	s.dev.collect(false)
	return nil
}

// use is called at the start of what needs the stream.
func (s *Stream) use() error {
	switch {
	case s == nil:
		return errNilStream
	case s.dev == nil:
		return unmade("Stream")
	}
	return s.dev.use()
}

// wait waits for the work given so far.
func (s *Stream) wait(ctx context.Context) error {
	if ctx.Err() != nil {
		return ended(ctx)
	}
	if driver.InHostFunc() {
		return ErrInHostFunc
	}
	if !s.dev.waiter.alone(ctx) {
		w, err := s.mark()
		if err != nil {
			return err
		}
		return w.wait(ctx)
	}
	defer s.dev.waiter.leave()
	s.dev.order.mu.Lock()
	n := s.enqueued
	s.dev.order.mu.Unlock()
	if err := s.raw.Synchronize(); err != nil {
		return err
	}
	s.settled(n)
	return nil
}

// mark records an event behind the work given so far, which is being waited for.
func (s *Stream) mark() (wait, error) {
	s.dev.order.mu.Lock()
	defer s.dev.order.mu.Unlock()
	ev, err := s.takeEvent()
	if err != nil {
		return wait{}, err
	}
	if err := s.raw.Record(ev); err != nil {
		s.giveEvent(ev)
		return wait{}, err
	}
	w := wait{ev: ev, n: s.enqueued, s: s}
	s.dev.waiter.add(&w)
	return w, nil
}

// record puts the point's event behind the last piece of work.
func (s *Stream) record(p *point) error {
	if err := s.raw.Record(p.ev); err != nil {
		return err
	}
	s.passed(p)
	return nil
}

// settled notes that the first n pieces of work are complete.
func (s *Stream) settled(n uint64) {
	s.dev.order.mu.Lock()
	s.complete = max(s.complete, n)
	s.dev.order.mu.Unlock()
}

func (s *Stream) idle() bool {
	s.dev.order.mu.Lock()
	defer s.dev.order.mu.Unlock()
	return s.complete >= s.enqueued
}

// drain waits if there is anything to wait for. It fails if a fault shows; once
// there was one there is nothing to wait for, and no use in saying so for each
// thing that is closed.
func (s *Stream) drain() error {
	if s.dev.dev.Health() != nil {
		return nil
	}
	if s.idle() {
		return nil
	}
	return s.wait(context.Background())
}
