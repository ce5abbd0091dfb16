package graph

import (
	"context"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// Event adds a moment: what it comes After has ended then. Each run sets it anew.
func (g *Graph) Event() (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: add event: %w", err)
	}
	ev, err := g.dev.Context().NewEvent(driver.EventConfig{Timing: true})
	if err != nil {
		return nil, fmt.Errorf("graph: add event: %w", err)
	}
	n := &Node{kind: Event, event: ev}
	n.enqueue = func(s *driver.Stream) error { return s.Record(ev) }
	n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) { return dg.AddRecord(ev, after...) }
	return g.join(n, "event")
}

// moment is the driver's event of a node that has had one in a run. The lock is
// held.
func (n *Node) moment() error {
	switch {
	case n.event == nil:
		return fmt.Errorf("%s is of kind %v, no event", n.Name(), n.kind)
	case n.number >= n.g.reached:
		return fmt.Errorf("%s has been in no run yet", n.Name())
	}
	return nil
}

// Synchronize waits until an event of the last run has happened, or ctx is done.
// If that run is one of an [Exec], it waits for all of the run, since CUDA does
// not tell that an event inside is yet to come. A wait holds a thread until the
// event has happened.
func (n *Node) Synchronize(ctx context.Context) error {
	if err := n.usable(); err != nil {
		return fmt.Errorf("graph: wait for an event: %w", err)
	}
	n.g.mu.Lock()
	err := n.moment()
	if err == nil {
		err = n.g.told()
	}
	event := n.event
	if n.g.native {
		event = n.g.over
	}
	n.g.mu.Unlock()
	if err != nil {
		return fmt.Errorf("graph: wait for an event: %w", err)
	}
	if err := n.await(ctx, event); err != nil {
		return fmt.Errorf("graph: wait for %s: %w", n.Name(), err)
	}
	return nil
}

// await waits by a call of the driver's, for the event as it is now: who asked now
// and then, as the waits of package rtc do that share a thread, might see nothing
// but the runs that come next.
func (n *Node) await(ctx context.Context, event *driver.Event) error {
	switch {
	case driver.InHostFunc():
		return rtc.ErrInHostFunc
	case ctx.Err() != nil:
		return n.g.wait(ctx)
	case ctx.Done() == nil:
		return event.Synchronize()
	}
	done := make(chan error, 1)
	go func() { done <- event.Synchronize() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return n.g.wait(ctx)
	}
}

// Since is the time on the device from one event of the last run to another.
// Both must have happened.
func (n *Node) Since(start *Node) (time.Duration, error) {
	for _, n := range []*Node{n, start} {
		err := n.usable()
		if err == nil {
			n.g.mu.Lock()
			err = n.moment()
			n.g.mu.Unlock()
		}
		if err != nil {
			return 0, fmt.Errorf("graph: time between events: %w", err)
		}
	}
	d, err := n.event.Elapsed(start.event)
	if err != nil {
		return 0, fmt.Errorf("graph: time from %s to %s: %w", start.Name(), n.Name(), err)
	}
	return d, nil
}
