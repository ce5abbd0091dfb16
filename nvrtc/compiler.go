package nvrtc

import (
	"fmt"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A Compiler is a loaded NVRTC and the threads that it compiles on.
//
// Safe for concurrent use.
type Compiler struct {
	api     *api
	version dl.Version
	threads *threads
	headers func() ([]string, error) // IncludeDirs, once
	build   func() string            // Build, once

	mu       sync.Mutex
	closed   bool
	programs []*Program // the open ones, oldest first
}

// A Config says which NVRTC to open and how it compiles. The zero Config
// searches the machine and compiles on as many threads of its own as
// GOMAXPROCS, made when needed.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the library's file or its folder. Empty: it is searched for, see dl.NVRTC.
	Path string
	// Threads is how many compiles run at once, the others waiting for their
	// turn. 0: GOMAXPROCS.
	Threads int
	// OnCaller compiles on the thread that calls Compile. That thread's stack
	// bounds how deeply a source may nest: an overrun ends the process. It is
	// for child processes that compile on their main thread.
	OnCaller bool
}

// Open finds, loads and binds NVRTC. What it loads stays loaded until the
// process ends; a second Open of the same file shares it.
//
// NVIDIA's manual: https://docs.nvidia.com/cuda/nvrtc/index.html.
func Open(c Config) (*Compiler, error) {
	var opened *Compiler
	_, err := dl.NVRTC.OpenChecked(c.Path, func(lib *dl.Library) (err error) {
		opened, err = bind(lib, c)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("nvrtc: open: %w", err)
	}
	return opened, nil
}

// Bind uses the NVRTC functions of r, whatever r is. Nothing is looked up but
// the version; every other function is when it is first needed.
func Bind(r dl.Resolver) (*Compiler, error) { return bind(r, Config{}) }

func bind(r dl.Resolver, config Config) (*Compiler, error) {
	c := &Compiler{api: &api{table: dl.NewTable(r, decls)}}
	major, minor := new(int32), new(int32)
	if !c.api.table.Has(fnVersion) && !c.api.table.Has(fnCreateProgram) {
		return nil, fmt.Errorf("nvrtc: bind %s: it is no NVRTC: it has no function nvrtcVersion", r.Path())
	}
	if err := c.api.version(major, minor); err != nil {
		return nil, fmt.Errorf("nvrtc: bind %s: %w", r.Path(), err)
	}
	c.version = dl.Version{Major: int(*major), Minor: int(*minor)}
	c.api.have = c.version
	c.threads = newThreads(c.api, config.Threads, config.OnCaller)
	c.headers = sync.OnceValues(c.findHeaders)
	c.build = sync.OnceValue(c.findBuild)
	return c, nil
}

// Version is the CUDA version that this NVRTC belongs to.
func (c *Compiler) Version() dl.Version { return c.version }

// Path is the file it was loaded from.
func (c *Compiler) Path() string { return c.api.table.Resolver().Path() }

// String is what it is, for messages: NVRTC 12.4 (/path/libnvrtc.so.12).
func (c *Compiler) String() string {
	return fmt.Sprintf("NVRTC %s (%s)", c.version, c.Path())
}

// Busy is the number of compiles that run now, with those whose Compile has
// returned because its context ended, and which NVRTC does not stop.
func (c *Compiler) Busy() int { return c.threads.busy() }

// Close closes the programs that are still open, newest first, and ends the
// compiler's threads, each busy one after its compile. The library stays
// loaded. It returns at once, may be called several times, and on nil.
func (c *Compiler) Close() error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.closed = true
	programs := slices.Clone(c.programs)
	c.mu.Unlock()
	var first error
	for _, p := range slices.Backward(programs) {
		if err := p.Close(); err != nil && first == nil {
			first = err
		}
	}
	c.threads.close()
	return first
}

// adopt notes an open program; it gives ErrClosed after Close.
func (c *Compiler) adopt(p *Program) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	c.programs = append(c.programs, p)
	return nil
}

// disown forgets a program.
func (c *Compiler) disown(p *Program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := slices.Index(c.programs, p); i >= 0 {
		c.programs = slices.Delete(c.programs, i, i+1)
	}
}
