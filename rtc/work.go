package rtc

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// A Work is a piece of work that this package does not know, as for
// [Stream.Do], which is given to streams many times.
//
// Safe for concurrent use. It holds on to its arrays and buffers; there is
// nothing to close.
type Work struct {
	dev   *Device
	parts []part     // of other devices
	uses  []use      // of dev
	kept  []Copyable // stay reachable
}

// NewWork makes a Work of what it reads and writes. What is in both counts as
// written. It is given to streams of dev; what it uses may be on other devices of
// the same driver, too.
func NewWork(dev *Device, reads, writes []Copyable) (*Work, error) {
	w, err := newWork(dev, reads, writes)
	if err != nil {
		return nil, fmt.Errorf("rtc: new work: %w", err)
	}
	return w, nil
}

func newWork(dev *Device, reads, writes []Copyable) (*Work, error) {
	if err := dev.use(); err != nil {
		return nil, err
	}
	w := &Work{dev: dev}
	err := eachUse(reads, writes, func(c Copyable, p place, write bool) error {
		if p.mem.dev.drv != dev.drv {
			return fmt.Errorf("%v is on %s, the work on device %d", p, p.mem.dev.other(dev), dev.ordinal)
		}
		w.kept = append(w.kept, c)
		to := w.of(p.mem.dev)
		*to = append(*to, use{p.mem, write})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// of is the list of what is used of a device.
func (w *Work) of(dev *Device) *[]use {
	if dev == w.dev {
		return &w.uses
	}
	i := slices.IndexFunc(w.parts, func(p part) bool { return p.dev == dev })
	if i < 0 {
		i = len(w.parts)
		w.parts = append(w.parts, part{dev: dev})
	}
	return &w.parts[i].uses
}

// Enqueue calls f with a stream to put the work into, behind what it must not
// get ahead of, and what comes later is ordered behind it. Other streams may
// take part, if they wait for this one and this one for them. f runs under the
// lock of each device that is used: it may call the driver, but nothing of this package, and must
// not wait. Its error is returned; the work counts as given all the same.
func (w *Work) Enqueue(s *Stream, f func(*driver.Stream) error) error {
	if err := w.enqueue(never, s, f); err != nil {
		return fmt.Errorf("rtc: enqueue work: %w", err)
	}
	return nil
}

// TryEnqueue is Enqueue that does not wait for functions of [Stream.Do] and for
// copies between Go's memory and what the work uses: it then reports false, and
// has not called f. [Work.Await] waits for them.
func (w *Work) TryEnqueue(s *Stream, f func(*driver.Stream) error) (given bool, err error) {
	err = w.enqueue(atOnce, s, f)
	switch {
	case errors.Is(err, errInTheWay):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("rtc: enqueue work: %w", err)
	}
	return true, nil
}

// atOnce is the context of who does not wait.
var atOnce = func() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errInTheWay)
	return ctx
}()

var errInTheWay = errors.New("a function of Do or a copy is in the way")

// Await waits until no function of [Stream.Do] and no copy from or to Go's memory
// is in the way of the work, or ctx is done. Others may come before it is given.
func (w *Work) Await(ctx context.Context) error {
	err := w.usable()
	if err == nil {
		var orders []*ordering
		orders, err = w.dev.stream.admitAcross(ctx, w.uses, w.parts)
		unlock(orders, nil)
	}
	if err != nil {
		return fmt.Errorf("rtc: await work: %w", err)
	}
	return nil
}

func (w *Work) enqueue(ctx context.Context, s *Stream, f func(*driver.Stream) error) error {
	if w == nil || f == nil || s == nil || s.dev == nil || s.dev != w.dev || len(w.parts) > 0 {
		return w.enqueueAcross(ctx, s, f)
	}
	err := w.give(ctx, s, f)
	if err != nil {
		if why := s.dev.use(); why != nil {
			return why
		}
	}
	return err
}

// give is enqueue where all is on one device. Whether that is closed, or lost, is
// the driver's to see.
func (w *Work) give(ctx context.Context, s *Stream, f func(*driver.Stream) error) error {
	o := &s.dev.order
	o.mu.Lock()
	defer o.mu.Unlock()
	return s.giveLocked(ctx, f, w.uses)
}

// A Repeat is what was given to a stream last and can be given to it again with
// nothing else to do: see [Work.Repeat]. The zero Repeat is nothing.
//
// Not safe for concurrent use. It is guarded by the lock of the device: functions
// given to [Work.Enqueue] may change it.
type Repeat struct {
	work     *Work
	exec     *driver.ExecGraph
	in       *driver.Stream
	closings uint64
}

// In is the stream that it was given to; nil if there was none.
func (r *Repeat) In() *driver.Stream {
	if r == nil {
		return nil
	}
	return r.in
}

// Did is the Repeat of what a function has done that was given to [Work.Enqueue],
// and calls it: a run of x was put into in, and nothing else. x nil is more than
// can be repeated.
func (w *Work) Did(in *driver.Stream, x *driver.ExecGraph) Repeat {
	if w == nil || w.dev == nil {
		return Repeat{}
	}
	if len(w.parts) > 0 {
		x = nil
	}
	return Repeat{w, x, in, w.dev.order.closings}
}

// Repeat puts a run of x into s, of the device that w is for, if that is all there
// is to do: last is just that, and nothing else is to be ordered with it. It reports
// whether it did; if not, [Work.Enqueue] does all, and says what is wrong.
func (w *Work) Repeat(s *Stream, x *driver.ExecGraph, last *Repeat) bool {
	if s == nil || s.dev == nil {
		return false
	}
	// Of w itself nothing is looked at, which is one cache line less.
	o := &s.dev.order
	o.mu.Lock()
	if x == nil || last.exec != x || last.in != s.raw || last.work != w || last.closings != o.closings || o.several {
		o.mu.Unlock()
		return false
	}
	s.enqueued++
	err := x.Launch(s.raw)
	o.mu.Unlock()
	return err == nil
}

func (w *Work) enqueueAcross(ctx context.Context, s *Stream, f func(*driver.Stream) error) error {
	if err := s.use(); err != nil {
		return err
	}
	if err := w.usable(); err != nil {
		return err
	}
	switch {
	case s.dev != w.dev:
		return fmt.Errorf("it is for device %d, the stream is of %s", w.dev.ordinal, s.dev.other(w.dev))
	case f == nil:
		return errors.New("the function is nil")
	}
	return s.giveAcross(ctx, f, w.uses, w.parts)
}

// usable is an error if the work was not made, or one of its devices is closed.
func (w *Work) usable() error {
	switch {
	case w == nil:
		return errors.New("the work is nil")
	case w.dev == nil:
		return unmade("Work")
	}
	if err := w.dev.use(); err != nil {
		return err
	}
	for _, p := range w.parts {
		if err := p.dev.use(); err != nil {
			return err
		}
	}
	return nil
}
