package drivertest

import (
	"fmt"
	"slices"
	"sync"
	"time"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Config says what driver to play. The zero Config is a 12.4 with one
// device of compute capability 9.0.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Version is the CUDA version: functions that came later are missing.
	Version dl.Version
	// Devices are what it has; nil means one of the zero Device, empty means none.
	Devices []Device
	// Without are functions that it lacks, whatever its version.
	Without []string
	// NeedsContext makes calls that name a stream or an event answer
	// [driver.InvalidContext] on a thread without the right current context, as
	// older drivers do.
	NeedsContext bool
	// Stub makes it a toolkit's stub library: cuInit answers 34.
	Stub bool
}

// A Driver is the double.
//
// Safe for concurrent use.
type Driver struct {
	config  Config
	devices []*device
	since   map[string]dl.Version

	record    record
	rules     rules
	gate      gate
	mu        sync.Mutex
	next      uintptr
	current   map[int]uintptr // by OS thread
	contexts  map[uintptr]*context
	streams   map[uintptr]*stream
	events    map[uintptr]*event
	modules   map[uintptr]*module
	funcs     map[uintptr]*function
	graphs    map[uintptr]*graph
	hosts     map[uintptr]host
	libraries map[uintptr]*library
	links     map[uintptr]*link
	memory    memory
	kernels   map[string]func(Launch) driver.Result
	facts     map[string]func(*Function)
	launches  []Launch
	texts     map[string][]byte
	began     time.Time
}

// New makes a double.
func New(c Config) *Driver {
	if c.Version == (dl.Version{}) {
		c.Version = dl.Version{Major: 12, Minor: 4}
	}
	if c.Devices == nil {
		c.Devices = []Device{{}}
	}
	d := &Driver{
		config: c, since: map[string]dl.Version{}, next: 0x1000, current: map[int]uintptr{},
		contexts: map[uintptr]*context{}, streams: map[uintptr]*stream{}, events: map[uintptr]*event{},
		modules: map[uintptr]*module{}, funcs: map[uintptr]*function{}, graphs: map[uintptr]*graph{},
		hosts: map[uintptr]host{}, libraries: map[uintptr]*library{}, links: map[uintptr]*link{},
		kernels: map[string]func(Launch) driver.Result{}, facts: map[string]func(*Function){}, began: time.Now(), texts: map[string][]byte{},
	}
	for i, dev := range c.Devices {
		d.devices = append(d.devices, newDevice(i, dev))
	}
	for _, f := range driver.Functions() {
		d.since[f.Name] = f.Since
	}
	return d
}

// Path says what it plays.
func (d *Driver) Path() string { return fmt.Sprintf("drivertest %s", d.config.Version) }

// Lookup finds a function that the version has. Those that the double does not
// play answer [driver.NotSupported].
func (d *Driver) Lookup(symbol string) (dl.Func, error) {
	since, known := d.since[symbol]
	if !known || d.config.Version.Compare(since) < 0 || slices.Contains(d.config.Without, symbol) {
		return dl.Func{}, &dl.SymbolError{Symbol: symbol, Path: d.Path()}
	}
	e := entries[symbol]
	return dl.Func{Go: func(args []uintptr) uintptr { return uintptr(d.call(symbol, e, args)) }}, nil
}

// An entry is a function of the double.
type entry struct {
	do   func(d *Driver, a []uintptr) driver.Result
	need need
}

type need int

const (
	nothing    need = iota // no context
	bound                  // a current context
	anyContext             // a current context, with Config.NeedsContext
	unlocked               // like anyContext, and do takes the lock itself
	process                // no context, but none can be had after a fault; do takes the lock itself
)

// entries has each function that is played. The files of this package fill it.
var entries = map[string]entry{}

func play(name string, n need, do func(d *Driver, a []uintptr) driver.Result) {
	entries[name] = entry{do, n}
}

func (d *Driver) call(symbol string, e entry, args []uintptr) driver.Result {
	args = slices.Clone(args) // work that is done later keeps them
	return d.answer(symbol, e, args, d.record.begin(symbol, args))
}

func (d *Driver) answer(symbol string, e entry, args []uintptr, n int) (r driver.Result) {
	defer func() { d.record.end(n, r) }()
	code, delay, hit := d.rules.apply(symbol)
	if delay > 0 {
		time.Sleep(delay)
	}
	if hit {
		return code
	}
	if e.do == nil {
		return driver.NotSupported
	}
	d.mu.Lock()
	if e.need == bound || (e.need == anyContext || e.need == unlocked) && d.config.NeedsContext {
		c, ok := d.contexts[d.current[callee.Thread()]]
		if !ok || c.gone {
			d.mu.Unlock()
			d.record.violation(symbol)
			return driver.InvalidContext
		}
	}
	if e.need == unlocked || e.need == process {
		d.mu.Unlock()
		return e.do(d, args)
	}
	defer d.mu.Unlock()
	return e.do(d, args)
}

// handle makes a new handle. The lock is held.
func (d *Driver) handle() uintptr {
	d.next += 0x10
	return d.next
}

// text is a C string that lives as long as the double. The lock is held.
func (d *Driver) text(s string) uintptr {
	b, ok := d.texts[s]
	if !ok {
		b = append([]byte(s), 0)
		d.texts[s] = b
	}
	return uintptr(unsafe.Pointer(&b[0]))
}

func init() {
	play("cuInit", nothing, func(d *Driver, a []uintptr) driver.Result {
		if d.config.Stub {
			return driver.StubLibrary
		}
		if len(d.devices) == 0 {
			return driver.NoDevice
		}
		return driver.Success
	})
	play("cuGetErrorName", nothing, func(d *Driver, a []uintptr) driver.Result {
		r := driver.Result(a[0])
		name := r.Name()
		if name == fmt.Sprintf("CUresult %d", r) {
			name = fmt.Sprintf("CUDA_ERROR_%d", r)
		}
		callee.Put(a[1], d.text(name))
		return driver.Success
	})
	play("cuGetErrorString", nothing, func(d *Driver, a []uintptr) driver.Result {
		r := driver.Result(a[0])
		text := r.String()
		if text == fmt.Sprintf("result %d", r) {
			text = fmt.Sprintf("code %d of the double", r)
		}
		callee.Put(a[1], d.text(text))
		return driver.Success
	})
	play("cuDriverGetVersion", nothing, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(d.config.Version.Major*1000+d.config.Version.Minor*10))
		return driver.Success
	})
}
