package rtc

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A ModuleConfig says how a source is compiled. The zero ModuleConfig works.
//
// Safe for concurrent use after it is made; its fields must not change.
type ModuleConfig struct {
	// Name is the program's name, which diagnostics and debug information
	// give as the file. Empty: "kernel.cu".
	Name string
	// Options are given to NVRTC as they are, one element each ("-I", "dir" or
	// "-Idir"). What they leave open, NewModule adds: the target architecture,
	// the C++ dialect (C++17 from CUDA 11.0, C++14 from 9.0, C++11 before), and
	// the folder of the headers that belong to the NVRTC in use.
	//
	// An architecture of the user's own is kept for all devices. sm_XY, machine
	// code, needs CUDA 11.1.
	Options []string
	// Exports are the kernels and variables that are templates, overloaded or
	// in a namespace, as C++ expressions: "axpy<float>", "&ns::table". They
	// need CUDA 8.0. Names that are extern "C" need not be listed.
	Exports []string
	// Headers are files that the source can include, by name, from memory. An
	// #include "…" finds the one beside the including file first, as in C++:
	// "b.h" or "../lib/b.h" in "lib/a.h" is "lib/b.h", where there is that one;
	// else it finds the one of that very name, and then files. An #include <…>,
	// and one by a macro, finds the very name only.
	Headers map[string]string
	// For is the device to compile for first. Nil: the device opened last,
	// else the newest architecture that NVRTC can make PTX for.
	For *Device
	// Compiler is the NVRTC to use. Nil: the machine's, opened once a process.
	Compiler *nvrtc.Compiler
	// Service compiles, or finds what was compiled before; it stays the caller's
	// to close. Nil: one of this process, which keeps what it compiled in memory
	// and in a folder purecuda of the user's cache folder, for processes to come.
	// The variable PURECUDA_CACHE names another folder, from the root on, or is
	// "off": then each module is compiled. It is read once. A folder that can't be
	// used fails nothing: slog.Default gets one warning, at the level Warn, in a
	// process; Problem of cache.Default says why.
	Service *compile.Service
	// CacheExtra stands for what the cache can't see: see compile.Request's Extra,
	// and Module.Uncached.
	CacheExtra string
}

