package driver

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/dl"
)

// A Graph is work of a device with what must come before what: built node by
// node, or captured from streams. It is run as an [ExecGraph]. Since CUDA 10.0.
//
// Not safe for concurrent use. Goroutines that only read it may share it.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html
type Graph struct {
	ctx *Context // of the nodes that are added
	*graphState
}

// A graphState is what a Graph has in common with those that In gives.
type graphState struct {
	owner  *Context
	others []*Context // that nodes are of; each closes the graph, too
	handle graphHandle
	life   lifetime
	names  []string // of the kernels, as far as they are known
	units  []*unit  // that have them; not those that were captured
	hosts  []*hosted
}

// A Node is a piece of work in a graph. The zero Node is none.
//
// Safe for concurrent use.
type Node struct{ handle nodeHandle }

// A NodeKind says what a node does.
type NodeKind int32

// The kinds that the driver documents.
const (
	KernelNode      NodeKind = 0 // CU_GRAPH_NODE_TYPE_KERNEL
	CopyNode        NodeKind = 1 // CU_GRAPH_NODE_TYPE_MEMCPY
	MemsetNode      NodeKind = 2 // CU_GRAPH_NODE_TYPE_MEMSET
	HostNode        NodeKind = 3 // CU_GRAPH_NODE_TYPE_HOST
	ChildGraphNode  NodeKind = 4 // CU_GRAPH_NODE_TYPE_GRAPH
	EmptyNode       NodeKind = 5 // CU_GRAPH_NODE_TYPE_EMPTY
	EventWaitNode   NodeKind = 6 // CU_GRAPH_NODE_TYPE_WAIT_EVENT
	EventRecordNode NodeKind = 7 // CU_GRAPH_NODE_TYPE_EVENT_RECORD
)

// A CaptureStatus says whether a stream is being captured.
type CaptureStatus int32

// The states that the driver documents.
const (
	CaptureNone        CaptureStatus = 0 // CU_STREAM_CAPTURE_STATUS_NONE
	CaptureActive      CaptureStatus = 1 // CU_STREAM_CAPTURE_STATUS_ACTIVE
	CaptureInvalidated CaptureStatus = 2 // CU_STREAM_CAPTURE_STATUS_INVALIDATED: EndCapture will fail
)

// NewGraph makes an empty graph.
func (c *Context) NewGraph() (*Graph, error) {
	h := new(graphHandle)
	if err := c.Do(func() error { return c.api.graphCreate(h, 0) }); err != nil {
		return nil, explain(err, "make a graph", "")
	}
	return c.graph(*h)
}

func (c *Context) graph(h graphHandle) (*Graph, error) {
	g := &Graph{c, &graphState{owner: c, handle: h}}
	c.driver.counts.graphs.Add(1)
	if !c.children.add(g.graphState) {
		_ = g.Close()
		return nil, c.closedError()
	}
	return g, nil
}

// In is the same graph for adding memsets and copies to the memory of another
// context, of another device too: a graph may have work of several. Kernels are of
// the context that they were loaded into, whichever this is.
func (g *Graph) In(c *Context) *Graph { return &Graph{c, g.graphState} }

// join notes that nodes are of a context.
func (g *graphState) join(c *Context) error {
	if c == g.owner || slices.Contains(g.others, c) {
		return nil
	}
	if !c.children.add(g) {
		return c.closedError()
	}
	g.others = append(g.others, c)
	return nil
}

// BeginCapture makes what is put into the stream from now on, and into streams
// that wait for its events, the nodes of a graph rather than run it. The capture is
// CUDA's relaxed mode: any goroutine may go on with it and end it, and what other
// goroutines do with other streams is not forbidden meanwhile. Waiting for the
// stream is. Since CUDA 10.1.
func (s *Stream) BeginCapture() error {
	const relaxed = 2 // CU_STREAM_CAPTURE_MODE_RELAXED: goroutines change threads
	return s.use("begin capture", func() error { return s.ctx.api.streamBeginCapture(s.handle, relaxed) })
}

