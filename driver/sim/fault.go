package sim

import (
	ctx "context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A fault is what took the devices from the program.
type fault struct {
	code driver.Result
	text string // kernel, block, thread, line, and what was wrong
}

// code is what a GPU's driver says of the same, and LAUNCH_FAILED for what only the simulator sees.
func code(k engine.FaultKind) driver.Result {
	switch k {
	case engine.IllegalAddress, engine.InvalidPC, engine.StackOverflow: // a GPU runs on, into what is not there
		return driver.IllegalAddress
	case engine.MisalignedAddress:
		return driver.MisalignedAddress
	case engine.Assert:
		return driver.Assert
	case engine.Deadlock, engine.Endless:
		return driver.LaunchTimeout
	}
	return driver.LaunchFailed
}

// faultOf is the fault that an error of the engine is.
func faultOf(err error) *fault {
	var f *engine.Fault
	switch {
	case errors.Is(err, ctx.Canceled): // the kernel was through, but it is the device's end
		return dropped()
	case !errors.As(err, &f):
		return &fault{driver.LaunchFailed, err.Error()}
	}
	return &fault{code(f.Kind), f.Error()}
}

// dropped is the fault of who is halted where no kernel is in the middle.
func dropped() *fault { return &fault{driver.LaunchTimeout, "all that was enqueued was dropped"} }

// lost is a fault of work that is no kernel.
func lost(format string, args ...any) *fault {
	return &fault{driver.IllegalAddress, fmt.Sprintf(format, args...)}
}

// fail takes the devices from the program: what is enqueued never runs, whoever waits is told.
func (d *Driver) fail(f *fault) {
	if d.fault == nil {
		d.fault = f
		d.lost.Store(true)
		d.queue.abandon()
	}
}

// Halt ends the kernels that run and drops all that is enqueued. It is a fault, LAUNCH_TIMEOUT, that says where a kernel was when it was ended; where
// nothing runs and nothing is enqueued it does nothing. A simulated device can stop a kernel that never ends, as a GPU can't.
func (d *Driver) Halt() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue.busy) == 0 {
		return
	}
	d.halt()
	if d.queue.active == 0 {
		d.fail(dropped())
	}
}

// broken is the code of a fault, or Success.
func (d *Driver) broken() driver.Result {
	if d.fault != nil {
		return d.fault.code
	}
	return driver.Success
}

// Fault says what took the devices from the program: the kernel, the block and thread, the instruction with its line in the PTX and, where
// that has line information, in the source, and what was wrong. It is "" as long as nothing did. Package driver puts it into
// its Fault; that there is this method tells it that the driver is a simulation.
func (d *Driver) Fault() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.fault == nil {
		return ""
	}
	return d.fault.text
}
