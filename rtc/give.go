package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// await returns when a copy or a function of [Stream.Do] may have ended, or ctx
// has. The lock is held, but not meanwhile. A nil context never ends.
func (o *ordering) await(ctx context.Context) error {
	if ctx == nil || ctx.Done() == nil {
		o.copied.Wait()
		return nil
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	stop := context.AfterFunc(ctx, func() {
		o.mu.Lock() // until who waits does
		defer o.mu.Unlock()
		o.copied.Broadcast()
	})
	defer stop()
	o.copied.Wait()
	if ctx.Err() != nil {
		return ended(ctx)
	}
	return nil
}

// give puts work into the stream, behind what it must not get ahead of.
func (s *Stream) give(ctx context.Context, work func(*driver.Stream) error, uses ...use) error {
	s.dev.order.mu.Lock()
	defer s.dev.order.mu.Unlock()
	return s.giveLocked(ctx, work, uses)
}

// giveLocked is give with the lock held.
func (s *Stream) giveLocked(ctx context.Context, work func(*driver.Stream) error, uses []use) error {
	if err := s.admit(ctx, uses); err != nil {
		return err
	}
	if !s.dev.order.several {
		s.enqueued++
		return work(s.raw)
	}
	p, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll(uses)
	if err := work(s.raw); err != nil {
		return err
	}
	return s.record(p)
}

// admit returns when uses may begin on the stream, which waits for what they
// must not get ahead of. The lock is held, but not while copies are waited for,
// which ctx can end.
func (s *Stream) admit(ctx context.Context, uses []use) error {
	o := &s.dev.order
	if s.closing {
		return errStreamClosed
	}
again:
	for _, u := range uses {
		if u.m.closed() {
			return fmt.Errorf("%s is %w", u.m.what, ErrClosed)
		}
		if o.several && u.m.access.busy(u.write) {
			if err := o.await(ctx); err != nil {
				return err
			}
			goto again
		}
	}
	if !o.several {
		return nil
	}
	if s.closing { // while copies were waited for
		return errStreamClosed
	}
	for _, u := range uses {
		s.need(&u.m.access, u.write)
	}
	return s.follow()
}

// noteAll counts the next piece of work, which is all those uses.
func (s *Stream) noteAll(uses []use) {
	s.enqueued++
	for _, u := range uses {
		u.m.access.note(s, u.write)
	}
}

// Do lets code that this package does not know, such as a library that launches
// kernels on a stream that it is given, take its place among the rest: f gets
// the stream's CUstream and puts its work there; what it reads and writes, arrays
// and host buffers, is ordered as for a launch. While f runs, launches that would be in the way of it
// wait, those with a context until that ends, and so does who closes the stream; f itself must use nothing of them
// through this package, nor close the stream. An error of f is returned; they then
// count as used all the same. [Work] is for what is given many times, and for
// work on several devices.
func (s *Stream) Do(reads, writes []Copyable, f func(handle uintptr) error) error {
	if err := s.perform(reads, writes, f); err != nil {
		return fmt.Errorf("rtc: do: %w", err)
	}
	return nil
}

func (s *Stream) perform(reads, writes []Copyable, f func(handle uintptr) error) error {
	if err := s.use(); err != nil {
		return err
	}
	if f == nil {
		return errors.New("the function is nil")
	}
	var uses []use
	err := eachUse(reads, writes, func(_ Copyable, p place, write bool) error {
		if p.mem.dev != s.dev {
			return fmt.Errorf("%v is on %s, the stream on device %d", p, p.mem.dev.other(s.dev), s.dev.ordinal)
		}
		uses = append(uses, use{p.mem, write})
		return nil
	})
	if err != nil {
		return err
	}
	if !s.lend(1) {
		return errStreamClosed
	}
	defer s.lend(-1) // when what f gave the stream has been noted
	return s.occupy(context.Background(), uses, true, func() error { return f(s.raw.Handle()) })
}

// lend counts who has the stream's handle, so that it is not destroyed meanwhile:
// one more, unless it is being closed, or with -1 one less.
func (s *Stream) lend(n int) bool {
	o := &s.dev.order
	o.mu.Lock()
	defer o.mu.Unlock()
	if n > 0 && s.closing {
		return false
	}
	s.lent += n
	o.copied.Broadcast()
	return true
}

// occupy has what is used to itself while f puts work for it into the stream,
// which is not known here before f returns. If that is more than one call, what
// others give a device's only stream meanwhile must not come between: then it is
// tracked.
func (s *Stream) occupy(ctx context.Context, uses []use, several bool, f func() error) error {
	for _, u := range uses {
		release, ok := u.m.hold()
		if !ok {
			return fmt.Errorf("%s is %w", u.m.what, ErrClosed)
		}
		defer release()
	}
	o := &s.dev.order
	o.mu.Lock()
	if err := s.enter(ctx, uses, several); err != nil {
		o.mu.Unlock()
		return err
	}
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		s.leave(uses)
		o.mu.Unlock()
		o.copied.Broadcast()
	}()
	return f()
}

// enter returns when the uses may begin, and those who come later wait until
// they leave. The lock is held.
func (s *Stream) enter(ctx context.Context, uses []use, several bool) error {
	o := &s.dev.order
	for {
		if several {
			if err := s.dev.track(); err != nil {
				return err
			}
		}
		if err := s.admit(ctx, uses); err != nil {
			return err
		}
		if !several || o.several { // whoever was waited for may have ended the tracking
			break
		}
	}
	for _, u := range uses {
		u.m.access.enter(1, u.write)
	}
	s.enqueued++ // so that the stream does not pass for idle
	o.copying++
	return nil
}

func (s *Stream) leave(uses []use) {
	o := &s.dev.order
	o.copying--
	if o.several {
		o.relax()
	}
	var p *point
	if o.several && !s.closed {
		p, _ = s.next() // without one, who needs it makes one
	}
	s.noteAll(uses)
	if p != nil {
		_ = s.record(p) // likewise
	}
	for _, u := range uses {
		u.m.access.enter(-1, u.write)
	}
}
