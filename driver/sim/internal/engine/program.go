package engine

import (
	"fmt"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A Program is a module that was decoded for a device: its kernels, and its variables in the device's memory.
//
// Safe for concurrent use.
type Program struct {
	kernels []*Kernel
	byName  map[string]*Kernel
	globals map[string]*variable
	memory  *Memory

	functions []*function // by their number, which a function pointer holds
	sites     []site      // for the race detector
	siteOf    map[site]uint16
	files     map[int64]string
}

// A LoadConfig says for what device a module is loaded.
type LoadConfig struct {
	Arch   int // compute capability times ten: 90
	Memory *Memory
	Config *Config // of the launches to come: detectors are decoded in; nil is the zero Config

	missing func(*UnsupportedError) // where tests count what is not supported: decoding goes on
}

// Kernels returns the kernels in their order in the text.
func (p *Program) Kernels() []*Kernel { return p.kernels }

// Kernel returns the kernel of that name, nil if there is none.
func (p *Program) Kernel(name string) *Kernel { return p.byName[name] }

// Global returns where a variable lies and its size, false if the module has none of that name.
func (p *Program) Global(name string) (addr uint64, size int64, ok bool) {
	v := p.globals[name]
	if v == nil || v.space == ptx.SpaceShared || v.alloc == nil {
		return 0, 0, false
	}
	return v.alloc.Base, v.size, true
}

// Unload frees the program's variables. A launch that runs must have ended.
func (p *Program) Unload() {
	for _, v := range p.globals {
		if v.alloc != nil {
			p.memory.Free(v.alloc.Base) // it is there: nobody else knows it
		}
	}
}

// An UnsupportedError is an instruction or directive that the engine does not do.
//
// Safe for concurrent use after it is made; its fields must not change.
type UnsupportedError struct {
	What   string // "instruction wgmma.fence.sync.aligned", "state space .tex"
	Source string // "k.cu:12:7", or ""
	Line   int    // in the PTX text
}

// Error names it and where it stands.
func (e *UnsupportedError) Error() string {
	if e.Source != "" {
		return fmt.Sprintf("unsupported %s at %s (PTX line %d)", e.What, e.Source, e.Line)
	}
	return fmt.Sprintf("unsupported %s (PTX line %d)", e.What, e.Line)
}
