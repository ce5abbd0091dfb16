package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// A Trace is a run that was measured, by events on the device. [Graph.Trace] makes
// one; that of a plan that was not run shows when its tasks would run if each took
// what it costs. The zero Trace is of no tasks.
//
// Safe for concurrent use after it is made; its fields must not change.
type Trace struct {
	// Plan is the plan that was run, with what its tasks cost, when they began and
	// ended, and the critical path, as measured in that run. Its pictures show it.
	Plan *Plan
}

// Trace runs the graph over streams, as [Graph.Run] does, with events around each
// node, and waits until it has ended. What the nodes took is what they cost in
// plans from now on, but for those whose NodeConfig says it. The events cost a
// few microseconds a node themselves. The first run of a kernel takes longer than
// others: run the graph once before. Devices have clocks of their own: those of
// several are taken to agree at the run's begin, which they do but for the few
// microseconds that the news of it takes.
func (g *Graph) Trace(ctx context.Context) (*Trace, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: trace: %w", err)
	}
	t, err := g.trace(ctx)
	if err != nil {
		return nil, fmt.Errorf("graph: trace: %w", err)
	}
	return t, nil
}

func (g *Graph) trace(ctx context.Context) (*Trace, error) {
	if ctx.Err() != nil {
		return nil, g.wait(ctx)
	}
	p, t, err := g.give(ctx, g.dev.Stream(), true)
	defer t.close()
	if err != nil {
		return nil, err
	}
	// The lock is not held meanwhile: host functions of the run may ask for it.
	if err := g.wait(ctx); err != nil {
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	run := *p
	run.Tasks, run.Critical = slices.Clone(p.Tasks), nil
	if err := t.times(&run); err != nil {
		return nil, err
	}
	for i := range run.Tasks {
		g.nodes[i].measured = max(run.End[i]-run.Start[i], 1)
		run.Tasks[i].Cost = g.nodes[i].measured
	}
	run.tails()
	g.plan = nil
	return &Trace{Plan: &run}, nil
}

// A traceEvent is one of Chrome's trace format.
type traceEvent struct {
	Name  string         `json:"name"`
	Kind  string         `json:"cat,omitempty"`
	Phase string         `json:"ph"`
	Time  float64        `json:"ts"` // microseconds
	Took  *float64       `json:"dur,omitempty"`
	PID   int            `json:"pid"`
	TID   int            `json:"tid"`
	ID    int            `json:"id,omitempty"`
	Bind  string         `json:"bp,omitempty"`
	Args  map[string]any `json:"args,omitempty"`
}

// JSON is the run as a trace file, which Perfetto (ui.perfetto.dev) and Chrome
// (chrome://tracing) show: streams as threads, and arrows for waits between them.
func (t *Trace) JSON() []byte {
	p := &Plan{}
	if t != nil && t.Plan != nil {
		p = t.Plan
	}
	micro := func(d time.Duration) float64 { return float64(d) / 1e3 }
	events := []traceEvent{}
	for s := range p.Streams {
		events = append(events, traceEvent{Name: "thread_name", Phase: "M", TID: s, Args: map[string]any{"name": p.title(s)}})
	}
	critical := p.onCritical()
	for _, n := range p.Order {
		took := micro(p.End[n] - p.Start[n])
		args := map[string]any{"node": n}
		if o := p.Tasks[n].Owner; o != "" {
			args["owner"] = o
		}
		if critical[n] {
			args["critical"] = true
		}
		events = append(events, traceEvent{Name: p.name(n), Kind: p.Tasks[n].Kind.String(), Phase: "X", Time: micro(p.Start[n]), Took: &took, TID: p.Stream[n], Args: args})
	}
	for i, w := range p.Waits {
		events = append(events,
			traceEvent{Name: "wait", Kind: "event", Phase: "s", ID: i + 1, Time: micro(p.End[w.From]), TID: p.Stream[w.From]},
			traceEvent{Name: "wait", Kind: "event", Phase: "f", Bind: "e", ID: i + 1, Time: micro(p.Start[w.To]), TID: p.Stream[w.To]})
	}
	text, err := json.MarshalIndent(map[string]any{"traceEvents": events, "displayTimeUnit": "ns"}, "", "\t")
	if err != nil {
		panic("graph: a trace that is no JSON: " + err.Error()) // it has numbers and strings alone
	}
	return append(text, '\n')
}
