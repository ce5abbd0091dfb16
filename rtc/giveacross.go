package rtc

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// A part is what work that is given to a stream of one device uses of another.
type part struct {
	dev  *Device
	uses []use
}

// giveAcross is give for work that uses memory of other devices as well. Each
// device's memory knows marks of its own streams alone, so there the work counts
// as that of the stream for copies.
func (s *Stream) giveAcross(work func(*driver.Stream) error, mine []use, parts []part) error {
	unlock, err := s.admitAcross(mine, parts)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.followAcross(mine, parts); err != nil {
		return err
	}
	p, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll(mine)
	errs := []error{work(s.raw)} // which may have begun
	if err := s.record(p); err != nil {
		return joined(append(errs, err)...)
	}
	for _, part := range parts {
		errs = append(errs, part.dev.order.copies.stand(p, part.uses))
	}
	return joined(errs...)
}

// stand has the stream for copies wait for a point of another device, as for work
// of its own that has the uses.
func (s *Stream) stand(p *point, uses []use) error {
	if err := s.raw.Wait(p.ev); err != nil {
		return err
	}
	q, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll(uses)
	return s.record(q)
}

// followAcross makes what is given to s from now on wait for what the uses must
// not get ahead of, on all devices.
func (s *Stream) followAcross(mine []use, parts []part) error {
	for _, p := range parts { // before anything is noted as needed
		if err := p.dev.track(); err != nil {
			return err
		}
	}
	for _, u := range mine {
		s.need(&u.m.access, u.write)
	}
	for _, p := range parts {
		s.needMark(p.dev.order.untracked)
		for _, u := range p.uses {
			s.need(&u.m.access, u.write)
		}
	}
	return s.follow()
}

// admitAcross returns with the locks of all devices when the uses may begin. The
// device that was opened first is locked first.
func (s *Stream) admitAcross(mine []use, parts []part) (unlock func(), err error) {
	orders := []*ordering{&s.dev.order}
	uses := slices.Clone(mine)
	for _, p := range parts {
		orders = append(orders, &p.dev.order)
		uses = append(uses, p.uses...)
	}
	slices.SortFunc(orders, func(a, b *ordering) int { return cmp.Compare(a.number, b.number) })
	for {
		for _, o := range orders {
			o.mu.Lock()
		}
		unlock = func() {
			for _, o := range slices.Backward(orders) {
				o.mu.Unlock()
			}
		}
		wait, err := s.inTheWay(uses)
		switch {
		case err != nil:
			unlock()
			return nil, err
		case wait == nil:
			return unlock, nil
		}
		// Nobody may wait for one device with the lock of another.
		for _, o := range slices.Backward(orders) {
			if o != wait {
				o.mu.Unlock()
			}
		}
		wait.copied.Wait()
		wait.mu.Unlock()
	}
}

// inTheWay is a device where a copy must end before the uses may begin.
func (s *Stream) inTheWay(uses []use) (wait *ordering, err error) {
	if s.closing {
		return nil, errStreamClosed
	}
	for _, u := range uses {
		if u.m.closed() {
			return nil, fmt.Errorf("%s is %w", u.m.what, ErrClosed)
		}
		if u.m.access.busy(u.write) {
			wait = &u.m.dev.order
		}
	}
	return wait, nil
}
