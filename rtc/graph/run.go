package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// Run runs the graph over streams and waits until it has ended, or ctx is done;
// it goes on then. As a whole it is ordered with all other work of the device, as
// a launch is that reads and writes what its nodes do. Two runs do not overlap.
func (g *Graph) Run(ctx context.Context) error {
	if err := g.usable(); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("graph: run: %w", context.Cause(ctx))
	}
	if err := g.Enqueue(g.dev.Stream()); err != nil {
		return err
	}
	err := g.dev.Stream().Synchronize(ctx)
	if err != nil {
		return fmt.Errorf("graph: run: %w", because(err))
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.told(); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	return nil
}

// Enqueue is Run that does not wait: the run takes its place in s, others that
// the plan needs beside that are the graph's.
func (g *Graph) Enqueue(s *rtc.Stream) error {
	if err := g.usable(); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.start(s, nil); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	return nil
}

// start puts a run into s. around is called with each node, if it is not nil, to
// put it into its stream.
func (g *Graph) start(s *rtc.Stream, around func(n *Node, lane *driver.Stream) error) error {
	if err := g.planned(); err != nil {
		return err
	}
	if err := g.prepare(); err != nil {
		return err
	}
	if err := g.told(); err != nil {
		return fmt.Errorf("a run before: %w", err)
	}
	err := g.work.Enqueue(s, func(raw *driver.Stream) error {
		if err := g.follow(raw); err != nil {
			return err
		}
		return g.ready.run(g, raw, around)
	})
	if err != nil {
		return g.explain(because(err))
	}
	g.reached = max(g.reached, len(g.plan.Tasks))
	return nil
}

// follow has a run in raw wait for the one before, if that was put elsewhere.
func (g *Graph) follow(raw *driver.Stream) error {
	if g.last != nil && g.last != raw {
		err := g.last.Record(g.ended)
		switch {
		case errors.Is(err, driver.ErrClosed): // then it is complete
		case err != nil:
			return err
		default:
			if err := raw.Wait(g.ended); err != nil {
				return err
			}
		}
	}
	g.last, g.native = raw, false
	return nil
}

// A schedule is a plan as calls of the driver.
type schedule struct {
	plan  *Plan
	waits [][]*driver.Event // by task
	after []*driver.Event   // by task: to be recorded behind it; nil: none
	fork  []int             // by task: the stream that begins with it and must wait for the run's begin, or 0
	ends  []int             // streams whose end nothing else waits for
}

// prepare makes what the plan needs on the device.
func (g *Graph) prepare() error {
	if g.ready != nil {
		return nil
	}
	p := g.plan
	n := len(p.Tasks)
	c := &schedule{plan: p, waits: make([][]*driver.Event, n), after: make([]*driver.Event, n), fork: make([]int, n)}
	ctx := g.dev.Context()
	var err error
	for _, e := range []**driver.Event{&g.begun, &g.ended, &g.over} {
		if *e == nil {
			if *e, err = ctx.NewEvent(driver.EventConfig{}); err != nil {
				return err
			}
		}
	}
	for len(g.streams) < len(p.Streams)-1 {
		s, err := ctx.NewStream(driver.StreamConfig{})
		if err != nil {
			return err
		}
		g.streams = append(g.streams, s)
	}
	used := 0
	for _, w := range p.Waits {
		if c.after[w.From] == nil {
			if used == len(g.events) {
				e, err := ctx.NewEvent(driver.EventConfig{})
				if err != nil {
					return err
				}
				g.events = append(g.events, e)
			}
			c.after[w.From] = g.events[used]
			used++
		}
		c.waits[w.To] = append(c.waits[w.To], c.after[w.From])
	}
	// The first stream is the one that the run is put into. Another that begins
	// with a wait begins behind that by way of others; one whose last task is
	// waited for ends before the end of others.
	for s := 1; s < len(p.Streams); s++ {
		tasks := p.Streams[s].Tasks
		if first := tasks[0]; len(c.waits[first]) == 0 {
			c.fork[first] = s
		}
		if c.after[tasks[len(tasks)-1]] == nil {
			c.ends = append(c.ends, s)
		}
	}
	g.ready = c
	return nil
}

// run makes the calls. After a failure the streams are joined all the same: what
// was given to them is still to come.
func (c *schedule) run(g *Graph, raw *driver.Stream, around func(n *Node, lane *driver.Stream) error) error {
	lane := func(s int) *driver.Stream {
		if s == 0 {
			return raw
		}
		return g.streams[s-1]
	}
	if slices.ContainsFunc(c.fork, func(s int) bool { return s > 0 }) {
		if err := raw.Record(g.begun); err != nil {
			return err
		}
	}
	ends := c.ends
	var failed error
	for _, t := range c.plan.Order {
		if failed = c.step(g, t, lane(c.plan.Stream[t]), around); failed != nil {
			failed = fmt.Errorf("%s: %w", g.nodes[t].name, failed)
			ends = nil
			for s := 1; s < len(c.plan.Streams); s++ {
				ends = append(ends, s)
			}
			break
		}
	}
	for _, s := range ends {
		err := lane(s).Record(g.ended)
		if err == nil {
			err = raw.Wait(g.ended)
		}
		if err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// step puts one task into its stream.
func (c *schedule) step(g *Graph, t int, lane *driver.Stream, around func(n *Node, lane *driver.Stream) error) error {
	if c.fork[t] > 0 {
		if err := lane.Wait(g.begun); err != nil {
			return err
		}
	}
	for _, e := range c.waits[t] {
		if err := lane.Wait(e); err != nil {
			return err
		}
	}
	n, err := g.nodes[t], error(nil)
	if around != nil {
		err = around(n, lane)
	} else {
		err = n.enqueue(lane)
	}
	if err == nil && c.after[t] != nil {
		err = lane.Record(c.after[t])
	}
	return err
}
