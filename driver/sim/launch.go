package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A launch is a kernel's start as the program asks for it.
type launch struct {
	grid, block [3]uint32
	shared      uint32
	cooperative bool
	cluster     [3]uint32
}

// A kernelWork runs a kernel.
type kernelWork struct {
	f      *function
	launch engine.Launch
	config *engine.Config
	once   bool      // for a stream: it is used again when it is over
	at     []uintptr // of the arguments, for who asks
}

func (*kernelWork) kind() driver.NodeKind { return driver.KernelNode }

func (w *kernelWork) run(at moment) (span, *fault) {
	d, dev, l := w.f.m.ctx.driver, w.f.device(), &w.launch
	dev.reached(at)
	stats, err := engine.Run(d.running, l, w.config)
	if err != nil {
		return 0, faultOf(err)
	}
	if stats.Counts != nil {
		d.counted(w.f.k.Name, stats.Counts)
	}
	warps := int(l.Grid[0]) * int(l.Grid[1]) * int(l.Grid[2]) * ((int(l.Block[0]*l.Block[1]*l.Block[2]) + 31) / 32)
	took := kernelCost(dev, warps, stats.Steps)
	if stats.Timer > 0 { // the kernel has seen that it takes longer
		took = max(took, span(stats.Timer)-span(at))
	}
	return took, nil
}

// reached makes the device's clock no earlier than a moment.
func (dev *device) reached(at moment) {
	for last := dev.timer.Load(); last < uint64(at); last = dev.timer.Load() {
		if dev.timer.CompareAndSwap(last, uint64(at)) {
			return
		}
	}
}

// kernelWork makes work of a launch whose arguments' addresses lie at params, or, packed, as extra says.
func (d *Driver) kernelWork(f *function, l launch, params, extra uintptr) (*kernelWork, driver.Result) {
	if r := f.allowed(&l); r != driver.Success {
		return nil, r
	}
	w := d.spareWork()
	w.f, w.config = f, f.m.ctx.config
	e := &w.launch
	e.Kernel, e.Grid, e.Block, e.Shared, e.Cooperative = f.k, l.grid, l.block, int(l.shared), l.cooperative
	if cap(e.Params) < f.k.ParamBytes {
		e.Params = make([]byte, f.k.ParamBytes)
	}
	e.Params = e.Params[:f.k.ParamBytes]
	if r := f.arguments(e.Params, params, extra); r != driver.Success {
		return nil, r
	}
	return w, driver.Success
}

// arguments copies the values of the arguments.
func (f *function) arguments(to []byte, params, extra uintptr) driver.Result {
	switch {
	case len(f.k.Params) == 0:
		return driver.Success
	case params != 0:
		at := callee.Slice[uintptr](params, len(f.k.Params))
		for i := range f.k.Params {
			p := &f.k.Params[i]
			if at[i] == 0 {
				return driver.InvalidValue
			}
			copy(to[p.Offset:], dl.Memory(at[i], int(p.Size())))
		}
		return driver.Success
	case extra != 0:
		return packed(to, extra)
	}
	return driver.InvalidValue
}

// packed copies arguments that lie as the kernel wants them: extra is a list of names and values.
func packed(to []byte, extra uintptr) driver.Result {
	const end, buffer, size = 0, 1, 2 // CU_LAUNCH_PARAM_…
	var from, n uintptr
	for at := extra; ; at += 16 {
		pair := callee.Slice[uintptr](at, 2)
		switch pair[0] {
		case buffer:
			from = pair[1]
		case size:
			n = uintptr(*callee.At[uint64](pair[1]))
		case end:
			switch {
			case from == 0 || n == 0:
				return driver.InvalidValue
			case n > uintptr(len(to)):
				return driver.LaunchOutOfResources
			}
			clear(to[copy(to, dl.Memory(from, int(n))):]) // a GPU has there what was there before
			return driver.Success
		default:
			return driver.InvalidValue
		}
	}
}

