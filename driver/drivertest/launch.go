package drivertest

import (
	"slices"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Launch is a kernel's start, as the driver got it.
//
// Safe for concurrent use after it is made; its fields must not change.
type Launch struct {
	Driver      *Driver
	Function    string
	Grid, Block [3]uint32
	Shared      uint32
	Stream      uintptr
	Params      [][]byte // a copy of each argument's value
	Cooperative bool
	Cluster     [3]uint32
	Priority    int32
	Attributes  map[uint32][16]uint32 // of cuLaunchKernelEx, by number
}

// Arg is the value of an argument.
func Arg[T any](l Launch, i int) T {
	var v T
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&v)), unsafe.Sizeof(v)), l.Params[i])
	return v
}

// Kernel gives a kernel a body: run is called once for each launch of it, and
// does what all its threads would, by [Slice] and [Arg]. What it returns breaks the GPU,
// see [Driver.Break], unless it is [driver.Success]. A kernel without a body
// does nothing.
func (d *Driver) Kernel(name string, run func(Launch) driver.Result) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.kernels[name] = run
}

// Launches are the kernels started since New or Forget.
func (d *Driver) Launches() []Launch {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.launches)
}

// A launchConfig is a CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attrs       uintptr
	count       uint32
}

type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

func axes(a []uintptr) [3]uint32 { return [3]uint32{uint32(a[0]), uint32(a[1]), uint32(a[2])} }

func init() {
	plain := func(cooperative bool) func(d *Driver, a []uintptr) driver.Result {
		return func(d *Driver, a []uintptr) driver.Result {
			return d.launch(a[0], Launch{Grid: axes(a[1:]), Block: axes(a[4:]), Shared: uint32(a[7]), Stream: a[8], Cooperative: cooperative}, a[9])
		}
	}
	play("cuLaunchKernel", unlocked, plain(false))
	play("cuLaunchCooperativeKernel", unlocked, plain(true))
	play("cuLaunchKernelEx", unlocked, func(d *Driver, a []uintptr) driver.Result {
		c := callee.At[launchConfig](a[0])
		l := Launch{Grid: c.grid, Block: c.block, Shared: c.shared, Stream: c.stream, Attributes: map[uint32][16]uint32{}}
		for _, attr := range callee.Slice[launchAttribute](c.attrs, int(c.count)) {
			l.Attributes[attr.id] = attr.value
			switch attr.id {
			case 2:
				l.Cooperative = attr.value[0] != 0
			case 4:
				l.Cluster = [3]uint32(attr.value[:3])
			case 8:
				l.Priority = int32(attr.value[0])
			}
		}
		return d.launch(a[1], l, a[2])
	})
}

func (d *Driver) launch(h uintptr, l Launch, params uintptr) driver.Result {
	d.mu.Lock()
	f := d.funcs[h]
	if f == nil || d.streams[l.Stream] == nil {
		d.mu.Unlock()
		return driver.InvalidHandle
	}
	l, r := d.prepare(f, l, params)
	run := d.kernels[f.Name]
	if c := d.streams[l.Stream].capture; c != nil && r == driver.Success {
		c.add(&node{handle: d.handle(), kind: driver.KernelNode, function: h, work: func() driver.Result { return d.run(run, l) }})
		d.mu.Unlock()
		return r
	}
	d.mu.Unlock()
	if r != driver.Success {
		return r
	}
	return d.run(run, l)
}

// prepare checks a launch and reads its arguments. The lock is held.
func (d *Driver) prepare(f *function, l Launch, params uintptr) (Launch, driver.Result) {
	r := d.allowed(f, &l)
	if r == driver.Success && len(f.Params) > 0 && params == 0 {
		r = driver.InvalidValue
	}
	if r != driver.Success {
		return l, r
	}
	l.Driver, l.Function = d, f.Name
	for i, p := range f.Params {
		value := *callee.At[uintptr](params + uintptr(i)*unsafe.Sizeof(params))
		l.Params = append(l.Params, slices.Clone(dl.Memory(value, p.Size)))
	}
	return l, r
}

func (d *Driver) run(body func(Launch) driver.Result, l Launch) driver.Result {
	d.mu.Lock()
	d.launches = append(d.launches, l)
	d.mu.Unlock()
	if body != nil {
		if r := body(l); r != driver.Success {
			d.Break(r) // found by a later call, as on a GPU
		}
	}
	return driver.Success
}

// allowed answers as tersely as the driver does.
func (d *Driver) allowed(f *function, l *Launch) driver.Result {
	facts := d.contexts[d.modules[f.module].ctx].device.facts
	threads := uint64(1)
	for i := range 3 {
		threads *= uint64(l.Block[i])
		if l.Grid[i] == 0 || l.Block[i] == 0 || int(l.Grid[i]) > facts[driver.MaxGridDimX+driver.Attribute(i)] ||
			int(l.Block[i]) > facts[driver.MaxBlockDimX+driver.Attribute(i)] || l.Cluster[i] != 0 && l.Grid[i]%l.Cluster[i] != 0 {
			return driver.InvalidValue
		}
	}
	switch {
	case threads > uint64(facts[driver.MaxThreadsPerBlock]), threads > uint64(f.MaxThreads):
		return driver.InvalidValue
	case int32(l.Shared) > f.dynamic:
		return driver.InvalidValue
	case l.Cooperative:
		blocks := uint64(l.Grid[0]) * uint64(l.Grid[1]) * uint64(l.Grid[2])
		if blocks > uint64(d.fit(f, int(threads), int(l.Shared))*facts[driver.MultiprocessorCount]) {
			return driver.CooperativeLaunchTooLarge
		}
	}
	return driver.Success
}
