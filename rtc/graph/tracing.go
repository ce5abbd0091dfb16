package graph

import (
	"slices"
	"time"

	"github.com/purecuda/purecuda/driver"
)

// A tracing is the events of a run that is measured. Nil is none.
type tracing struct {
	base     []*driver.Event // by device: the begin of the run there
	from, to []*driver.Event // by task
}

// tracing makes the events for a run of the plan.
func (g *Graph) tracing() (*tracing, error) {
	n := len(g.plan.Tasks)
	t := &tracing{make([]*driver.Event, len(g.sites)), make([]*driver.Event, n), make([]*driver.Event, n)}
	event := func(device int) (*driver.Event, error) {
		return g.sites[device].dev.Context().NewEvent(driver.EventConfig{Timing: true})
	}
	var err error
	for d := range t.base {
		if t.base[d], err = event(d); err != nil {
			return t, err
		}
	}
	for _, list := range [][]*driver.Event{t.from, t.to} {
		for i := range list {
			if list[i], err = event(g.plan.Tasks[i].Device); err != nil {
				return t, err
			}
		}
	}
	return t, nil
}

func (t *tracing) close() {
	if t == nil {
		return
	}
	for _, e := range slices.Concat(t.base, t.from, t.to) {
		_ = e.Close() // what it could fail for, the run has told
	}
}

// begin records the begin of the run on each device, once g.begun is recorded.
func (t *tracing) begin(c *schedule, g *Graph, raw *driver.Stream) error {
	if t == nil {
		return nil
	}
	if err := raw.Record(t.base[0]); err != nil {
		return err
	}
	for d := 1; d < len(t.base); d++ {
		s := slices.IndexFunc(c.plan.Streams, func(l Lane) bool { return l.Device == d })
		if s < 0 {
			continue
		}
		if err := c.lanes[s].Wait(g.begun); err != nil {
			return err
		}
		if err := c.lanes[s].Record(t.base[d]); err != nil {
			return err
		}
	}
	return nil
}

// around puts a node into its stream, between its events.
func (t *tracing) around(n *Node, lane *driver.Stream) error {
	if t == nil {
		return n.enqueue(lane)
	}
	if err := lane.Record(t.from[n.number]); err != nil {
		return err
	}
	if err := n.enqueue(lane); err != nil {
		return err
	}
	return lane.Record(t.to[n.number])
}

// times sets when the tasks began and ended. The first begins at 0.
func (t *tracing) times(p *Plan) error {
	n := len(p.Tasks)
	p.Start, p.End, p.Total = make([]time.Duration, n), make([]time.Duration, n), 0
	for i := range p.Tasks {
		base := t.base[p.Tasks[i].Device]
		var err error
		if p.Start[i], err = t.from[i].Elapsed(base); err != nil {
			return err
		}
		if p.End[i], err = t.to[i].Elapsed(base); err != nil {
			return err
		}
	}
	if n == 0 {
		return nil
	}
	first := slices.Min(p.Start)
	for i := range p.Tasks {
		p.Start[i] -= first
		p.End[i] -= first
	}
	p.Total = slices.Max(p.End)
	return nil
}
