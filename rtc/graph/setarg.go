package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// SetArg sets argument i, from 0, of a kernel, for the runs to come: those over
// streams, and in place those of every [Exec] of the graph, which is not
// instantiated anew. Another array may be set as long as what must come before
// what stays as it is; with an Exec that would not, it is refused. If it is
// refused, the argument stays as it was. CUDA 10.1 for an Exec that is native.
func (n *Node) SetArg(i int, v any) error {
	if err := n.usable(); err != nil {
		return fmt.Errorf("graph: set argument: %w", err)
	}
	if driver.InHostFunc() {
		return fmt.Errorf("graph: set argument of %s: %w", n.Name(), rtc.ErrInHostFunc)
	}
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	if err := n.set(i, v); err != nil {
		return fmt.Errorf("graph: set argument of %s: %w", n.Name(), err)
	}
	return nil
}

func (n *Node) set(i int, v any) error {
	g := n.g
	switch {
	case n.launch == nil:
		return fmt.Errorf("it is of kind %v, which has none", n.kind)
	case g.closed:
		return errClosed
	}
	if err := n.launch.SetArg(i, v); err != nil {
		return because(err)
	}
	old := n.args[i]
	if n.launch.Kernel().Signature().Params[i].Type.Kind == abi.Pointer {
		if err := n.rewire(); err != nil {
			n.restore(i, old)
			return err
		}
	}
	for _, x := range g.execs {
		if err := n.update(x); err != nil {
			n.restore(i, old)
			return err
		}
	}
	n.args[i] = v
	return nil
}

// rewire has plan and work follow the arrays of the launch.
func (n *Node) rewire() error {
	g := n.g
	n.use()
	g.plan = nil
	if len(g.execs) == 0 {
		return nil
	}
	if err := g.planned(); err != nil {
		return err
	}
	for _, x := range g.execs {
		if !sameEdges(x.edges, g.plan.Edges[:g.plan.first[x.count]]) {
			return errors.New("nodes would depend on each other otherwise than in what was instantiated: instantiate the graph anew")
		}
	}
	for _, x := range g.execs {
		x.work.Store(g.work) // what was added since waits without need, and does no harm
	}
	return nil
}

// update has a CUDA graph follow the launch.
func (n *Node) update(x *Exec) error {
	if x.raw == nil || n.number >= x.count {
		return nil
	}
	return x.raw.SetKernel(x.nodes[n.number], n.launch.Raw())
}

// restore sets what was set before. That can fail only if it was closed since,
// which the next run tells.
func (n *Node) restore(i int, old any) {
	if n.launch.SetArg(i, old) == nil {
		_ = n.rewire()
		for _, x := range n.g.execs {
			_ = n.update(x)
		}
	}
}

// sameEdges reports whether the same tasks come before the same; by which memory
// does not matter.
func sameEdges(a, b []Edge) bool {
	return slices.EqualFunc(a, b, func(x, y Edge) bool { return x.From == y.From && x.To == y.To })
}
