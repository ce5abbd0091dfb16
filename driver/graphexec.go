package driver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/dl"
)

// An ExecGraph is a graph made ready to run: one call starts all of it. Two runs
// of one ExecGraph do not overlap.
//
// Safe for concurrent use.
type ExecGraph struct {
	track *track // what each launch looks at fits a cache line
	fault *fault

	// Who has the turn of the track may use these.
	call   *dl.Call // cuGraphLaunch; nil until the first
	stream *uintptr // the word of it that takes the stream
	units  []*unit  // that its kernels are in
	hosts  []*hosted

	ctx    *Context
	others []*Context // as those of the Graph
	handle graphExecHandle
	life   lifetime
}

// with adds what is not among all yet.
func with(all []*unit, more ...*unit) []*unit {
	for _, u := range more {
		if !slices.Contains(all, u) {
			all = append(all, u)
		}
	}
	return all
}

// Instantiate makes the graph ready to run. Later changes of the graph change
// nothing here; see [ExecGraph.Update].
func (g *Graph) Instantiate() (*ExecGraph, error) {
	a, h, node, log := g.ctx.api, new(graphExecHandle), new(nodeHandle), make([]byte, 4096)
	err := g.in("", func() error {
		if a.table.Has(fnGraphInstantiateWithFlags) {
			return a.graphInstantiateWithFlags(h, g.handle, 0)
		}
		return a.graphInstantiateOld(h, g.handle, node, &log[0], uint64(len(log)))
	})
	if err != nil {
		return nil, explain(err, "make a graph ready", cstring(log))
	}
	x := &ExecGraph{ctx: g.owner, fault: &g.owner.api.fault, others: slices.Clone(g.others), handle: *h, track: &track{name: graphName(g.names)}, hosts: slices.Clone(holdAll(g.hosts)), units: slices.Clone(g.units)}
	x.ctx.driver.counts.graphs.Add(1)
	for _, c := range append(x.others, x.ctx) {
		if !c.children.add(x) {
			_ = x.Close()
			return nil, c.closedError()
		}
	}
	x.track.held.Store(true)
	x.ctx.tracks.add(x.track)
	return x, nil
}

func graphName(kernels []string) string {
	names := slices.Compact(slices.Sorted(slices.Values(kernels)))
	return "graph {" + strings.Join(names, ", ") + "}"
}

// use calls f in turn with other calls, while the graph is open.
func (x *ExecGraph) use(op string, f func() error) error {
	v, open := x.track.turn()
	if !open {
		return x.closedError()
	}
	defer x.track.state.Store(v)
	return explain(f(), op, "")
}

func (x *ExecGraph) closedError() error { return fmt.Errorf("driver: graph: %w", ErrClosed) }

// Launch puts a run of the graph into the stream. It is refused when a module
// was closed that has a kernel of it, unless that was captured. It allocates
// nothing.
func (x *ExecGraph) Launch(s *Stream) error {
	v, err := x.begin(s)
	if err != nil {
		return err
	}
	if r := Result(int32(x.call.Do())); r != Success {
		if err := x.failed(v, r); err != nil {
			return explain(err, "launch graph", "")
		}
	}
	t := x.track
	if e := s.epoch.Load(); t.epoch.Load() != e {
		t.epoch.Store(e)
	}
	t.state.Store(v + trackOnce)
	return nil
}

// begin has the call to itself, aimed at s, until the track's state is set. It
// returns the state from before.
func (x *ExecGraph) begin(s *Stream) (uint64, error) {
	t := x.track
	v := t.state.Load()
	if v&(trackBusy|trackClosed|trackStale) == 0 && t.state.CompareAndSwap(v, v|trackBusy) {
		if t.stream.Load() == s && !s.life.closed() && x.fault.value.Load() == nil {
			*x.stream = uintptr(s.handle)
			return v, nil
		}
		t.state.Store(v)
	}
	return x.beginSlowly(s)
}

// beginSlowly is begin where it has to wait, or there is more to do than to aim.
func (x *ExecGraph) beginSlowly(s *Stream) (uint64, error) {
	v, open := x.track.turn()
	if !open {
		return 0, x.closedError()
	}
	if err := x.aim(s); err != nil {
		x.track.state.Store(v)
		return 0, explain(err, "launch graph", "")
	}
	return v &^ trackStale, nil
}

// aim readies the call that launches the graph in s, whose Close waits for it.
func (x *ExecGraph) aim(s *Stream) error {
	for _, u := range x.units {
		if u.life.closed() {
			return u.closedError()
		}
	}
	api := x.ctx.api
	if fault := api.fault.first(); fault != nil {
		return api.failure("cuGraphLaunch", fault.Result)
	}
	if s.life.closed() {
		return s.closedError()
	}
	if x.call == nil {
		f, err := api.direct(fnGraphLaunch)
		if err != nil {
			return err
		}
		x.call = dl.NewCall(f, uintptr(x.handle), 0)
		x.stream = &x.call.Words()[1]
	}
	if x.track.stream.Load() != s {
		x.track.move(s)
	}
	*x.stream = uintptr(s.handle)
	return nil
}

