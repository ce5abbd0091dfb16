package drivertest

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A graph is work to do again: captured, or added node by node. Both graphs
// and those made ready from them are here.
type graph struct {
	ready bool
	nodes []*node
}

// A node is a piece of work; its handle is its identity in copies of the graph, too.
type node struct {
	handle   uintptr
	kind     driver.NodeKind
	work     func() driver.Result
	function uintptr
	off      bool
}

func (g *graph) add(n *node) { g.nodes = append(g.nodes, n) }

func (g *graph) find(h uintptr) *node {
	for _, n := range g.nodes {
		if n.handle == h {
			return n
		}
	}
	return nil
}

// addNode adds a node made by a cuGraphAdd… function; out, graph, dependencies
// and their number are its first words.
func (d *Driver) addNode(a []uintptr, n *node) driver.Result {
	g := d.graphs[a[1]]
	if g == nil {
		return driver.InvalidHandle
	}
	for _, dep := range callee.Slice[uintptr](a[2], int(a[3])) {
		if g.find(dep) == nil {
			return driver.InvalidValue
		}
	}
	n.handle = d.handle()
	g.add(n)
	callee.Put(a[0], n.handle)
	return driver.Success
}

// kernelNodeParams is a CUDA_KERNEL_NODE_PARAMS.
type kernelNodeParams struct {
	function    uintptr
	grid, block [3]uint32
	shared      uint32
	params      uintptr
}

// kernelNode is a launch that is made later. The lock is held.
func (d *Driver) kernelNode(p *kernelNodeParams) (*node, driver.Result) {
	f := d.funcs[p.function]
	if f == nil {
		return nil, driver.InvalidHandle
	}
	l, r := d.prepare(f, Launch{Grid: p.grid, Block: p.block, Shared: p.shared}, p.params)
	if r != driver.Success {
		return nil, r
	}
	run := d.kernels[f.Name]
	return &node{kind: driver.KernelNode, function: p.function, work: func() driver.Result { return d.run(run, l) }}, r
}

