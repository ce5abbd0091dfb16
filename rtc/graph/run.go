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
// it goes on then, but for one that a function of [rtc.Stream.Do] was in the way
// of, which is not begun. As a whole it is ordered with all other work of the device, as
// a launch is that reads and writes what its nodes do. Two runs do not overlap.
func (g *Graph) Run(ctx context.Context) error {
	if err := g.usable(); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	if ctx.Err() == nil {
		if _, _, err := g.give(ctx, g.dev.Stream(), false); err != nil {
			return fmt.Errorf("graph: run: %w", err)
		}
	}
	if err := g.wait(ctx); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	return nil
}

// wait waits for the run that the device's stream was given, and is its error. A
// context that has ended already is an error at once.
func (g *Graph) wait(ctx context.Context) error {
	if err := g.dev.Stream().Synchronize(ctx); err != nil {
		return because(err)
	}
	return g.told()
}

// Enqueue is Run that does not wait: the run takes its place in s, others that
// the plan needs beside that are the graph's.
func (g *Graph) Enqueue(s *rtc.Stream) error {
	if err := g.usable(); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	if _, _, err := g.give(context.Background(), s, false); err != nil {
		return fmt.Errorf("graph: run: %w", err)
	}
	return nil
}

// give puts a run into s, when nothing is in its way or until ctx is done; with
// traced there is a trace of it, to be closed. The lock is not held while others
// are waited for: who comes meanwhile has a context, too.
func (g *Graph) give(ctx context.Context, s *rtc.Stream, traced bool) (*Plan, *tracing, error) {
	for {
		p, t, work, err := g.try(s, traced)
		if work == nil {
			return p, t, err
		}
		t.close()
		if err := g.await(ctx, work); err != nil {
			return nil, nil, err
		}
	}
}

// try is give that does not wait: behind is what to wait for, if that must be.
func (g *Graph) try(s *rtc.Stream, traced bool) (p *Plan, t *tracing, behind *rtc.Work, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.planned(); err != nil {
		return nil, nil, nil, err
	}
	if traced {
		if t, err = g.tracing(); err != nil {
			return nil, t, nil, err
		}
	}
	given, err := g.start(s, t)
	if err == nil && !given {
		behind = g.work
	}
	return g.plan, t, behind, err
}

// await waits until nothing is in the way of work. The lock is not held.
func (g *Graph) await(ctx context.Context, work *rtc.Work) error {
	err := work.Await(ctx)
	if err == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.explain(because(err))
}

// start puts a run into s, with a trace of it if t is not nil. It reports whether
// it did, or something is in its way.
func (g *Graph) start(s *rtc.Stream, t *tracing) (given bool, err error) {
	if err := g.prepare(); err != nil {
		return false, err
	}
	if err := g.told(); err != nil {
		return false, fmt.Errorf("a run before: %w", err)
	}
	given, err = g.work.TryEnqueue(s, func(raw *driver.Stream) error {
		if err := g.follow(raw); err != nil {
			return err
		}
		return g.ready.run(g, raw, t)
	})
	if err != nil {
		return false, g.explain(because(err))
	}
	if given {
		g.reached = max(g.reached, len(g.plan.Tasks))
	}
	return given, nil
}

// follow has a run in raw wait for the one before, if that was put elsewhere.
func (g *Graph) follow(raw *driver.Stream) error {
	if last := g.last.In(); last != nil && last != raw {
		ended := g.sites[0].ended
		err := last.Record(ended)
		switch {
		case errors.Is(err, driver.ErrClosed): // then it is complete
		case err != nil:
			return err
		default:
			if err := raw.Wait(ended); err != nil {
				return err
			}
		}
	}
	g.last, g.native = g.work.Did(raw, nil), false
	return nil
}

// A schedule is a plan as calls of the driver.
type schedule struct {
	plan   *Plan
	home   int               // the plan's stream that is the one which a run is put into; -1: none
	lanes  []*driver.Stream  // the others
	waits  [][]*driver.Event // by task
	after  []*driver.Event   // by task: to be recorded behind it; nil: none
	forks  []bool            // by task: its stream begins with it, and must wait for the run's begin
	forked bool              // some do
	ends   []int             // streams whose end nothing else waits for
}

