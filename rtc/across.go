package rtc

import (
	"context"
	"fmt"
)

// CopyTo makes an array like a with o, which may be on another device, and
// copies a's elements there. It returns when the copy is in the queue of that
// device's own stream, ordered on both devices as a launch is. Between devices
// of one driver the copy goes directly where they can reach each other's memory,
// else by way of the host; between a GPU and a simulated device it is made
// before CopyTo returns. The one who calls closes the new array, or its owner does.
func (a *Array) CopyTo(o Owner) (*Array, error) {
	b, err := a.copyTo(o)
	if err != nil {
		return nil, fmt.Errorf("rtc: copy to: %w", err)
	}
	return b, nil
}

func (a *Array) copyTo(o Owner) (*Array, error) {
	if err := a.use(); err != nil {
		return nil, err
	}
	b, err := newArray(o, a.dtype, a.shape)
	if err != nil {
		return nil, err
	}
	d := b.mem.dev
	if d.drv == a.mem.dev.drv {
		err = d.stream.copy(b, a)
	} else {
		err = a.stage(b)
	}
	if err != nil {
		_ = b.Close() // the first error is the one that counts
		return nil, err
	}
	return b, nil
}

// copyAcross copies between arrays of two devices, one of them the stream's.
func (s *Stream) copyAcross(to, from place) error {
	mine, theirs := use{to.mem, true}, use{from.mem, false}
	if from.mem.dev == s.dev {
		mine, theirs = use{from.mem, false}, use{to.mem, true}
	}
	d, e := s.dev, theirs.m.dev
	if err := e.reachable(d); err != nil {
		return err
	}
	unlock, err := s.admitBoth(mine, theirs)
	if err != nil {
		return err
	}
	defer unlock()
	if err := s.followAcross(mine, theirs); err != nil {
		return err
	}
	p, err := s.next()
	if err != nil {
		return err
	}
	s.noteAll([]use{mine})
	err = s.raw.CopyPeer(to.array.pointer(), to.mem.dev.ctx, from.array.pointer(), from.mem.dev.ctx, uint64(to.array.Bytes()))
	if err != nil {
		return err
	}
	if err := s.record(p); err != nil {
		return err
	}
	// On the other device the copy counts as work of the stream for copies: each
	// device's memory knows marks of its own streams alone.
	c := e.order.copies
	if err := c.raw.Wait(p.ev); err != nil {
		return err
	}
	q, err := c.next()
	if err != nil {
		return err
	}
	c.noteAll([]use{theirs})
	return c.record(q)
}

func (s *Stream) followAcross(mine, theirs use) error {
	e := theirs.m.dev
	if err := e.track(); err != nil {
		return err
	}
	s.need(&mine.m.access, mine.write)
	s.needMark(e.order.untracked)
	s.need(&theirs.m.access, theirs.write)
	return s.follow()
}

// admitBoth returns with the locks of both devices when the uses may begin. The
// device that was opened first is locked first.
func (s *Stream) admitBoth(mine, theirs use) (unlock func(), err error) {
	first, second := &s.dev.order, &theirs.m.dev.order
	if second.number < first.number {
		first, second = second, first
	}
	for {
		first.mu.Lock()
		second.mu.Lock()
		unlock = func() { second.mu.Unlock(); first.mu.Unlock() }
		if s.closing {
			err = errStreamClosed
		}
		var wait *ordering
		for _, u := range []use{mine, theirs} {
			if u.m.closed() {
				err = fmt.Errorf("%s is %w", u.m.what, ErrClosed)
			}
			if u.m.access.busy(u.write) {
				wait = &u.m.dev.order
			}
		}
		if err != nil {
			unlock()
			return nil, err
		}
		if wait == nil {
			return unlock, nil
		}
		// Nobody may wait for one device with the lock of the other.
		if wait == first {
			second.mu.Unlock()
		} else {
			first.mu.Unlock()
		}
		wait.copied.Wait()
		wait.mu.Unlock()
	}
}

// reachable makes the memory of d and e reachable from each other, if the
// hardware has it; else the driver copies by way of the host.
func (d *Device) reachable(from *Device) error {
	if err := d.use(); err != nil {
		return err
	}
	if d.ctx == from.ctx || d.ordinal == from.ordinal {
		return nil
	}
	for _, pair := range [][2]*Device{{d, from}, {from, d}} {
		a, b := pair[0], pair[1]
		if _, known := a.peers.Load(b.ordinal); known {
			continue
		}
		can, err := a.dev.CanAccessPeer(b.dev)
		if err != nil {
			return err
		}
		if can {
			if err := a.ctx.EnablePeer(b.ctx); err != nil {
				return err
			}
		}
		a.peers.Store(b.ordinal, can)
	}
	return nil
}

// stage copies a to an array like it of another driver.
func (a *Array) stage(b *Array) error {
	buffer := make([]byte, a.Bytes())
	if err := a.read(context.Background(), buffer); err != nil {
		return err
	}
	return b.write(buffer)
}
