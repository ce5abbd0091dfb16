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
	n.g, n.number = g, len(g.nodes)
	n.rename(numbered(g.names, name))
	if n.on != nil {
		n.site = g.site(n.on)
	}
	g.nodes = append(g.nodes, n)
	g.plan = nil
	return n, nil
}

// Kernel adds a launch; see [rtc.Kernel.Launch] for the parameters, which are
// checked now.
func (g *Graph) Kernel(k *rtc.Kernel, grid, block rtc.Dim3, shared int, args ...any) (*Node, error) {
	return g.KernelOn(g.Device(), k, grid, block, shared, args...)
}

// KernelOn adds a launch on another device, of the same driver: its arrays are
// those of that device. The order with what is done on the others follows from what
// is read and written, as ever; [Graph.Copy] brings arrays from one to the other.
func (g *Graph) KernelOn(dev *rtc.Device, k *rtc.Kernel, grid, block rtc.Dim3, shared int, args ...any) (*Node, error) {
	err := g.usable()
	switch {
	case err != nil:
	case dev == nil:
		err = errors.New("the device is nil")
	default:
		if err = g.mine(dev); err != nil {
			err = g.unusable(dev, fmt.Errorf("to be launched on %w", err))
		}
	}
	if err != nil {
		return nil, fmt.Errorf("graph: add kernel: %w", err)
	}
	p, err := k.Prepare(dev, grid, block, shared, args...)
	if err != nil {
		name := ""
		if k != nil {
			name = " " + k.Name()
		}
		return nil, fmt.Errorf("graph: add kernel%s: %w", name, because(err))
	}
	n := &Node{kind: Kernel, on: dev, launch: p, args: slices.Clone(args)}
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
// buffer, of the same type and number of elements. The arrays may be of different
// devices of one driver; in a CUDA graph they must then reach each other's memory.
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
	case to.Pointer != from.Pointer && overlap(to, from):
		size := to.DType.Size()
		return nil, fmt.Errorf("%s, from element %d on, and %s, from %d on, share memory: a copy by way of a third array is right", from.Name, from.Offset/size, to.Name, to.Offset/size)
	}
	n := &Node{kind: Copy, on: from.Device, reads: []rtc.Copyable{src}, writes: []rtc.Copyable{dst}}
	if from.Host != nil {
		n.on = to.Device
	}
	ctx := n.on.Context()
	size := uint64(to.Bytes)
	switch {
	case size == 0 || overlap(to, from): // with itself
		n.nothing()
	case from.Host != nil:
		n.enqueue = func(s *driver.Stream) error { return s.CopyToDevice(to.Pointer, from.Host) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.In(ctx).AddCopyToDevice(to.Pointer, from.Host, after...)
		}
	case to.Host != nil:
		n.enqueue = func(s *driver.Stream) error { return s.CopyToHost(to.Host, from.Pointer) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.In(ctx).AddCopyToHost(to.Host, from.Pointer, after...)
		}
	case to.Device != from.Device:
		reach, err := to.Device.PeerAccess(from.Device)
		if err != nil {
			return nil, because(err)
		}
		n.enqueue = func(s *driver.Stream) error {
			return s.CopyPeer(to.Pointer, to.Device.Context(), from.Pointer, ctx, size)
		}
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			if !reach {
				return driver.Node{}, fmt.Errorf("devices %d and %d don't reach each other's memory: %w", from.Device.Ordinal(), to.Device.Ordinal(), errors.ErrUnsupported)
			}
			return dg.In(ctx).AddCopy(to.Pointer, from.Pointer, size, after...)
		}
	default:
		n.enqueue = func(s *driver.Stream) error { return s.CopyDevice(to.Pointer, from.Pointer, size) }
		n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
			return dg.In(ctx).AddCopy(to.Pointer, from.Pointer, size, after...)
		}
	}
	return n, nil
}

// overlap reports whether two places share memory of a device.
func overlap(a, b rtc.Place) bool {
	return a.Host == nil && b.Host == nil && a.Device == b.Device &&
		a.Pointer < b.Pointer+driver.Pointer(b.Bytes) && b.Pointer < a.Pointer+driver.Pointer(a.Bytes)
}

// place is where something of the graph's devices is.
func (g *Graph) place(c rtc.Copyable) (rtc.Place, error) {
	g.mu.Lock()
	p, err := g.placeOf(c)
	g.mu.Unlock()
	if err != nil {
		return p, err
	}
	if err := g.mine(p.Device); err != nil {
		return p, fmt.Errorf("%s is on %w", p.Name, err)
	}
	return p, nil
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
