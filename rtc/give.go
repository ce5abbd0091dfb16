package rtc

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A use is a piece of memory that work uses.
type use struct {
	m     *memory
	write bool
}

// give puts work into the stream, behind what it must not get ahead of.
func (s *Stream) give(work func(*driver.Stream) error, uses ...use) error {
	o := &s.dev.order
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := s.admit(uses); err != nil {
		return err
	}
	if !o.several {
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
// must not get ahead of. The lock is held, but not while copies are waited for.
func (s *Stream) admit(uses []use) error {
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
			o.copied.Wait()
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
// the stream's CUstream and puts its work there; what it reads and writes is
// ordered as for a launch. While f runs, launches that would be in the way of it
// wait; f itself must use none of the arrays through this package. An error of f
// is returned; the arrays then count as used all the same.
func (s *Stream) Do(reads, writes []*Array, f func(handle uintptr) error) error {
	if err := s.perform(reads, writes, f); err != nil {
		return fmt.Errorf("rtc: do: %w", err)
	}
	return nil
}

func (s *Stream) perform(reads, writes []*Array, f func(handle uintptr) error) error {
	if err := s.use(); err != nil {
		return err
	}
	if f == nil {
		return errors.New("the function is nil")
	}
	var uses []use
	for i, a := range append(reads[:len(reads):len(reads)], writes...) {
		if err := a.use(); err != nil {
			return fmt.Errorf("array %d: %w", i, err)
		}
		if a.mem.dev != s.dev {
			return fmt.Errorf("array %d: %v is on %s, the stream on device %d", i, a, a.mem.dev.other(s.dev), s.dev.ordinal)
		}
		uses = append(uses, use{a.mem, i >= len(reads)})
	}
	for _, u := range uses {
		release, ok := u.m.hold()
		if !ok {
			return fmt.Errorf("%s is %w", u.m.what, ErrClosed)
		}
		defer release()
	}
	o := &s.dev.order
	o.mu.Lock()
	if err := s.admit(uses); err != nil {
		o.mu.Unlock()
		return err
	}
	for _, u := range uses {
		u.m.access.enter(1, u.write)
	}
	s.enqueued++ // so that the stream does not pass for idle
	o.copying++
	o.mu.Unlock()

	defer func() {
		o.mu.Lock()
		o.copying--
		s.noteAll(uses)
		for _, u := range uses {
			u.m.access.enter(-1, u.write)
		}
		o.mu.Unlock()
		o.copied.Broadcast()
	}()
	return f(s.raw.Handle())
}