func init() {
	play("cuStreamBeginCapture_v2", anyContext, func(d *Driver, a []uintptr) driver.Result {
		s := d.streams[a[0]]
		if s == nil {
			return driver.InvalidHandle
		}
		if s.capture != nil {
			return driver.IllegalState
		}
		s.capture = &graph{}
		return driver.Success
	})
	play("cuStreamEndCapture", anyContext, func(d *Driver, a []uintptr) driver.Result {
		s := d.streams[a[0]]
		if s == nil {
			return driver.InvalidHandle
		}
		if s.capture == nil {
			return driver.IllegalState
		}
		h := d.handle()
		d.graphs[h], s.capture = s.capture, nil
		callee.Put(a[1], h)
		return driver.Success
	})
	play("cuStreamIsCapturing", anyContext, func(d *Driver, a []uintptr) driver.Result {
		s := d.streams[a[0]]
		if s == nil {
			return driver.InvalidHandle
		}
		callee.Put(a[1], int32(yes(s.capture != nil)))
		return driver.Success
	})
	play("cuGraphCreate", bound, func(d *Driver, a []uintptr) driver.Result {
		h := d.handle()
		d.graphs[h] = &graph{}
		callee.Put(a[0], h)
		return driver.Success
	})
	destroy := func(d *Driver, a []uintptr) driver.Result {
		if d.graphs[a[0]] == nil {
			return driver.InvalidHandle
		}
		delete(d.graphs, a[0])
		return driver.Success
	}
	play("cuGraphDestroy", bound, destroy)
	play("cuGraphExecDestroy", bound, destroy)
	addKernel := func(d *Driver, a []uintptr) driver.Result {
		n, r := d.kernelNode(callee.At[kernelNodeParams](a[4]))
		if r != driver.Success {
			return r
		}
		return d.addNode(a, n)
	}
	play("cuGraphAddKernelNode", bound, addKernel)
	play("cuGraphAddKernelNode_v2", bound, addKernel)
	play("cuGraphKernelNodeSetAttribute", bound, func(d *Driver, a []uintptr) driver.Result { return driver.Success })
	getParams := func(d *Driver, a []uintptr) driver.Result {
		for _, g := range d.graphs {
			if n := g.find(a[0]); n != nil && n.kind == driver.KernelNode {
				callee.At[kernelNodeParams](a[1]).function = n.function
				return driver.Success
			}
		}
		return driver.InvalidValue
	}
	play("cuGraphKernelNodeGetParams", bound, getParams)
	play("cuGraphKernelNodeGetParams_v2", bound, getParams)
	play("cuGraphAddEmptyNode", bound, func(d *Driver, a []uintptr) driver.Result {
		return d.addNode(a, &node{kind: driver.EmptyNode, work: func() driver.Result { return driver.Success }})
	})
	play("cuGraphAddMemcpyNode", bound, func(d *Driver, a []uintptr) driver.Result {
		p := callee.At[[25]uint64](a[4])
		src, dst, n := p[6], p[17], p[22]
		return d.addNode(a, &node{kind: driver.CopyNode, work: func() driver.Result {
			return d.move(dst, n, func(m []byte) { copy(m, d.memory.at(src, n)) })
		}})
	})
	play("cuGraphAddMemsetNode", bound, func(d *Driver, a []uintptr) driver.Result {
		p := *callee.At[[5]uint64](a[4])
		value, size := uint32(p[2]), int(p[2]>>32)
		pattern := []byte{byte(value), byte(value >> 8), byte(value >> 16), byte(value >> 24)}[:size]
		return d.addNode(a, &node{kind: driver.MemsetNode, work: func() driver.Result {
			return d.fill([]uintptr{uintptr(p[0]), 0, uintptr(p[3])}, pattern)
		}})
	})
	play("cuGraphAddChildGraphNode", bound, func(d *Driver, a []uintptr) driver.Result {
		child := d.graphs[a[4]]
		if child == nil {
			return driver.InvalidHandle
		}
		nodes := slices.Clone(child.nodes)
		return d.addNode(a, &node{kind: driver.ChildGraphNode, work: func() driver.Result { return runAll(nodes) }})
	})
	play("cuGraphGetNodes", bound, func(d *Driver, a []uintptr) driver.Result {
		g := d.graphs[a[0]]
		if g == nil {
			return driver.InvalidHandle
		}
		if a[1] != 0 {
			out := callee.Slice[uintptr](a[1], int(*callee.At[uint64](a[2])))
			for i, n := range g.nodes[:min(len(out), len(g.nodes))] {
				out[i] = n.handle
			}
		}
		callee.Put(a[2], uint64(len(g.nodes)))
		return driver.Success
	})
	play("cuGraphNodeGetType", bound, func(d *Driver, a []uintptr) driver.Result {
		for _, g := range d.graphs {
			if n := g.find(a[0]); n != nil {
				callee.Put(a[1], n.kind)
				return driver.Success
			}
		}
		return driver.InvalidValue
	})
	instantiate := func(d *Driver, a []uintptr) driver.Result {
		g := d.graphs[a[1]]
		if g == nil {
			return driver.InvalidHandle
		}
		x := &graph{ready: true}
		for _, n := range g.nodes {
			c := *n
			x.add(&c)
		}
		h := d.handle()
		d.graphs[h] = x
		callee.Put(a[0], h)
		return driver.Success
	}
	play("cuGraphInstantiate", bound, instantiate)
	play("cuGraphInstantiateWithFlags", bound, instantiate)
	setKernel := func(d *Driver, a []uintptr) driver.Result {
		g := d.graphs[a[0]]
		if g == nil || g.find(a[1]) == nil {
			return driver.InvalidValue
		}
		n, r := d.kernelNode(callee.At[kernelNodeParams](a[2]))
		if r == driver.Success {
			g.find(a[1]).work = n.work
		}
		return r
	}
	play("cuGraphExecKernelNodeSetParams", bound, setKernel)
	play("cuGraphExecKernelNodeSetParams_v2", bound, setKernel)
	update := func(d *Driver, a []uintptr) int32 {
		x, g := d.graphs[a[0]], d.graphs[a[1]]
		const topology, kind = 2, 3 // CU_GRAPH_EXEC_UPDATE_ERROR_…
		if len(x.nodes) != len(g.nodes) {
			return topology
		}
		for i, n := range g.nodes {
			if x.nodes[i].kind != n.kind {
				return kind
			}
		}
		for i, n := range g.nodes {
			x.nodes[i].work = n.work
		}
		return 0
	}
	updated := func(r int32) driver.Result {
		if r != 0 {
			return driver.GraphExecUpdateFailure
		}
		return driver.Success
	}
	play("cuGraphExecUpdate", bound, func(d *Driver, a []uintptr) driver.Result {
		r := update(d, a)
		callee.Put(a[3], r)
		return updated(r)
	})
	play("cuGraphExecUpdate_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		r := update(d, a)
		callee.Put(a[2], r)
		return updated(r)
	})
	play("cuGraphNodeSetEnabled", bound, func(d *Driver, a []uintptr) driver.Result {
		g := d.graphs[a[0]]
		if g == nil || g.find(a[1]) == nil {
			return driver.InvalidValue
		}
		g.find(a[1]).off = uint32(a[2]) == 0
		return driver.Success
	})
	play("cuGraphUpload", anyContext, func(d *Driver, a []uintptr) driver.Result { return driver.Success })
	play("cuGraphLaunch", unlocked, func(d *Driver, a []uintptr) driver.Result {
		d.mu.Lock()
		g := d.graphs[a[0]]
		if g == nil || !g.ready {
			d.mu.Unlock()
			return driver.InvalidValue
		}
		nodes := slices.Clone(g.nodes)
		d.mu.Unlock()
		return d.enqueue(a[1], func() driver.Result { return runAll(nodes) })
	})
}

// runAll does the work in the order in which it was added, which no dependency
// contradicts.
func runAll(nodes []*node) driver.Result {
	for _, n := range nodes {
		if n.off {
			continue
		}
		if r := n.work(); r != driver.Success {
			return r
		}
	}
	return driver.Success
}
