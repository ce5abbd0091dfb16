package graph

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// A Node is a piece of work in a graph. [Graph.Kernel], [Graph.Copy] and the
// others add one.
//
// Safe for concurrent use. The Graph owns it.
type Node struct {
	g        *Graph      // nil in the zero Node, which can't be used
	number   int         // its place among the nodes
	on       *rtc.Device // nil: the graph's
	site     int         // the number of that
	kind     Kind
	name     atomic.Pointer[string] // not under the lock: a function of the host may ask while who has that waits for it
	config   NodeConfig
	after    []int
	wrong    error // with those
	reads    []rtc.Copyable
	writes   []rtc.Copyable
	measured time.Duration

	launch *rtc.Prepared // of a kernel
	args   []any
	event  *driver.Event // of an event
	own    *rtc.Array    // which the node copies from

	enqueue func(*driver.Stream) error
	add     func(g *driver.Graph, after []driver.Node) (driver.Node, error)
}

// A NodeConfig is what can be said of a node. The zero NodeConfig says nothing.
//
// Safe for concurrent use after it is made; its fields must not change.
type NodeConfig struct {
	Name  string        // for errors and pictures; "" keeps the one it has
	Owner string        // whose it is: see Config.PerOwner
	Cost  time.Duration // how long it takes; 0 is what was measured, if it was

	// Unordered waives the order that follows from what the node reads and
	// writes: After alone orders it. Two nodes that write the same elements must
	// be ordered all the same.
	Unordered bool
}

// Set says more about a node, and returns it. It does nothing to nil.
func (n *Node) Set(c NodeConfig) *Node {
	if n.usable() != nil {
		return n
	}
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	n.config, n.g.plan = c, nil
	if c.Name != "" {
		n.rename(c.Name)
	}
	return n
}

// After has the node come after others of the graph, in addition to those whose
// results it uses, and returns it. Nodes that come before themselves, a node of
// another graph and nil are errors of the plan. It does nothing to nil.
func (n *Node) After(others ...*Node) *Node {
	if n.usable() != nil {
		return n
	}
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	for _, o := range others {
		switch err := o.usable(); {
		case err != nil:
			n.wrong = fmt.Errorf("it is to come after a node: %w", err)
		case o.g != n.g:
			n.wrong = fmt.Errorf("it is to come after %s, which is of another graph", o.Name())
		default:
			n.after = append(n.after, o.number)
		}
	}
	n.g.plan = nil
	return n
}

// Name is the node's name: what was set, else that of its kernel or its kind,
// with a number if there are several. Nil has none.
func (n *Node) Name() string {
	if n.usable() != nil {
		return ""
	}
	return *n.name.Load()
}

func (n *Node) rename(name string) { n.name.Store(&name) }

// Kind is what the node does; nil does nothing, as Empty.
func (n *Node) Kind() Kind {
	if n.usable() != nil {
		return Empty
	}
	return n.kind
}

// Number is the node's place among those of the graph, and its number in plans;
// -1 for nil.
func (n *Node) Number() int {
	if n.usable() != nil {
		return -1
	}
	return n.number
}

// String is the name.
func (n *Node) String() string { return n.Name() }

func (n *Node) close() error {
	if n.event != nil {
		return n.event.Close()
	}
	return n.own.Close()
}
