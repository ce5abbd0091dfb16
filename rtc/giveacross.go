package rtc

import (
	"cmp"
	"context"
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
func (s *Stream) giveAcross(ctx context.Context, work func(*driver.Stream) error, mine []use, parts []part) error {
	orders, err := s.admitAcross(ctx, mine, parts)
	if err != nil {
		return err
	}
	defer unlock(orders, nil)
	if err := s.followAcross(mine, parts); err != nil {
		return err
	}
	p, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll(mine)
	failed := work(s.raw) // and may have begun
	if err := s.record(p); err != nil {
		if failed == nil {
			failed = err
		}
		return failed
	}
	for _, part := range parts {
		if err := part.dev.order.copies.stand(s, p, part.uses); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// stand has the stream for copies wait for a point of a stream of another device,
// as for work of its own that has the uses.
func (s *Stream) stand(of *Stream, p *point, uses []use) error {
	if err := s.raw.Wait(p.ev); err != nil {
		return err
	}
	q, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll(uses)
	q.of = mark{of, p.n}
	return s.record(q)
}

// stood reports whether the mark, of a write on another device, stands for work
// that s comes behind anyway. That of a read may stand for others as well.
func (s *Stream) stood(m mark) bool {
	if m.s == nil || m.s.dev == s.dev || m.s.ring == nil {
		return false
	}
	p := &m.s.ring[m.n%ringSize]
	return p.n == m.n && p.of.s != nil && p.of.s.dev == s.dev && s.behind(p.of)
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
		if m := p.dev.order.untracked; !slices.Contains(s.met, m) {
			s.needMark(m)
		}
		for _, u := range p.uses {
			s.need(&u.m.access, u.write)
		}
	}
	if err := s.follow(); err != nil {
		return err
	}
	for _, p := range parts {
		s.meet(p.dev.order.untracked)
	}
	return nil
}

// meet notes that s waits for what the first stream of another device was given
// before that was tracked.
func (s *Stream) meet(m mark) {
	if m.s == nil || m.s.dev == s.dev {
		return
	}
	i := slices.IndexFunc(s.met, func(old mark) bool { return old.s == m.s })
	if i < 0 {
		i, s.met = len(s.met), append(s.met, mark{})
	}
	s.met[i] = m
}

// admitAcross returns with all locks, in their order, when the uses may begin,
// or with none and an error.
func (s *Stream) admitAcross(ctx context.Context, mine []use, parts []part) ([]*ordering, error) {
	orders := []*ordering{&s.dev.order}
	for _, p := range parts {
		orders = append(orders, &p.dev.order)
	}
	// The device that was opened first is locked first.
	slices.SortFunc(orders, func(a, b *ordering) int { return cmp.Compare(a.number, b.number) })
	for {
		for _, o := range orders {
			o.mu.Lock()
		}
		wait, err := s.inTheWay(mine, parts)
		switch {
		case err != nil:
			unlock(orders, nil)
			return nil, err
		case wait == nil:
			return orders, nil
		}
		// Nobody may wait for one device with the lock of another.
		unlock(orders, wait)
		err = wait.await(ctx)
		wait.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

// unlock gives the locks back, but for one.
func unlock(orders []*ordering, but *ordering) {
	for _, o := range slices.Backward(orders) {
		if o != but {
			o.mu.Unlock()
		}
	}
}

// inTheWay is a device where a copy must end before the uses may begin.
func (s *Stream) inTheWay(mine []use, parts []part) (wait *ordering, err error) {
	if s.closing {
		return nil, errStreamClosed
	}
	if wait, err = ends(mine); err != nil {
		return nil, err
	}
	for _, p := range parts {
		w, err := ends(p.uses)
		if err != nil {
			return nil, err
		}
		if w != nil {
			wait = w
		}
	}
	return wait, nil
}

// ends is the device of the uses, which are of one, if a copy there must end first.
func ends(uses []use) (wait *ordering, err error) {
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
