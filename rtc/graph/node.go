package graph

import (
	"fmt"
	"time"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// A Node is a piece of work in a graph. [Graph.Kernel], [Graph.Copy] and the
// others add one.
//
// Safe for concurrent use. The Graph owns it.
type Node struct {
	g        *Graph
	number   int // its place among the nodes
	kind     Kind
	name     string
	config   NodeConfig
	after    []int
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

// Set says more about a node, and returns it.
func (n *Node) Set(c NodeConfig) *Node {
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	n.config, n.g.plan = c, nil
	if c.Name != "" {
		n.name = c.Name
	}
	return n
}

// After has the node come after others of the graph, in addition to those whose
// results it uses, and returns it. Nodes that come before themselves are an error
// of the plan; a node of another graph is misuse, and panics.
func (n *Node) After(others ...*Node) *Node {
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	for _, o := range others {
		if o.g != n.g {
			panic(fmt.Sprintf("graph: %s after %s, which is of another graph", n.name, o.name))
		}
		n.after = append(n.after, o.number)
	}
	n.g.plan = nil
	return n
}

// Name is the node's name: what was set, else that of its kernel or its kind,
// with a number if there are several.
func (n *Node) Name() string {
	n.g.mu.Lock()
	defer n.g.mu.Unlock()
	return n.name
}

// Kind is what the node does.
func (n *Node) Kind() Kind { return n.kind }

// Number is the node's place among those of the graph, and its number in plans.
func (n *Node) Number() int { return n.number }

// String is the name.
func (n *Node) String() string { return n.Name() }

func (n *Node) close() error {
	if n.event != nil {
		return n.event.Close()
	}
	return n.own.Close()
}
