package sim

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// An exec is a graph that was made ready to run.
type exec struct {
	ctx  *context
	work *graphWork // replaced as a whole: a run that is enqueued does what was meant then
	mark mark       // behind the last run: two don't overlap
}

// changed is a copy of the work to change. f is called with the node of that handle, which is one of the graph that this was made from: with
// that destroyed nothing can be changed any more (H200, driver 580).
func (x *exec) changed(d *Driver, h uintptr, f func(n *node) driver.Result) driver.Result {
	if d.nodes[h] == nil {
		return driver.InvalidValue
	}
	w := (&graph{nodes: x.work.nodes}).copyOf(d)
	for i, n := range w.nodes {
		n.off = x.work.nodes[i].off
	}
	i := slices.IndexFunc(w.nodes, func(n *node) bool { return n.handle == h })
	if i < 0 {
		return driver.InvalidValue
	}
	r := f(w.nodes[i])
	if r == driver.Success {
		x.work = w
	}
	return r
}

// launch puts a run into a stream, after the run before.
func (x *exec) launch(d *Driver, s *stream) driver.Result {
	if s.ctx != x.ctx {
		return driver.InvalidHandle
	}
	if s.capture != nil {
		s.capture.spoil()
		return driver.StreamCaptureUnsupported
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	waits := x.work.waits(nil)
	if x.mark.s != nil {
		waits = append(waits, x.mark)
	}
	d.queue.add(s, x.work, nil, waits...)
	x.mark = s.mark()
	return driver.Success
}

// Why a graph can't take over another's nodes (CUgraphExecUpdateResult).
const (
	updateTopology = 2 // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
	updateKind     = 3 // CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
)

// update takes over the work of a graph of the same shape. It says why not, and at which node of the graph.
func (x *exec) update(d *Driver, g *graph) (why int32, at uintptr) {
	if len(x.work.nodes) != len(g.nodes) {
		return updateTopology, 0
	}
	w := g.copyOf(d)
	for i, n := range w.nodes { // the shape first, as the driver does
		if !sameBefore(x.work.nodes, w.nodes, x.work.nodes[i], n) {
			return updateTopology, g.nodes[i].handle
		}
	}
	for i, n := range w.nodes {
		old := x.work.nodes[i]
		if old.work.kind() != n.work.kind() {
			return updateKind, g.nodes[i].handle
		}
		n.handle, n.off = old.handle, old.off
	}
	x.work = w
	return 0, 0
}

// sameBefore reports whether two nodes come after the same others, by their places.
func sameBefore(olds, news []*node, old, n *node) bool {
	if len(old.after) != len(n.after) {
		return false
	}
	for _, before := range n.after {
		if !slices.Contains(old.after, olds[slices.Index(news, before)]) {
			return false
		}
	}
	return true
}
