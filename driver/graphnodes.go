package driver

import "fmt"

// memsetParams is a CUDA_MEMSET_NODE_PARAMS.
type memsetParams struct {
	dst                Pointer
	pitch              uint64
	value, elementSize uint32
	width, height      uint64
}

// hostParams is a CUDA_HOST_NODE_PARAMS.
type hostParams struct{ fn, data uintptr }

// add makes a node that comes after others.
func (g *Graph) add(what string, after []Node, f func(n *nodeHandle, deps *nodeHandle, count uint64) error) (Node, error) {
	op := "add " + what + " to a graph"
	n := new(nodeHandle)
	var first *nodeHandle
	deps := make([]nodeHandle, len(after))
	for i, d := range after {
		if d.handle == 0 {
			return Node{}, &opError{op, errNoNode}
		}
		deps[i] = d.handle
	}
	if len(deps) > 0 {
		first = &deps[0]
	}
	err := g.in(op, func() error {
		if err := g.join(g.ctx); err != nil {
			return err
		}
		return f(n, first, uint64(len(deps)))
	})
	return Node{*n}, err
}

// nodeParams are a launch's, for a graph's node.
func (l *Launch) nodeParams() *kernelNodeParams {
	p := &kernelNodeParams{function: l.f.handle, grid: l.config.Grid.axes(), block: l.config.Block.axes(), shared: l.config.SharedMem}
	p.point(l.params)
	return p
}

// AddKernel adds a prepared launch, to run after other nodes. The values of the
// arguments are copied now. Cooperative launches and clusters need CUDA 11.0 and 11.8.
func (g *Graph) AddKernel(l *Launch, after ...Node) (Node, error) {
	if !l.f.unit.life.enter() {
		return Node{}, l.f.unit.closedError()
	}
	defer l.f.unit.life.leave()
	a, p := g.ctx.api, l.nodeParams()
	n, err := g.In(l.f.ctx).add("kernel "+l.f.name, after, func(n, deps *nodeHandle, count uint64) error {
		add := a.graphAddKernelNode
		if !a.table.Has(fnGraphAddKernelNode) {
			add = a.graphAddKernelNodeOld
		}
		if err := add(n, g.handle, deps, count, p); err != nil {
			return err
		}
		x := newLaunchConfig(&l.config)
		for i := range x.list[:x.count] {
			if err := a.graphKernelNodeSetAttribute(*n, x.list[i].id, &x.list[i].value); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		g.names = append(g.names, l.f.name)
		g.units = with(g.units, l.f.unit)
	}
	return n, err
}

// AddCopy adds a copy of n bytes between two places of device memory, of the same
// device or of devices with peer access.
func (g *Graph) AddCopy(dst, src Pointer, n uint64, after ...Node) (Node, error) {
	p := &memcpyParams{srcType: unified, srcDevice: src, dstType: unified, dstDevice: dst, width: n, height: 1, depth: 1}
	return g.add(fmt.Sprintf("a copy of %d bytes", n), after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddMemcpyNode(h, g.handle, deps, count, p, g.ctx.handle)
	})
}

// AddCopyToDevice adds a copy from the host's memory, which is read at each run.
// The memory is pinned, and stays until the graph and those made ready from it
// are closed.
func (g *Graph) AddCopyToDevice(dst Pointer, src []byte, after ...Node) (Node, error) {
	return g.addHostCopy(copyToDevice(dst, src), len(src), after)
}

// AddCopyToHost adds a copy to the host's memory; see AddCopyToDevice.
func (g *Graph) AddCopyToHost(dst []byte, src Pointer, after ...Node) (Node, error) {
	return g.addHostCopy(copyToHost(dst, src), len(dst), after)
}

func (g *Graph) addHostCopy(p *memcpyParams, n int, after []Node) (Node, error) {
	return g.add(fmt.Sprintf("a copy of %d bytes", n), after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddMemcpyNode(h, g.handle, deps, count, p, g.ctx.handle)
	})
}

// AddHostFunc adds a function of the host, which is called in each run: see
// [Stream.AddHostFunc] for what it may do.
func (g *Graph) AddHostFunc(f func(), after ...Node) (Node, error) {
	fn, err := g.ctx.api.unguarded.Func(fnGraphAddHostNode)
	if err != nil {
		return Node{}, &opError{"add a host function to a graph", g.ctx.api.missing(err)}
	}
	addr, err := hostCallback.For(fn)
	if err != nil {
		return Node{}, fmt.Errorf("driver: add a host function to a graph: %w", err)
	}
	h := &hosted{id: lastHostFunc.Add(1), f: f}
	hostFuncs.Store(h.id, h)
	p := &hostParams{addr, h.id}
	n, err := g.add("a host function", after, func(n, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddHostNode(n, g.handle, deps, count, p)
	})
	g.hosts = append(g.hosts, holdAll([]*hosted{h})...)
	return n, err
}

// AddMemset adds the filling of n elements of 1, 2 or 4 bytes.
func (g *Graph) AddMemset(dst Pointer, value uint32, elementSize int, n uint64, after ...Node) (Node, error) {
	p := &memsetParams{dst: dst, value: value, elementSize: uint32(elementSize), width: n, height: 1}
	return g.add("a memset", after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddMemsetNode(h, g.handle, deps, count, p, g.ctx.handle)
	})
}

// AddEmpty adds a node that does nothing, to wait for several in one place.
func (g *Graph) AddEmpty(after ...Node) (Node, error) {
	return g.add("an empty node", after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddEmptyNode(h, g.handle, deps, count)
	})
}

// AddGraph adds a copy of another graph as one node.
func (g *Graph) AddGraph(child *Graph, after ...Node) (Node, error) {
	if !child.life.enter() {
		return Node{}, child.closedError()
	}
	defer child.life.leave()
	n, err := g.add("a graph", after, func(h, deps *nodeHandle, count uint64) error {
		for _, c := range append(child.others, child.owner) {
			if err := g.join(c); err != nil {
				return err
			}
		}
		return g.ctx.api.graphAddChildGraphNode(h, g.handle, deps, count, child.handle)
	})
	if err == nil {
		g.names = append(g.names, child.names...)
		g.units = with(g.units, child.units...)
		g.hosts = append(g.hosts, holdAll(child.hosts)...)
	}
	return n, err
}

// AddRecord adds the recording of an event. Since CUDA 11.1.
func (g *Graph) AddRecord(e *Event, after ...Node) (Node, error) {
	if !e.life.enter() {
		return Node{}, e.closedError()
	}
	defer e.life.leave()
	return g.add("an event's recording", after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddEventRecordNode(h, g.handle, deps, count, e.handle)
	})
}

// AddWait adds the waiting for an event. Since CUDA 11.1.
func (g *Graph) AddWait(e *Event, after ...Node) (Node, error) {
	if !e.life.enter() {
		return Node{}, e.closedError()
	}
	defer e.life.leave()
	return g.add("the waiting for an event", after, func(h, deps *nodeHandle, count uint64) error {
		return g.ctx.api.graphAddEventWaitNode(h, g.handle, deps, count, e.handle)
	})
}
