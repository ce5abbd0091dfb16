package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// An Exec is a graph made ready to be run by a single call: a CUDA graph. What is
// added to the Graph later is not in it; [Node.SetArg] reaches it.
//
// Safe for concurrent use. The caller closes it, or the Graph does.
type Exec struct {
	g      *Graph
	raw    *driver.ExecGraph // nil: the driver has no CUDA graphs, and runs go over streams
	work   atomic.Pointer[rtc.Work]
	from   *driver.Graph // what raw was made from: its nodes name those of raw, as long as it is there
	nodes  []driver.Node // of that, by number
	count  int           // of nodes
	events bool          // are among them
	edges  []Edge
	launch func(*driver.Stream) error
	closed bool

	_ [16]byte // has it begin a cache line, see TestCacheLines
}

// Instantiate makes a CUDA graph of the nodes, with the edges of the plan; on
// which streams they run CUDA decides. Where the driver lacks what that takes
// (graphs came with CUDA 10.0, events in them with 11.1), or refuses a node as not
// supported, runs go over streams, which [Exec.Native] tells.
func (g *Graph) Instantiate() (*Exec, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: instantiate: %w", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	x, err := g.instantiate()
	if err != nil {
		return nil, fmt.Errorf("graph: instantiate: %w", err)
	}
	g.execs = append(g.execs, x)
	return x, nil
}

func (g *Graph) instantiate() (*Exec, error) {
	err := g.planned()
	if err == nil {
		err = g.prepare()
	}
	if err != nil {
		return nil, err
	}
	x := &Exec{g: g, count: len(g.nodes), edges: g.plan.Edges}
	x.work.Store(g.work)
	x.events = slices.ContainsFunc(g.nodes, func(n *Node) bool { return n.kind == Event })
	ready := g.ready
	begin := x.begin
	if err = x.build(); err != nil {
		_ = x.from.Close() // the first error is the one that counts
	}
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, driver.NotSupported) {
		begin = func(s *driver.Stream) error { return ready.run(g, s, nil) }
		x.raw, x.nodes, err = nil, nil, nil
	}
	x.launch = func(s *driver.Stream) error {
		err := g.follow(s)
		if err == nil {
			err = begin(s)
		}
		if err == nil && x.raw != nil && !x.events {
			g.last = x.work.Load().Did(s, x.raw)
		}
		return err
	}
	return x, err
}

// build makes the CUDA graph.
func (x *Exec) build() error {
	g := x.g
	var err error
	if x.from, err = g.dev.Context().NewGraph(); err != nil {
		return err
	}
	x.nodes = make([]driver.Node, len(g.nodes))
	var after []driver.Node
	for _, t := range g.plan.Order {
		after = after[:0]
		for _, e := range g.plan.Before(t) {
			after = append(after, x.nodes[e.From])
		}
		if x.nodes[t], err = g.nodes[t].add(x.from, after); err != nil {
			return fmt.Errorf("%s: %w", g.nodes[t], err)
		}
	}
	x.raw, err = x.from.Instantiate()
	return err
}

// begin launches the CUDA graph. Its events say nothing new before they are
// reached, so there is one behind it.
func (x *Exec) begin(s *driver.Stream) error {
	if err := x.raw.Launch(s); err != nil || !x.events {
		return err
	}
	x.g.native = true
	return s.Record(x.g.over)
}

// Native reports whether this is a CUDA graph; if not, runs go over streams.
func (x *Exec) Native() bool { return x != nil && x.raw != nil }

// String is how many nodes there are, and how they are run.
func (x *Exec) String() string {
	switch {
	case x == nil || x.g == nil:
		return "no graph"
	case x.raw == nil:
		return fmt.Sprintf("graph of %d nodes, over streams", x.count)
	}
	return fmt.Sprintf("CUDA graph of %d nodes", x.count)
}

// Launch puts a run into s and returns. It is ordered as [Graph.Run] is.
func (x *Exec) Launch(s *rtc.Stream) error {
	if x != nil && x.g != nil && x.g.panicked.Load() == nil && s != nil && s.Device() == x.g.dev && x.work.Load().Repeat(s, x.raw, &x.g.last) {
		return nil
	}
	return x.launchFirst(s)
}

// launchFirst is Launch where more is to be done, or said.
func (x *Exec) launchFirst(s *rtc.Stream) error {
	if err := x.usable(); err != nil {
		return fmt.Errorf("graph: launch: %w", err)
	}
	for {
		work, err := x.try(s)
		if err == nil && work != nil {
			err = x.g.await(context.Background(), work)
		}
		if err != nil {
			return fmt.Errorf("graph: launch: %w", err)
		}
		if work == nil {
			return nil
		}
	}
}

// try is launchFirst that does not wait: behind is what to wait for, if that must
// be.
func (x *Exec) try(s *rtc.Stream) (behind *rtc.Work, err error) {
	g := x.g
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.closed:
		return nil, errClosed
	case x.closed:
		return nil, fmt.Errorf("the Exec is %w", rtc.ErrClosed)
	}
	if err := g.told(); err != nil {
		return nil, fmt.Errorf("a run before: %w", err)
	}
	work := x.work.Load()
	given, err := work.TryEnqueue(s, x.launch)
	switch {
	case err != nil:
		return nil, g.explain(because(err))
	case !given:
		return work, nil
	}
	g.reached = max(g.reached, x.count)
	return nil, nil
}

// Close gives the CUDA graph back when its runs have ended. It is safe on nil,
// and later calls do nothing.
func (x *Exec) Close() error {
	switch err := x.usable(); {
	case errors.Is(err, rtc.ErrInHostFunc):
		return fmt.Errorf("graph: close: %w", err)
	case err != nil:
		return nil
	}
	x.g.mu.Lock()
	x.closed = true
	x.g.execs = slices.DeleteFunc(x.g.execs, func(y *Exec) bool { return y == x })
	x.g.mu.Unlock() // before runs are waited for, whose host functions may ask for it
	if err := errors.Join(unlessClosed([]error{x.raw.Close(), x.from.Close()})...); err != nil {
		return fmt.Errorf("graph: close: %w", err)
	}
	return nil
}
