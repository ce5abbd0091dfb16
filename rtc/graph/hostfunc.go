package graph

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// Host adds a function of the program, called in each run; several may be called
// at once. It must call neither the driver nor this library, of which what would
// wait for itself is refused, and should be quick: a thread of the driver's waits for it. If it panics, the run goes on as if it had
// returned, and who asks the graph next gets a *PanicError: [Graph.Run] that of its
// own run, another call that of a run before, and does nothing then. reads and
// writes are what it uses of host buffers, or stands for. It needs CUDA 10.0.
func (g *Graph) Host(f func(), reads, writes []rtc.Copyable) (*Node, error) {
	n, err := g.host(f, reads, writes)
	if err != nil {
		return nil, fmt.Errorf("graph: add host function: %w", err)
	}
	return g.join(n, "host")
}

func (g *Graph) host(f func(), reads, writes []rtc.Copyable) (*Node, error) {
	if err := g.usable(); err != nil {
		return nil, err
	}
	if f == nil {
		return nil, errors.New("it is nil")
	}
	for i, c := range slices.Concat(reads, writes) {
		name := "reads"
		if i >= len(reads) {
			name, i = "writes", i-len(reads)
		}
		if _, err := g.place(c); err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", name, i, err)
		}
	}
	n := &Node{kind: Host, reads: slices.Clone(reads), writes: slices.Clone(writes)}
	call := func() { g.call(n, f) }
	n.enqueue = func(s *driver.Stream) error { return s.AddHostFunc(call) }
	n.add = func(dg *driver.Graph, after []driver.Node) (driver.Node, error) {
		return dg.AddHostFunc(call, after...)
	}
	return n, nil
}

// A panicked is what became of a host function.
type panicked struct {
	n     *Node
	value any
	stack []byte
}

// call calls f on a goroutine of its own, which alone an end of the goroutine, as
// by a failed test, can't take the driver's thread with it.
func (g *Graph) call(n *Node, f func()) {
	done := make(chan struct{})
	go func() {
		returned := false
		defer func() {
			if !returned {
				// No lock: who holds the graph's may be waiting for the run.
				g.panicked.CompareAndSwap(nil, &panicked{n, recover(), debug.Stack()})
			}
			close(done)
		}()
		driver.AsHostFunc(f)
		returned = true
	}()
	<-done
}

// told is the error of the first host function that panicked since it was asked
// last.
func (g *Graph) told() error {
	if g.panicked.Load() == nil { // at less cost than the next
		return nil
	}
	if p := g.panicked.Swap(nil); p != nil {
		return &PanicError{p.n.Name(), p.value, p.stack}
	}
	return nil
}
