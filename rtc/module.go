package rtc

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
)

// A ModuleConfig says how a source is compiled. The zero ModuleConfig works.
type ModuleConfig struct {
	// Name is the program's name, which diagnostics and debug information
	// give as the file. Empty: "kernel.cu".
	Name string
	// Options are given to NVRTC as they are. What they leave open, NewModule
	// adds: the target architecture, the C++ dialect, and the folder of the
	// headers that belong to the NVRTC in use.
	Options []string
	// Exports are the kernels and variables that are templates, overloaded or
	// in a namespace, as C++ expressions: "axpy<float>", "&ns::table". They
	// need CUDA 8.0. Names that are extern "C" need not be listed.
	Exports []string
	// Headers are files that the source can include, by name, from memory.
	Headers map[string]string
	// For is the device to compile for first. Nil: the device opened last,
	// else the newest architecture that NVRTC can make PTX for.
	For *Device
	// Compiler is the NVRTC to use. Nil: the machine's, opened once a process.
	Compiler *nvrtc.Compiler
}

// A Module is CUDA C++ source, compiled. It belongs to no device: it is loaded
// on a device when a kernel of it first runs there, and compiled again if that
// needs code for another architecture.
//
// Safe for concurrent use. The caller closes it; closing a device unloads its
// modules from there too.
type Module struct {
	name    string
	build   *build // nil if it was compiled elsewhere
	closed  atomic.Bool
	hits    atomic.Uint64
	builds  atomic.Uint64
	loads   atomic.Uint64
	initial *artifact

	mu        sync.Mutex
	artifacts map[nvrtc.Arch]*pending
	loaded    map[*Device]*loaded
}

// A pending artifact is one that is being compiled, or was.
type pending struct {
	done chan struct{}
	art  *artifact
	err  error
}

// A loaded module is one in the memory of a device.
type loaded struct {
	mod  *Module
	dev  *Device
	done chan struct{}
	err  error
	art  *artifact
	raw  *driver.Module

	mu      sync.Mutex
	kernels []*Kernel // that have functions of it
	globals []*memory // its variables that are in use as arrays
}

// NewModule compiles source. Mistakes in it give an *nvrtc.CompileError with
// the compiler's diagnostics.
func NewModule(source string, c ModuleConfig) (*Module, error) {
	return NewModuleContext(context.Background(), source, c)
}

// NewModuleContext is NewModule with a context that ends the waiting and, from
// CUDA 12.8, the compiling.
func NewModuleContext(ctx context.Context, source string, c ModuleConfig) (*Module, error) {
	m, err := newModule(ctx, source, c)
	if err != nil {
		return nil, fmt.Errorf("rtc: new module: %w", err)
	}
	return m, nil
}

func newModule(ctx context.Context, source string, c ModuleConfig) (*Module, error) {
	comp := c.Compiler
	if comp == nil {
		var err error
		if comp, err = machineCompiler.get(); err != nil {
			return nil, err
		}
	}
	if c.Name == "" {
		c.Name = "kernel.cu"
	}
	m := &Module{
		name:      c.Name,
		build:     &build{compiler: comp, source: source, config: c},
		artifacts: map[nvrtc.Arch]*pending{},
		loaded:    map[*Device]*loaded{},
	}
	dev := c.For
	if dev == nil {
		dev = lastOpened.get()
	}
	arch, err := m.build.target(dev)
	if err != nil {
		return nil, err
	}
	m.initial, err = m.artifact(ctx, arch)
	return m, err
}

// artifact compiles for arch, once.
func (m *Module) artifact(ctx context.Context, arch nvrtc.Arch) (*artifact, error) {
	m.mu.Lock()
	p := m.artifacts[arch]
	if p != nil {
		m.mu.Unlock()
		<-p.done
		return p.art, p.err
	}
	p = &pending{done: make(chan struct{})}
	m.artifacts[arch] = p
	m.mu.Unlock()
	p.art, p.err = m.build.compile(ctx, arch)
	m.builds.Add(1)
	if p.err != nil { // the next one may have better luck: it may not be cancelled
		m.mu.Lock()
		delete(m.artifacts, arch)
		m.mu.Unlock()
	}
	close(p.done)
	return p.art, p.err
}

// first is the artifact that NewModule made: its names, entry points and
// parameters are those of all others.
func (m *Module) first() *artifact { return m.initial }

