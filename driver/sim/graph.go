package sim

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A graph is work to do again and again, with what comes after what.
type graph struct {
	ctx   *context
	nodes []*node // in the order in which they were added, which no dependency contradicts
}

// A node is a piece of work. Its handle is that of its copies in what was made ready, too.
type node struct {
	handle uintptr
	work   work
	after  []*node
	graph  *graph
	off    bool // of what was made ready: it is passed over
}

func (d *Driver) addNode(g *graph, n *node) {
	n.graph = g
	n.handle = put(d, d.nodes, n)
	g.nodes = append(g.nodes, n)
}

// dropGraph destroys a graph; what was made ready of it stays.
func (d *Driver) dropGraph(h uintptr) {
	d.dropNodes(d.graphs[h])
	delete(d.graphs, h)
}

func (d *Driver) dropNodes(g *graph) {
	for _, n := range g.nodes {
		delete(d.nodes, n.handle)
	}
}

// addTo adds work to a graph, by the first words of a cuGraphAdd…Node: where to put the handle, the graph, what comes before and how many.
func (d *Driver) addTo(a []uintptr, w work) driver.Result {
	g := d.graphs[a[1]]
	if g == nil {
		return driver.InvalidValue
	}
	if a[0] == 0 || a[3] > 0 && a[2] == 0 {
		return driver.InvalidValue
	}
	n := &node{work: w}
	for _, h := range callee.Slice[uintptr](a[2], int(a[3])) {
		before := d.nodes[h]
		if before == nil || before.graph != g || slices.Contains(n.after, before) {
			return driver.InvalidValue
		}
		n.after = append(n.after, before)
	}
	d.addNode(g, n)
	callee.Put(a[0], n.handle)
	return driver.Success
}

// An emptyWork does nothing.
type emptyWork struct{}

func (emptyWork) kind() driver.NodeKind     { return driver.EmptyNode }
func (emptyWork) run(moment) (span, *fault) { return 0, nil }

// A graphWork is a run of a whole graph: of one that was made ready, or as a node of another.
type graphWork struct {
	d     *Driver
	nodes []*node // never changed
}

func (*graphWork) kind() driver.NodeKind { return driver.ChildGraphNode }

// copyOf is a graph as it is now.
func (g *graph) copyOf(d *Driver) *graphWork {
	w := &graphWork{d: d}
	copies := map[*node]*node{}
	for _, n := range g.nodes {
		c := &node{handle: n.handle, work: n.work}
		for _, before := range n.after {
			c.after = append(c.after, copies[before])
		}
		copies[n] = c
		w.nodes = append(w.nodes, c)
	}
	return w
}

// run does one node after the other: in the order in which they were added, or under Worst in any that the dependencies allow.
func (w *graphWork) run(at moment) (span, *fault) {
	order := w.nodes
	if w.d.config.Scheduler == Worst {
		order = w.shuffled()
	}
	ends, end := map[*node]moment{}, at
	for _, n := range order {
		begin := at
		for _, before := range n.after {
			begin = max(begin, ends[before])
		}
		took, f := span(0), (*fault)(nil)
		if !n.off {
			took, f = n.work.run(begin)
		}
		if f != nil {
			return 0, f
		}
		ends[n] = begin + moment(took)
		end = max(end, ends[n])
	}
	return span(end - at), nil
}

func (w *graphWork) shuffled() []*node {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	done := map[*node]bool{}
	left, order := slices.Clone(w.nodes), []*node{}
	for len(left) > 0 {
		var free []int
		for i, n := range left {
			if !slices.ContainsFunc(n.after, func(before *node) bool { return !done[before] }) {
				free = append(free, i)
			}
		}
		i := free[w.d.queue.worst.rng.below(len(free))]
		order, done[left[i]] = append(order, left[i]), true
		left = slices.Delete(left, i, i+1)
	}
	return order
}