// allowed answers as tersely as the driver does.
func (f *function) allowed(l *launch) driver.Result {
	facts := f.device().facts
	threads := uint64(1)
	for i := range 3 {
		threads *= uint64(l.block[i])
		if l.grid[i] == 0 || l.block[i] == 0 || int(l.grid[i]) > facts[driver.MaxGridDimX+driver.Attribute(i)] ||
			int(l.block[i]) > facts[driver.MaxBlockDimX+driver.Attribute(i)] {
			return driver.InvalidValue
		}
	}
	switch required := f.k.Required; {
	case threads > uint64(facts[driver.MaxThreadsPerBlock]):
		return driver.InvalidValue
	case f.k.MaxThreads > 0 && threads > uint64(f.k.MaxThreads), required != [3]uint32{} && required != l.block:
		return driver.InvalidValue
	case threads > uint64(f.maxThreads()):
		return driver.LaunchOutOfResources
	case l.cooperative:
		if f.device().cc() < 60 {
			return driver.NotSupported
		}
		blocks := uint64(l.grid[0]) * uint64(l.grid[1]) * uint64(l.grid[2])
		if blocks > uint64(f.fit(int(threads), int(l.shared))*facts[driver.MultiprocessorCount]) {
			return driver.CooperativeLaunchTooLarge
		}
	}
	if int64(l.shared) > int64(f.dynamic) {
		return driver.InvalidValue
	}
	return f.clusters(l)
}

// clusters answers for the clusters that a launch or its function asks for: those of more than one block are not built.
func (f *function) clusters(l *launch) driver.Result {
	size := uint32(1)
	for i := range 3 {
		if n := l.cluster[i]; n > 0 {
			if size *= n; n > mostCluster || l.grid[i]%n != 0 {
				return driver.InvalidClusterSize
			}
		} else if n := uint32(f.set[driver.FuncRequiredClusterWidth+driver.FunctionAttribute(i)]); n > 0 {
			if size *= n; l.grid[i]%n != 0 {
				return driver.InvalidValue
			}
		}
	}
	switch {
	case size > mostCluster:
		return driver.InvalidClusterSize
	case size > 1:
		return driver.NotSupported
	}
	return driver.Success
}

// mostCluster is how many blocks a cluster can have everywhere.
const mostCluster = 8

// start puts a launch into a stream.
func (d *Driver) start(h, stream uintptr, l launch, params, extra uintptr) driver.Result {
	s, r := d.stream(stream)
	if r != driver.Success {
		return r
	}
	f, r := d.function(h, s.ctx)
	if r != driver.Success {
		return r
	}
	if f.m.ctx != s.ctx {
		return driver.InvalidHandle
	}
	w, r := d.kernelWork(f, l, params, extra)
	if r != driver.Success {
		if s.capture != nil {
			s.capture.spoil()
		}
		return r
	}
	w.once = s.capture == nil
	return d.enqueue(s, w)
}

// spareWork is a kernelWork that nobody uses. They are made many at a time: a launch then allocates nothing.
func (d *Driver) spareWork() *kernelWork {
	if len(d.spare) == 0 {
		const many, usual = 64, 128 // bytes of parameters
		made, params := make([]kernelWork, many), make([]byte, many*usual)
		for i := range made {
			made[i].launch.Params = params[i*usual : i*usual : (i+1)*usual]
			d.spare = append(d.spare, &made[i])
		}
	}
	last := len(d.spare) - 1
	w := d.spare[last]
	d.spare = d.spare[:last]
	return w
}

// over takes work back that has been done, for another launch.
func (d *Driver) over(w work) {
	const most = 1024
	if k, ok := w.(*kernelWork); ok && k.once && len(d.spare) < most {
		k.f, k.launch.Kernel, k.config, k.once = nil, nil, nil, false
		d.spare = append(d.spare, k)
	}
}