// on finds the module on dev, or compiles for it and loads it there.
func (m *Module) on(dev *Device) (*loaded, error) {
	m.mu.Lock()
	if m.closed.Load() {
		m.mu.Unlock()
		return nil, fmt.Errorf("module %s is %w", m.name, ErrClosed)
	}
	l := m.loaded[dev]
	if l != nil {
		m.mu.Unlock()
		<-l.done
		if l.err == nil {
			m.hits.Add(1)
		}
		return l, l.err
	}
	l = &loaded{mod: m, dev: dev, done: make(chan struct{})}
	m.loaded[dev] = l
	m.mu.Unlock()
	l.err = m.load(l)
	if l.err != nil {
		m.mu.Lock()
		delete(m.loaded, dev)
		m.mu.Unlock()
	}
	close(l.done)
	return l, l.err
}

// artifactFor is what runs on dev, compiled for it if need be.
func (m *Module) artifactFor(dev *Device) (*artifact, error) {
	if m.build == nil {
		return m.initial, nil
	}
	arch, err := m.build.target(dev)
	if err != nil {
		return nil, err
	}
	return m.artifact(context.Background(), arch)
}

func (m *Module) load(l *loaded) error {
	var err error
	if l.art, err = m.artifactFor(l.dev); err != nil {
		return err
	}
	if l.raw, err = l.dev.ctx.LoadModule(l.art.image(), driver.LoadConfig{}); err != nil {
		return fmt.Errorf("load %s on device %d: %w", m.name, l.dev.ordinal, err)
	}
	m.loads.Add(1)
	if err := l.dev.life.add(l); err != nil {
		l.raw.Close()
		return fmt.Errorf("device %d is %w", l.dev.ordinal, err)
	}
	return nil
}

// Close unloads l from its device, after the launches of it.
func (l *loaded) Close() error {
	l.mod.mu.Lock()
	if l.mod.loaded[l.dev] != l {
		l.mod.mu.Unlock()
		return nil
	}
	delete(l.mod.loaded, l.dev)
	l.mod.mu.Unlock()
	l.mu.Lock()
	for _, k := range l.kernels {
		k.forget(l.dev)
	}
	for _, g := range l.globals {
		g.Close()
	}
	l.mu.Unlock()
	l.dev.life.remove(l)
	if err := l.dev.stream.drain(); err != nil {
		return err
	}
	return l.raw.Close()
}

// Name is the name of the program.
func (m *Module) Name() string { return m.name }

// PTX is the module as PTX, of NewModule's own compilation, or "" if it was
// loaded from machine code.
func (m *Module) PTX() string { return m.first().ptx }

// CUBIN is the module as machine code, of NewModule's own compilation, or nil
// if there is only PTX. The caller must not change it.
func (m *Module) CUBIN() []byte { return m.first().cubin }

// Log is what the compiler said, such as warnings.
func (m *Module) Log() string { return m.first().log }

// Target is the architecture that NewModule compiled for: "sm_90".
func (m *Module) Target() string { return m.first().target }

// Entries are the names of the module's entry points, in the order of the PTX:
// what its kernels are called there. It is nil if there is no PTX.
func (m *Module) Entries() []string {
	tree, _ := m.first().module()
	if tree == nil {
		return nil
	}
	var names []string
	for _, e := range tree.Entries() {
		names = append(names, e.Name)
	}
	return names
}

// Stats counts what a Module did.
type Stats struct {
	Compiles uint64 // of the source: one for each architecture
	Loads    uint64 // onto a device: one for each
	Hits     uint64 // uses of a kernel or module that was loaded already
}

// Stats counts what m did so far.
func (m *Module) Stats() Stats {
	return Stats{Compiles: m.builds.Load(), Loads: m.loads.Load(), Hits: m.hits.Load()}
}

// Close unloads the module from all devices, after the launches of it there.
// Its kernels can't be launched any more. Later calls do nothing.
func (m *Module) Close() error {
	if m == nil || m.closed.Swap(true) {
		return nil
	}
	m.mu.Lock()
	var all []*loaded
	for _, l := range m.loaded {
		all = append(all, l)
	}
	m.mu.Unlock()
	var first error
	for _, l := range all {
		<-l.done
		if err := l.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
