package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// join puts a node that is ready into the graph.
func (g *Graph) join(n *Node, name string) (*Node, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		_ = n.close() // the graph being closed is what counts
		return nil, fmt.Errorf("graph: add %s: %w", name, errClosed)
	}
	n.g, n.number, n.name = g, len(g.nodes), numbered(g.names, name)
	g.nodes = append(g.nodes, n)
	g.plan = nil
	return n, nil
}

// Kernel adds a launch; see [rtc.Kernel.Launch] for the parameters, which are
// checked now.
func (g *Graph) Kernel(k *rtc.Kernel, grid, block rtc.Dim3, shared int, args ...any) (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: add kernel: %w", err)
	}
	p, err := k.Prepare(g.dev, grid, block, shared, args...)
	if err != nil {
		name := ""
		if k != nil {
			name = " " + k.Name()
		}
		return nil, fmt.Errorf("graph: add kernel%s: %w", name, because(err))
	}
	n := &Node{kind: Kernel, launch: p, args: slices.Clone(args)}
	n.use()
	n.enqueue = func(s *driver.Stream) error { return p.Raw().Enqueue(s) }
	n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
		return dg.AddKernel(p.Raw(), after...)
	}
	return g.join(n, k.Name())
}

// use notes the arrays of a launch.
func (n *Node) use() {
	n.reads, n.writes = nil, nil
	reads, writes := n.launch.Uses()
	for _, a := range reads {
		n.reads = append(n.reads, a)
	}
	for _, a := range writes {
		n.writes = append(n.writes, a)
	}
}

// Copy adds a copy of all of src to dst: between arrays, or an array and a host
// buffer, of the same type and number of elements.
func (g *Graph) Copy(dst, src rtc.Copyable) (*Node, error) {
	n, err := g.copy(dst, src)
	if err != nil {
		return nil, fmt.Errorf("graph: add copy: %w", err)
	}
	return g.join(n, "copy")
}

func (g *Graph) copy(dst, src rtc.Copyable) (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, err
	}
	to, err := g.place(dst)
	if err != nil {
		return nil, err
	}
	from, err := g.place(src)
	if err != nil {
		return nil, err
	}
	switch {
	case to.Host != nil && from.Host != nil:
		return nil, errors.New("both are on the host: Go's copy is for that")
	case to.DType != from.DType || to.Len != from.Len:
		return nil, fmt.Errorf("%s does not fit %s", from.Name, to.Name)
	}
	n := &Node{kind: Copy, reads: []rtc.Copyable{src}, writes: []rtc.Copyable{dst}}
	size := uint64(to.Bytes)
	switch {
	case size == 0:
		n.nothing()
	case from.Host != nil:
		n.enqueue = func(s *driver.Stream) error { return s.CopyToDevice(to.Pointer, from.Host) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.AddCopyToDevice(to.Pointer, from.Host, after...)
		}
	case to.Host != nil:
		n.enqueue = func(s *driver.Stream) error { return s.CopyToHost(to.Host, from.Pointer) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.AddCopyToHost(to.Host, from.Pointer, after...)
		}
	default:
		n.enqueue = func(s *driver.Stream) error { return s.CopyDevice(to.Pointer, from.Pointer, size) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.AddCopy(to.Pointer, from.Pointer, size, after...)
		}
	}
	return n, nil
}

// place is where something of the graph's device is.
func (g *Graph) place(c rtc.Copyable) (rtc.Place, error) {
	p, err := rtc.PlaceOf(c)
	if err != nil {
		return p, because(err)
	}
	if p.Device != g.dev {
		err = fmt.Errorf("%s is on device %d, the graph on device %d", p.Name, p.Device.Ordinal(), g.dev.Ordinal())
	}
	return p, err
}

// nothing makes the node one that does nothing.
func (n *Node) nothing() {
	n.enqueue = func(*driver.Stream) error { return nil }
	n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) { return dg.AddEmpty(after...) }
}

// Empty adds a node that does nothing: a place for edges to meet.
func (g *Graph) Empty() (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, fmt.Errorf("graph: add empty: %w", err)
	}
	n := &Node{kind: Empty}
	n.nothing()
	return g.join(n, "empty")
}
