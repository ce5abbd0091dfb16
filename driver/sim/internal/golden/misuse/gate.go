package misuse

import (
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/dl"
)

// A gate is a host function that holds a stream.
type gate struct {
	number uintptr
	opened chan struct{}
	once   sync.Once
}

var (
	gates    sync.Map // by number
	lastGate atomic.Uintptr
)

var waitAtGate = dl.NewCallback(1, func(words []uintptr) uintptr {
	if g, ok := gates.Load(words[0]); ok {
		<-g.(*gate).opened
	}
	return 0
})

func (g *gate) open() {
	g.once.Do(func() {
		close(g.opened)
		gates.Delete(g.number)
	})
}

// Hold holds a stream until what it returns is called, or the scenario ends.
func (p *Process) Hold(stream uintptr) (open func()) {
	g := &gate{number: lastGate.Add(1), opened: make(chan struct{})}
	gates.Store(g.number, g)
	p.gates = append(p.gates, g)
	p.Must("cuLaunchHostFunc", stream, p.hostFunc(), g.number)
	return g.open
}

// hostFunc is the word of a host function: with 0 for its data it does nothing.
func (p *Process) hostFunc() uintptr {
	f, err := p.Driver.Lookup("cuLaunchHostFunc")
	if err != nil {
		panic(setupError{err.Error()})
	}
	w, err := waitAtGate.For(&f)
	if err != nil {
		panic(setupError{err.Error()})
	}
	return w
}

// release opens all gates.
func (p *Process) release() {
	for _, g := range p.gates {
		g.open()
	}
	p.gates = nil
}
