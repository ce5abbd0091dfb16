package rtc

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// OpenSimulated opens a simulated device: a CUDA device in pure Go that runs the PTX of modules on the CPU, on any machine. It has
// compute capability 9.0 and a driver of its own, so that what one does another does not see. What kernels print goes to standard
// output; faults name the line in the source of modules with the option -lineinfo. A kernel that never
// ends runs until [Device.Close] after a wait that was given up; with sim.Config.MaxSteps and [OpenSimulatedWith] it ends by itself. It is for tests and for teaching: what passes on it need not pass on a GPU, and it is much slower.
// See package sim for what it does.
//
// The caller owns the Device and closes it. Modules are compiled to PTX for it; a module that is machine code alone can't run on it.
func OpenSimulated() (*Device, error) {
	return OpenSimulatedWith(sim.Config{Output: os.Stdout})
}

// OpenSimulatedWith is [OpenSimulated] of a machine that c describes: its first device. What kernels print goes to c.Output alone. The others
// are opened by [OpenWith], with the first one's [Device.Driver] and their Ordinal.
func OpenSimulatedWith(c sim.Config) (*Device, error) {
	simulated, err := sim.New(c)
	if err != nil {
		return nil, fmt.Errorf("rtc: open simulated device: %w", err)
	}
	drv, err := driver.Bind(simulated)
	if err != nil {
		return nil, fmt.Errorf("rtc: open simulated device: %w", err)
	}
	return OpenWith(OpenConfig{Driver: drv})
}

// OpenAny opens the device that the environment variable PURECUDA_DEVICE names: "cuda:1" is CUDA device 1, "sim" a simulated one. Where
// it is not set or empty, OpenAny opens CUDA device 0, or a simulated device on a machine that has none: [Device.Simulated] tells which it
// was, and so does the device's name. A GPU that is there but can't be used is an error; it is not replaced.
//
// The caller owns the Device and closes it. No other function reads PURECUDA_DEVICE.
func OpenAny() (*Device, error) {
	const variable = "PURECUDA_DEVICE"
	switch name := os.Getenv(variable); {
	case name == "":
		dev, err := Open(0)
		if errors.Is(err, ErrNoDevice) {
			return OpenSimulated()
		}
		return dev, err
	case name == "sim":
		return OpenSimulated()
	default:
		number, ok := strings.CutPrefix(name, "cuda:")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 {
			return nil, fmt.Errorf(`rtc: open device: %s is %q: write "cuda:0", with the number of a CUDA device, or "sim"`, variable, name)
		}
		return Open(n)
	}
}

// Simulated reports whether the device is no GPU but plays one: see [OpenSimulated].
func (d *Device) Simulated() bool { return d != nil && d.simulated }