// prepare makes what the plan needs on the devices.
func (g *Graph) prepare() error {
	if g.ready != nil {
		return nil
	}
	if err := g.moments(); err != nil {
		return err
	}
	p := g.plan
	n := len(p.Tasks)
	c := &schedule{plan: p, lanes: make([]*driver.Stream, len(p.Streams)),
		waits: make([][]*driver.Event, n), after: make([]*driver.Event, n), forks: make([]bool, n)}
	streams, events := make([]int, len(g.sites)), make([]int, len(g.sites)) // how many are in use
	c.home = slices.IndexFunc(p.Streams, func(l Lane) bool { return l.Device == 0 })
	var err error
	for s, lane := range p.Streams {
		if s == c.home {
			continue
		}
		if c.lanes[s], err = g.sites[lane.Device].stream(streams[lane.Device]); err != nil {
			return err
		}
		streams[lane.Device]++
	}
	for _, w := range p.Waits {
		if c.after[w.From] == nil {
			d := p.Tasks[w.From].Device
			if c.after[w.From], err = g.sites[d].event(events[d]); err != nil {
				return err
			}
			events[d]++
		}
		c.waits[w.To] = append(c.waits[w.To], c.after[w.From])
	}
	// A stream that begins with a wait begins behind the run's begin by way of
	// others; one whose last task is waited for ends before the end of others.
	for s, lane := range p.Streams {
		if s == c.home {
			continue
		}
		if first := lane.Tasks[0]; len(c.waits[first]) == 0 {
			c.forks[first], c.forked = true, true
		}
		if c.after[lane.Tasks[len(lane.Tasks)-1]] == nil {
			c.ends = append(c.ends, s)
		}
	}
	g.ready = c
	return nil
}

// moments makes the events for a run's begin and end.
func (g *Graph) moments() error {
	for _, e := range []**driver.Event{&g.begun, &g.over} {
		if err := g.sites[0].make(e); err != nil {
			return err
		}
	}
	for _, s := range g.sites {
		if err := s.make(&s.ended); err != nil {
			return err
		}
	}
	return nil
}

// lane is a stream of the plan in a run in raw.
func (c *schedule) lane(s int, raw *driver.Stream) *driver.Stream {
	if s == c.home {
		return raw
	}
	return c.lanes[s]
}

// run makes the calls, with those of a trace if there is one. After a failure the
// streams are joined all the same: what was given to them is still to come.
func (c *schedule) run(g *Graph, raw *driver.Stream, t *tracing) error {
	if c.forked || t != nil {
		if err := raw.Record(g.begun); err != nil {
			return err
		}
	}
	ends := c.ends
	failed := c.steps(g, raw, t)
	if failed != nil {
		ends = nil
		for s := range c.plan.Streams {
			if s != c.home {
				ends = append(ends, s)
			}
		}
	}
	for _, s := range ends {
		ended := g.sites[c.plan.Streams[s].Device].ended
		err := c.lanes[s].Record(ended)
		if err == nil {
			err = raw.Wait(ended)
		}
		if err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// steps puts all tasks into their streams.
func (c *schedule) steps(g *Graph, raw *driver.Stream, t *tracing) error {
	if err := t.begin(c, g, raw); err != nil {
		return err
	}
	for _, task := range c.plan.Order {
		if err := c.step(g, task, c.lane(c.plan.Stream[task], raw), t); err != nil {
			return fmt.Errorf("%s: %w", g.nodes[task], err)
		}
	}
	return nil
}

func (c *schedule) step(g *Graph, task int, lane *driver.Stream, t *tracing) error {
	if c.forks[task] {
		if err := lane.Wait(g.begun); err != nil {
			return err
		}
	}
	for _, e := range c.waits[task] {
		if err := lane.Wait(e); err != nil {
			return err
		}
	}
	if err := t.around(g.nodes[task], lane); err != nil {
		return err
	}
	if c.after[task] != nil {
		return lane.Record(c.after[task])
	}
	return nil
}
