package driver

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/dl"
)

// A Fault is what took the GPU from the process: every context of it is lost,
// a new one can't be made, and each later call of the driver fails the same way.
// Only a new process can go on.
//
// Safe for concurrent use after it is made; its fields must not change.
type Fault struct {
	Result   Result   // the first fatal code
	Function string   // the C function that reported it, which may be long after it happened
	Running  []string // the kernels launched and not known to have ended then, oldest first
	Detail   string   // what a [Simulation] knows besides: thread, instruction, line; else ""
}

// A Simulation is a Resolver that is no GPU's driver but plays one, as that of package driver/sim does.
//
// Safe for concurrent use.
type Simulation interface {
	dl.Resolver
	// Fault says what took the devices from the program, in more words than a code has; "" as long as nothing did.
	Fault() string
	// Halt ends what runs, and drops what is enqueued: a fault, as any other.
	Halt()
}

// Simulated reports whether the driver is a [Simulation] and its devices are no GPUs.
func (d *Driver) Simulated() bool {
	_, ok := d.api.unguarded.Resolver().(Simulation)
	return ok
}

// Halt ends the kernels that run on the devices of a [Simulation] and drops all that is enqueued, which no GPU's driver can: there the error matches
// errors.ErrUnsupported. It is a fault, LAUNCH_TIMEOUT, that says where a kernel was, and takes the devices from the program. Where there is nothing
// to end it does nothing. The next call that waits tells of the fault.
func (d *Driver) Halt() error {
	s, ok := d.api.unguarded.Resolver().(Simulation)
	if !ok {
		return fmt.Errorf("driver: halt: a GPU can't stop a kernel: %w", errors.ErrUnsupported)
	}
	s.Halt()
	return nil
}

// String names the code, the call that reported it and the kernels that may be
// to blame.
func (f *Fault) String() string {
	s := fmt.Sprintf("%s (%s), first reported by %s", f.Result.String(), f.Result.Name(), f.Function)
	switch len(f.Running) {
	case 0:
	case 1:
		s += ", while kernel " + f.Running[0] + " was running"
	default:
		s += ", while one of these kernels was running: " + strings.Join(f.Running, ", ")
	}
	if f.Detail != "" {
		s += "; " + f.Detail
	}
	return s
}

// fault keeps the first Fault of a driver.
type fault struct {
	value   atomic.Pointer[Fault]
	mu      sync.Mutex
	running func() []string // what is not known to have ended
	detail  func() string   // of a Simulation; else nil
}

func (f *fault) first() *Fault { return f.value.Load() }

func (f *fault) note(function string, code Result) {
	if f.value.Load() != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.value.Load() != nil {
		return
	}
	v := &Fault{Result: code, Function: function}
	if f.running != nil {
		v.Running = f.running()
	}
	if f.detail != nil {
		v.Detail = f.detail()
	}
	f.value.Store(v)
}

// A guard resolves functions that fail at once with the first fault's code,
// once there is one: what the driver itself would answer, but it can't hang.
type guard struct {
	dl.Resolver
	fault *fault
}

// harmless functions touch no context: they answer after a fault, too.
var harmless = map[string]bool{
	"cuInit": true, "cuDriverGetVersion": true, "cuGetErrorName": true, "cuGetErrorString": true,
	"cuDeviceGet": true, "cuDeviceGetCount": true, "cuDeviceGetName": true, "cuDeviceGetAttribute": true,
	"cuCtxSetCurrent": true, "cuCtxGetCurrent": true,
}

func (g guard) Lookup(symbol string) (dl.Func, error) {
	f, err := g.Resolver.Lookup(symbol)
	if err != nil || f.IsZero() || harmless[symbol] {
		return f, err
	}
	return dl.Func{Go: func(args []uintptr) uintptr {
		if v := g.fault.value.Load(); v != nil {
			return uintptr(v.Result)
		}
		return f.CallSlice(args)
	}}, nil
}
