package rtc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
)

// A StreamConfig says what kind of stream to make. The zero StreamConfig is one
// of the default priority.
//
// Safe for concurrent use after it is made; its fields must not change.
type StreamConfig struct {
	// Priority: lower numbers are urgent, 0 is the default and the least.
	// Numbers beyond what the device has are taken as its most urgent.
	Priority int
}

// NewStream makes a stream beside the device's own. Work on different streams
// may overlap; that which uses the same arrays keeps the order in which it was
// given, since it is known from the const in a kernel's signature what it reads
// and what it writes: see [Kernel.Enqueue]. The caller closes it, or the device
// does. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html.
func (d *Device) NewStream(c StreamConfig) (*Stream, error) {
	if err := d.use(); err != nil {
		return nil, fmt.Errorf("rtc: new stream: %w", err)
	}
	s, err := d.newStream(c)
	if err != nil {
		return nil, fmt.Errorf("rtc: new stream: %w", err)
	}
	return s, nil
}

func (d *Device) newStream(c StreamConfig) (*Stream, error) {
	s, err := newStream(d, c.Priority)
	if err != nil {
		return nil, err
	}
	return d.adopt(s)
}

// adopt makes a new stream one of the device's, or closes it.
func (d *Device) adopt(s *Stream) (*Stream, error) {
	d.order.mu.Lock()
	err := d.join(s)
	d.order.mu.Unlock()
	if err == nil {
		err = d.life.add(s)
	}
	if err != nil {
		_ = s.Close() // the first error is the one that counts
		return nil, err
	}
	return s, nil
}

// join puts a new stream among the others. The lock is held.
func (d *Device) join(s *Stream) error {
	if err := d.track(); err != nil {
		return err
	}
	d.order.seat(s)
	d.order.streams = append(d.order.streams, s)
	s.needMark(d.order.untracked)
	return s.follow()
}

// track has all work tracked from now on.
func (d *Device) track() error {
	o := &d.order
	if o.several {
		return nil
	}
	if o.copies == nil {
		c, err := newStream(d, 0)
		if err != nil {
			return err
		}
		o.seat(c)
		o.copies = c
		o.streams = append(o.streams, c)
	}
	o.untracked = mark{d.stream, d.stream.enqueued}
	if !o.untracked.over() {
		p, err := d.stream.reached(o.untracked.n)
		if err != nil {
			return err
		}
		o.untracked.n = p.n
	}
	o.several = true
	return nil
}

// leave takes a stream, whose work is complete, away from the others.
func (d *Device) leave(s *Stream) {
	o := &d.order
	o.streams = slices.DeleteFunc(o.streams, func(t *Stream) bool { return t == s })
	if s.knows != nil {
		o.vacant = append(o.vacant, seat{s.index, s.enqueued})
	}
	if s != d.stream && s != o.copies {
		o.relax()
	}
}

// relax ends the tracking where the device's own stream keeps order by itself:
// there is no other, but for that for copies, which has nothing to do, neither
// for Go's memory nor for other devices.
func (o *ordering) relax() {
	if len(o.streams) == 2 && o.copying == 0 && o.copies.complete >= o.copies.enqueued {
		o.several = false
	}
}

var errStreamClosed = fmt.Errorf("the stream is %w", ErrClosed)

// Close waits until the functions of [Stream.Do] have returned and the stream's
// work is complete, and destroys it; what it was given is ordered before what other streams are given later, as before. The
// device's own stream stays until the device is closed. A fault that shows
// meanwhile is its error. It is safe on nil, and later calls do nothing.
func (s *Stream) Close() error {
	if s == nil || s.dev == nil || s == s.dev.stream {
		return nil
	}
	err := s.close()
	if !errors.Is(err, ErrInHostFunc) {
		s.dev.life.remove(s)
	}
	if err != nil {
		return fmt.Errorf("rtc: close stream: %w", err)
	}
	return nil
}

func (s *Stream) close() error {
	return s.end.close(func() error {
		o := &s.dev.order
		o.mu.Lock()
		s.closing = true
		o.closings++ // for who looks at that alone
		for s.lent > 0 {
			o.copied.Wait()
		}
		o.mu.Unlock()
		err := s.drain()
		o.mu.Lock()
		s.closed = true
		events := s.events
		for _, p := range s.ring {
			if p.ev != nil {
				events = append(events, p.ev)
			}
		}
		s.events, s.ring = nil, nil
		s.complete = finished
		s.dev.leave(s)
		o.mu.Unlock()
		for _, ev := range events {
			_ = ev.Close() // it can fail for nothing that the stream's Close does not tell
		}
		return joined(err, s.raw.Close())
	})
}

// closeStreams closes those that are left, the device's own at last.
func (d *Device) closeStreams() error {
	d.order.mu.Lock()
	streams := slices.Clone(d.order.streams)
	d.order.mu.Unlock()
	var errs []error
	for _, s := range slices.Backward(streams) {
		errs = append(errs, s.close())
	}
	return joined(errs...)
}

// forbid sets a flag that launches look at: none begins after it that did not
// see it.
func (d *Device) forbid(gone *atomic.Bool) {
	d.order.mu.Lock()
	gone.Store(true)
	d.order.closings++
	d.order.mu.Unlock()
}

// drain waits for all streams.
func (d *Device) drain() error {
	d.order.mu.Lock()
	streams := slices.Clone(d.order.streams)
	d.order.mu.Unlock()
	var errs []error
	for _, s := range streams {
		errs = append(errs, unlessClosed(s.drain()))
	}
	return joined(errs...)
}

func (d *Device) idle() bool {
	d.order.mu.Lock()
	defer d.order.mu.Unlock()
	for _, s := range d.order.streams {
		if s.complete < s.enqueued {
			return false
		}
	}
	return true
}

// settle waits for what is under way with a piece of memory, or for everything
// where that is not known.
func (d *Device) settle(a *access) error {
	if d.dev.Health() != nil {
		return nil
	}
	return d.reach(context.Background(), a)
}

// reach waits for what is under way with a piece of memory, or ctx is done.
func (d *Device) reach(ctx context.Context, a *access) error {
	d.order.mu.Lock()
	if !d.order.several {
		idle := d.stream.complete >= d.stream.enqueued
		d.order.mu.Unlock()
		if idle {
			return nil
		}
		return unlessClosed(d.stream.wait(ctx))
	}
	marks := append(a.marks(true), d.order.untracked)
	d.order.mu.Unlock()
	var errs []error
	for _, m := range marks {
		err := unlessClosed(m.wait(ctx))
		if gaveUp(err) {
			return err
		}
		errs = append(errs, err)
	}
	return joined(errs...)
}