// EndCapture ends the capture and gives its graph.
func (s *Stream) EndCapture() (*Graph, error) {
	h := new(graphHandle)
	if err := s.use("end capture", func() error { return s.ctx.api.streamEndCapture(s.handle, h) }); err != nil {
		return nil, err
	}
	if *h == 0 {
		return nil, &Error{Op: "end capture", Function: "cuStreamEndCapture", Result: StreamCaptureInvalidated}
	}
	g, err := s.ctx.graph(*h)
	if err == nil {
		g.names = g.kernelNames()
	}
	return g, err
}

// Capturing says whether the stream is being captured.
func (s *Stream) Capturing() (CaptureStatus, error) {
	v := new(CaptureStatus)
	err := s.use("ask about capture", func() error { return s.ctx.api.streamIsCapturing(s.handle, v) })
	return *v, err
}

func (g *Graph) closedError() error { return fmt.Errorf("driver: graph: %w", ErrClosed) }

// in calls f with the context current while the graph is open.
func (g *Graph) in(op string, f func() error) error {
	if !g.life.enter() {
		return g.closedError()
	}
	defer g.life.leave()
	return explain(g.ctx.Do(f), op, "")
}

// Nodes lists the nodes, in no certain order.
func (g *Graph) Nodes() ([]Node, error) {
	var nodes []Node
	err := g.in("list the nodes of a graph", func() error {
		n := new(uint64)
		if err := g.ctx.api.graphGetNodes(g.handle, nil, n); err != nil || *n == 0 {
			return err
		}
		handles := make([]nodeHandle, *n)
		if err := g.ctx.api.graphGetNodes(g.handle, &handles[0], n); err != nil {
			return err
		}
		for _, h := range handles[:*n] {
			nodes = append(nodes, Node{h})
		}
		return nil
	})
	return nodes, err
}

// Kind is what a node of the graph does.
func (g *Graph) Kind(n Node) (NodeKind, error) {
	k := new(NodeKind)
	err := g.in("kind of a node", func() error { return g.ctx.api.graphNodeGetType(n.handle, k) })
	return *k, err
}

// DOT writes the graph to a file, in Graphviz' language. Since CUDA 11.3.
func (g *Graph) DOT(path string) error {
	cpath, err := dl.CString(path)
	if err != nil {
		return &opError{"draw a graph", err}
	}
	return g.in("draw a graph", func() error { return g.ctx.api.graphDebugDotPrint(g.handle, &cpath[0], 0) })
}

// kernelNames asks the driver for the kernels in a captured graph, for the
// error when one faults. An older driver does not tell: then there are none.
func (g *Graph) kernelNames() []string {
	nodes, err := g.Nodes()
	if err != nil {
		return nil
	}
	var names []string
	_ = g.in("", func() error {
		for _, n := range nodes {
			kind, p, name := new(NodeKind), &kernelNodeParams{}, new(uintptr)
			if err := g.ctx.api.graphNodeGetType(n.handle, kind); err != nil || *kind != KernelNode {
				continue
			}
			if err := g.ctx.api.graphKernelNodeGetParams(n.handle, p); err != nil {
				return err
			}
			if err := g.ctx.api.funcGetName(name, p.function); err != nil {
				return err
			}
			names = append(names, dl.GoString(*name))
		}
		return nil
	})
	return names
}

// Close destroys the graph; those made ready from it stay. It is safe on nil
// and more than once.
func (g *Graph) Close() error {
	if g == nil {
		return nil
	}
	return g.graphState.Close()
}

// Close is that of all Graphs that have it.
func (g *graphState) Close() error {
	return g.life.close(func() error {
		c := g.owner
		err := c.bind(func() error { return c.api.graphDestroy(g.handle) })
		dropAll(g.hosts)
		for _, c := range append(g.others, c) {
			c.children.drop(g)
		}
		c.driver.counts.graphs.Add(-1)
		return c.afterFault(err, "destroy graph")
	})
}

var errNoNode = errors.New("the zero Node")
