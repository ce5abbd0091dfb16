package rtc

import (
	"context"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// A staging is pinned memory by way of which streams copy from Go's memory: a
// ring, whose pieces are given out one behind the other and come back in that
// order, when their copies have run.
type staging struct {
	dev   *Device
	size  int           // of the ring, in bytes
	turn  chan struct{} // has one element while nobody has all below to himself
	mem   *driver.HostMemory
	out   []piece // the oldest first
	spare []*driver.Event
	gone  bool
}

// A piece is a part of the ring, until its event has happened, which lies behind
// n pieces of work of s.
type piece struct {
	from, to int
	s        *Stream
	n        uint64
	ev       *driver.Event
}

const (
	stagingSize  = 4 << 20
	stagingAlign = 64
	stagingMost  = 1024 // pieces at once
)

func (g *staging) init(d *Device) {
	g.dev, g.size, g.turn = d, stagingSize, make(chan struct{}, 1)
	g.turn <- struct{}{}
}

// most is how much goes by way of one piece: so little that one is filled while
// others are copied.
func (g *staging) most() int { return g.size / 4 }

// send puts a copy of b to dst into s, whose uses are occupied. When it returns
// b is no longer needed.
func (g *staging) send(ctx context.Context, s *Stream, dst driver.Pointer, b []byte) error {
	select {
	case <-g.turn:
	case <-ctx.Done():
		return ended(ctx)
	}
	defer func() { g.turn <- struct{}{} }()
	from, err := g.take(ctx, len(b))
	if err != nil {
		return err
	}
	ev, err := g.event()
	if err != nil {
		return err
	}
	at := g.mem.Bytes()[from:][:len(b)]
	copy(at, b)
	o := &s.dev.order
	o.mu.Lock()
	defer o.mu.Unlock()
	if s.closing { // it waits for nothing that comes now
		err = errStreamClosed
	}
	if err == nil {
		err = s.raw.CopyToDevice(dst, at)
	}
	if err == nil {
		err = s.raw.Record(ev)
	}
	if err != nil {
		g.spare = append(g.spare, ev)
		return err
	}
	g.out = append(g.out, piece{from, from + len(b), s, s.enqueued, ev})
	return nil
}

// take is where n bytes are free, for which older pieces are waited for.
func (g *staging) take(ctx context.Context, n int) (from int, err error) {
	if g.gone {
		return 0, fmt.Errorf("device %d is %w", g.dev.ordinal, ErrClosed)
	}
	if g.mem == nil {
		if g.mem, err = g.dev.ctx.AllocHost(uint64(g.size), driver.HostConfig{}); err != nil {
			return 0, err
		}
	}
	for {
		for len(g.out) > 0 {
			happened, err := g.out[0].ev.Query()
			if err != nil {
				return 0, err
			}
			if !happened {
				break
			}
			g.back()
		}
		if from, ok := room(g.out, g.size, n); ok && len(g.out) < stagingMost {
			return from, nil
		}
		oldest := g.out[0]
		if err := g.dev.waiter.wait(ctx, wait{ev: oldest.ev, n: oldest.n, s: oldest.s, keep: true}); err != nil {
			return 0, err
		}
	}
}

// back takes the oldest piece back.
func (g *staging) back() {
	g.spare = append(g.spare, g.out[0].ev)
	g.out = slices.Delete(g.out, 0, 1)
}

// room is where a ring has n bytes in a row beside the pieces that are out.
func room(out []piece, size, n int) (from int, ok bool) {
	if len(out) == 0 {
		return 0, n <= size
	}
	first := out[0].from
	next := (out[len(out)-1].to + stagingAlign - 1) / stagingAlign * stagingAlign
	if next > first { // what is out does not go around the end, or ends where it begins
		if next+n <= size {
			return next, true
		}
		next = 0
	}
	return next, next+n <= first
}

// event is one that nobody uses.
func (g *staging) event() (*driver.Event, error) {
	if n := len(g.spare); n > 0 {
		ev := g.spare[n-1]
		g.spare = g.spare[:n-1]
		return ev, nil
	}
	return g.dev.ctx.NewEvent(driver.EventConfig{})
}

// close frees the ring, when the streams are closed.
func (g *staging) close() error {
	<-g.turn
	defer func() { g.turn <- struct{}{} }()
	g.gone = true
	for len(g.out) > 0 {
		g.back()
	}
	for _, ev := range g.spare {
		_ = ev.Close() // the context closes what is left
	}
	return g.mem.Close()
}