// A Module is CUDA C++ source, compiled. It belongs to no device: it is loaded
// on a device when a kernel of it first runs there, and compiled again if that
// needs code for another architecture. [NewModule] and [LoadModule] make one.
//
// Safe for concurrent use. The caller closes it; closing a device unloads its
// modules from there too.
type Module struct {
	name    string
	build   *build    // nil if it was compiled elsewhere
	initial *artifact // what NewModule made: its names and kernels are those of all others
	closed  atomic.Bool
	end     closer
	hits    atomic.Uint64
	builds  atomic.Uint64
	found   atomic.Uint64
	loads   atomic.Uint64

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

// NewModule compiles source, CUDA C++ in UTF-8. Mistakes in it give an
// *nvrtc.CompileError with the compiler's diagnostics; no NVRTC on the machine,
// a *dl.NotFoundError that lists where it was looked for. See NVIDIA's manual,
// https://docs.nvidia.com/cuda/nvrtc/index.html.
func NewModule(source string, c ModuleConfig) (*Module, error) {
	return NewModuleContext(context.Background(), source, c)
}

// NewModuleContext is NewModule with a context that ends the waiting and, from
// CUDA 12.8, the compiling.
func NewModuleContext(ctx context.Context, source string, c ModuleConfig) (*Module, error) {
	m, err := newModule(ctx, source, c)
	if err != nil {
		return nil, &opError{op: "new module", all: true, err: err}
	}
	return m, nil
}

func newModule(ctx context.Context, source string, c ModuleConfig) (*Module, error) {
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	if c.Service == nil {
		c.Service = machineService()
	}
	b, arch, err := newBuild(source, c)
	if err != nil {
		return nil, err
	}
	m := emptyModule(b.config.Name)
	m.build = b
	if m.initial, err = m.artifact(ctx, arch); err != nil {
		return nil, err
	}
	return m, nil
}

func emptyModule(name string) *Module {
	return &Module{name: name, artifacts: map[nvrtc.Arch]*pending{}, loaded: map[*Device]*loaded{}}
}

// artifact compiles for arch, once.
func (m *Module) artifact(ctx context.Context, arch nvrtc.Arch) (*artifact, error) {
	for {
		m.mu.Lock()
		p := m.artifacts[arch]
		if p == nil {
			p = &pending{done: make(chan struct{})}
			m.artifacts[arch] = p
			m.mu.Unlock()
			m.compile(ctx, arch, p)
			return p.art, p.err
		}
		m.mu.Unlock()
		if again, err := follow(ctx, p.done, &p.err); !again {
			return p.art, err
		}
	}
}

func (m *Module) compile(ctx context.Context, arch nvrtc.Arch, p *pending) {
	defer close(p.done)
	if p.art, p.err = m.build.compile(ctx, arch); p.err == nil {
		if p.art.compiled {
			m.builds.Add(1)
		} else {
			m.found.Add(1)
		}
		return
	}
	// The next one may have better luck.
	m.mu.Lock()
	delete(m.artifacts, arch)
	m.mu.Unlock()
}

// follow waits for what somebody else does, and says how it ended. again is
// true when that one's context ended and ctx has not.
func follow(ctx context.Context, done <-chan struct{}, result *error) (again bool, err error) {
	select {
	case <-done:
	case <-ctx.Done():
		return false, ended(ctx)
	}
	if gaveUp(*result) && ctx.Err() == nil {
		return true, nil
	}
	return false, *result
}

// artifactFor is what runs on dev, compiled for it if need be.
func (m *Module) artifactFor(ctx context.Context, dev *Device) (*artifact, error) {
	if m.build == nil {
		return m.initial, nil
	}
	arch, err := m.build.target(dev)
	if err != nil {
		return nil, err
	}
	return m.artifact(ctx, arch)
}

// Preload compiles the module for dev, if need be, and loads it there, which
// otherwise happens when a kernel of it first runs on dev: at a moment when
// nobody waits, or before a stream is captured into a graph, when nothing can
// be loaded. ctx ends the waiting as in NewModuleContext.
func (m *Module) Preload(ctx context.Context, dev *Device) error {
	if m == nil {
		return fmt.Errorf("rtc: preload: %w", errNilModule)
	}
	err := dev.use()
	if err == nil {
		_, err = m.on(ctx, dev)
	}
	if err != nil {
		return failed("preload", m.name, err)
	}
	return nil
}

// Name is the name of the program.
func (m *Module) Name() string {
	if m == nil {
		return ""
	}
	return m.name
}

// String is the module's name: module kernel.cu.
func (m *Module) String() string {
	if m == nil || m.loaded == nil {
		return "no module"
	}
	return "module " + m.name
}

// made is what NewModule compiled; of the zero Module, nothing.
func (m *Module) made() *artifact {
	if m == nil || m.initial == nil {
		return new(artifact)
	}
	return m.initial
}

// PTX is the module as PTX, of NewModule's own compilation, or "" if it was
// loaded from machine code.
func (m *Module) PTX() string { return m.made().ptx }

// CUBIN is the module as machine code, of NewModule's own compilation, or nil
// if there is only PTX. Others have the same bytes: the caller must not change them.
func (m *Module) CUBIN() []byte { return m.made().cubin }

// Log is what the compiler said, such as warnings.
func (m *Module) Log() string { return m.made().log }

// Uncached says why NewModule's compile was not kept and will be repeated, such
// as an #include by a macro, whose file the cache can't know; it is "" where the
// cache has its part. ModuleConfig.CacheExtra helps.
func (m *Module) Uncached() string { return m.made().uncached }

// Target is the architecture that NewModule compiled for: "sm_90". For what
// LoadModule loaded it is that of the PTX, or "cubin" or "fatbin".
func (m *Module) Target() string { return m.made().target }

// Entries are the names of the module's entry points, in the order of the code:
// what its kernels are called there. It is nil if that can't be told, as from
// a fatbin.
func (m *Module) Entries() []string {
	var names []string
	for _, e := range m.made().code().entries {
		names = append(names, e.name)
	}
	return names
}

// Stats counts what a Module did.
//
// Safe for concurrent use after it is made; its fields must not change.
type Stats struct {
	Compiles uint64 // of the source: one for each architecture that the cache did not have
	Cached   uint64 // compiled before, or for another module at the same time
	Loads    uint64 // onto a device: one for each
	Hits     uint64 // kernels that found the module loaded on the device already
}

// Stats counts what m did so far.
func (m *Module) Stats() Stats {
	if m == nil {
		return Stats{}
	}
	return Stats{Compiles: m.builds.Load(), Cached: m.found.Load(), Loads: m.loads.Load(), Hits: m.hits.Load()}
}

// Close unloads the module from all devices, after the launches of it there.
// Its kernels can't be launched any more. Later calls do nothing; those at the
// same time wait. A fault that shows meanwhile is its error. It is safe on nil.
//
// It waits for a kernel as long as that runs, for an endless one without end;
// see [Device.Close].
func (m *Module) Close() error {
	if m == nil {
		return nil
	}
	err := m.end.close(func() error {
		m.closed.Store(true)
		m.mu.Lock()
		var all []*loaded
		for _, l := range m.loaded {
			all = append(all, l)
		}
		m.mu.Unlock()
		var errs []error
		for _, l := range all {
			<-l.done
			errs = append(errs, l.Close())
		}
		return joined(errs...)
	})
	if err != nil {
		return failed("close module", m.name, err)
	}
	return nil
}