// failed makes the error for a call that gave r, and makes it once more with the
// context current when that is what the driver missed.
func (x *ExecGraph) failed(v uint64, r Result) error {
	if wantsContext(r) {
		err := x.ctx.Do(func() error {
			r = Result(int32(x.call.Do()))
			return nil
		})
		switch {
		case err != nil:
			x.track.state.Store(v)
			return err
		case r == Success:
			return nil
		}
	}
	x.track.state.Store(v) // before a fault is noted: this run did not start
	return x.ctx.api.failure("cuGraphLaunch", r)
}

// Upload does what the first run would have to, ahead of time. Since CUDA 11.1.
func (x *ExecGraph) Upload(s *Stream) error {
	return x.use("upload graph", func() error {
		return s.use("upload graph", func() error { return x.ctx.api.graphUpload(x.handle, s.handle) })
	})
}

// SetKernel changes the sizes and arguments of a kernel, for the runs that are
// launched from now on: node is the one in the graph that this was made from. The
// kernel must be of the same context. Since CUDA 10.1.
func (x *ExecGraph) SetKernel(node Node, l *Launch) error {
	if !l.f.unit.life.enter() {
		return l.f.unit.closedError()
	}
	defer l.f.unit.life.leave()
	a := x.ctx.api
	return x.use("change kernel "+l.f.name+" in a graph", func() error {
		return x.ctx.Do(func() error {
			set := a.graphExecKernelNodeSetParams
			if !a.table.Has(fnGraphExecKernelNodeSetParams) {
				set = a.graphExecKernelNodeSetParamsOld
			}
			err := set(x.handle, node.handle, l.nodeParams())
			if err == nil {
				x.units = with(x.units, l.f.unit)
			}
			return err
		})
	})
}

// SetEnabled turns a kernel, copy or memset node off or on again. Since CUDA 11.6.
func (x *ExecGraph) SetEnabled(node Node, on bool) error {
	v := uint32(0)
	if on {
		v = 1
	}
	return x.use("enable a node", func() error {
		return x.ctx.Do(func() error { return x.ctx.api.graphNodeSetEnabled(x.handle, node.handle, v) })
	})
}

// An updateResult says why a graph could not be updated.
type updateResult int32

var updateText = []string{
	"success", // CU_GRAPH_EXEC_UPDATE_SUCCESS
	"error",   // CU_GRAPH_EXEC_UPDATE_ERROR
	"the graph has other nodes or dependencies",     // CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
	"a node is of another kind",                     // CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
	"a node has another function",                   // CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED
	"a parameter changed that can't",                // CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED
	"a node can't be updated",                       // CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED
	"a function changed in a way it can't",          // CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE
	"a node's attributes changed in a way it can't", // CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED
}

func (r updateResult) String() string {
	if r >= 0 && int(r) < len(updateText) {
		return updateText[r]
	}
	return "result " + strconv.Itoa(int(r))
}

// updateResultInfo is a CUgraphExecUpdateResultInfo.
type updateResultInfo struct {
	result     updateResult
	node, from nodeHandle
}

// Update takes over the sizes, arguments and addresses of a graph with the same
// shape. The error says what is not the same; then this must be made anew. Since
// CUDA 10.2.
func (x *ExecGraph) Update(g *Graph) error {
	if !g.life.enter() {
		return g.closedError()
	}
	defer g.life.leave()
	a, info := x.ctx.api, &updateResultInfo{}
	err := x.use("", func() error {
		return x.ctx.Do(func() error {
			x.hosts = append(x.hosts, holdAll(g.hosts)...) // the old ones stay: a run may be under way
			if a.table.Has(fnGraphExecUpdate) {
				return a.graphExecUpdate(x.handle, g.handle, info)
			}
			return a.graphExecUpdateOld(x.handle, g.handle, &info.node, &info.result)
		})
	})
	if err != nil {
		detail := ""
		if info.result != 0 {
			detail = info.result.String()
		}
		return explain(err, "update graph", detail)
	}
	return nil
}

// Close destroys it, when the runs have ended, which it waits for. It is safe on
// nil and more than once.
func (x *ExecGraph) Close() error {
	if x == nil {
		return nil
	}
	return x.life.close(func() error {
		c := x.ctx
		x.track.close()
		for _, s := range x.track.streams() {
			s.settle()
		}
		x.track.held.Store(false)
		err := c.bind(func() error { return c.api.graphExecDestroy(x.handle) })
		dropAll(x.hosts)
		for _, c := range append(x.others, c) {
			c.children.drop(x)
		}
		c.driver.counts.graphs.Add(-1)
		return c.afterFault(err, "destroy graph")
	})
}
