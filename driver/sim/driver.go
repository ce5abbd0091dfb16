package sim

import (
	ctx "context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A Driver is a simulated CUDA driver with its devices. Several can live side by side and know nothing of each other.
//
// Safe for concurrent use.
type Driver struct {
	config   Config
	devices  []*device
	since    map[string]dl.Version
	output   output
	counting sync.Mutex  // one call of config.Counts at a time
	lost     atomic.Bool // fault is set
	running  ctx.Context // of the kernels
	halt     func()      // ends it

	// mu protects all that follows and what is reached from there. It is not held while work runs, nor while a call waits.
	mu      sync.Mutex
	ready   bool // cuInit was called
	last    uintptr
	current map[int][]*context // by thread: what cuCtxCreate makes current stands above what was
	fault   *fault             // what took the devices; nil: nothing did
	texts   map[string][]byte
	hosts   hosts
	virtual *engine.Memory // what is mapped
	blocks  map[uint64]*block
	foreign map[uint64]*context // who has other processes' memory there
	queue   schedule
	spare   []*kernelWork

	contexts  map[uintptr]*context
	streams   map[uintptr]*stream
	events    map[uintptr]*event
	modules   map[uintptr]*module
	functions map[uintptr]*function
	libraries map[uintptr]*library
	kernels   map[uintptr]*kernel
	links     map[uintptr]*link
	graphs    map[uintptr]*graph
	nodes     map[uintptr]*node
	execs     map[uintptr]*exec
	pools     map[uintptr]*pool
	physical  map[uintptr]*physical
	ranges    map[uint64]*addresses
}

// New makes a simulated driver.
func New(c Config) (*Driver, error) {
	if c.Version == (dl.Version{}) {
		c.Version = dl.Version{Major: 13}
	}
	if c.Devices == nil {
		c.Devices = []Device{{}}
	}
	switch {
	case !c.Version.AtLeast(8, 0):
		return nil, fmt.Errorf("sim: new: a driver of CUDA %s: from 8.0 on", c.Version)
	case len(c.Devices) > mostDevices:
		return nil, fmt.Errorf("sim: new: %d devices, at most %d", len(c.Devices), mostDevices)
	case c.Workers < 0:
		return nil, fmt.Errorf("sim: new: %d workers", c.Workers)
	case c.Scheduler != InOrder && c.Scheduler != Worst:
		return nil, fmt.Errorf("sim: new: scheduler %d", c.Scheduler)
	}
	d := &Driver{
		config: c, since: map[string]dl.Version{}, last: 0x1000, current: map[int][]*context{}, texts: map[string][]byte{},
		contexts: map[uintptr]*context{}, streams: map[uintptr]*stream{}, events: map[uintptr]*event{}, modules: map[uintptr]*module{},
		functions: map[uintptr]*function{}, libraries: map[uintptr]*library{}, kernels: map[uintptr]*kernel{}, links: map[uintptr]*link{},
		graphs: map[uintptr]*graph{}, nodes: map[uintptr]*node{}, execs: map[uintptr]*exec{}, pools: map[uintptr]*pool{},
		physical: map[uintptr]*physical{}, ranges: map[uint64]*addresses{},
	}
	d.output.to = c.Output
	d.running, d.halt = ctx.WithCancel(ctx.Background())
	d.hosts.init()
	d.virtual, d.blocks, d.foreign = engine.NewMemoryOf(virtualMemory, 0), map[uint64]*block{}, map[uint64]*context{}
	d.queue.init(d)
	for i, dev := range c.Devices {
		made, err := d.newDevice(i, dev)
		if err != nil {
			return nil, err
		}
		d.devices = append(d.devices, made)
	}
	d.join()
	for _, f := range driver.Functions() {
		d.since[f.Name] = f.Since
	}
	return d, nil
}

// Path says what it is.
func (d *Driver) Path() string { return fmt.Sprintf("simulated CUDA %s driver", d.config.Version) }

// Lookup finds a function that a driver of this version has.
func (d *Driver) Lookup(symbol string) (dl.Func, error) {
	since, known := d.since[symbol]
	if !known || d.config.Version.Compare(since) < 0 {
		return dl.Func{}, &dl.SymbolError{Symbol: symbol, Path: d.Path()}
	}
	e := entryOf(symbol)
	return dl.Func{Go: func(args []uintptr) uintptr { return uintptr(d.call(e, args)) }}, nil
}

// call is a call of an entry by the program.
func (d *Driver) call(e entry, args []uintptr) driver.Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	ctx, r := d.able(e.need)
	if r != driver.Success {
		return r
	}
	return e.do(d, ctx, args)
}

// able says whether there is what a function needs, and gives the current context to one that needs that.
func (d *Driver) able(n need) (ctx *context, r driver.Result) {
	if !d.ready && n != nothing {
		return nil, driver.NotInitialized
	}
	if n == bound {
		if ctx, r = d.now(); r != driver.Success {
			return nil, r
		}
	}
	if d.fault != nil && n != nothing && n != facts {
		return nil, d.fault.code
	}
	return ctx, driver.Success
}

// handle makes a new handle.
func (d *Driver) handle() uintptr {
	d.last += 0x10
	return d.last
}

// text is a C string that lives as long as the driver.
func (d *Driver) text(s string) uintptr {
	b, ok := d.texts[s]
	if !ok {
		b = append([]byte(s), 0)
		d.texts[s] = b
	}
	return callee.Address(&b[0])
}

// unlocked runs f without the lock, for what takes its time. What was looked up before may be gone after.
func (d *Driver) unlocked(f func()) {
	d.mu.Unlock()
	defer d.mu.Lock()
	f()
}

// put adds an object under a new handle.
func put[T any](d *Driver, to map[uintptr]*T, x *T) uintptr {
	h := d.handle()
	to[h] = x
	return h
}
