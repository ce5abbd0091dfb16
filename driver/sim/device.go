package sim

import (
	"fmt"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// Limits of what can be simulated: each device has a range of addresses of its own.
const (
	mostDevices = 15
	mostMemory  = 1 << 40

	// Memories that are no device's, by the numbers of their ranges.
	hostMemory    = 16
	virtualMemory = 17
)

// A device is one of the machine.
type device struct {
	ordinal int
	name    string
	facts   map[driver.Attribute]int
	memory  *engine.Memory
	timer   atomic.Uint64 // its %globaltimer

	primary  *context // nil: nobody has retained it yet
	retained int

	standard *pool // the device's own
	pool     *pool // from which allocations in stream order are made
}

func (d *Driver) newDevice(i int, c Device) (*device, error) {
	if c.Major == 0 && c.Minor == 0 {
		c.Major = 9
	}
	if c.Memory == 0 {
		c.Memory = 4 << 30
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("simulated sm_%d%d", c.Major, c.Minor)
	}
	if c.Major < 5 || c.Minor < 0 || c.Minor > 9 {
		return nil, fmt.Errorf("sim: device %d: compute capability %d.%d: from 5.0 on", i, c.Major, c.Minor)
	}
	if c.Memory > mostMemory {
		return nil, fmt.Errorf("sim: device %d: %d bytes of memory, at most %d", i, c.Memory, uint64(mostMemory))
	}
	dev := &device{ordinal: i, name: c.Name, facts: newFacts(i, c), memory: engine.NewMemoryOf(i, int64(c.Memory))}
	dev.memory.Join(d.hosts.memory)
	if d.config.Check.Uninitialised {
		dev.memory.RememberWrites()
	}
	dev.standard = d.newPool(dev, 0)
	dev.pool = dev.standard
	return dev, nil
}

// cc is the compute capability: 90 for 9.0.
func (dev *device) cc() int {
	return 10*dev.facts[driver.ComputeCapabilityMajor] + dev.facts[driver.ComputeCapabilityMinor]
}

// chip is what devices of its kind have.
func (dev *device) chip() *chip { return chipFor(dev.cc()) }

// device is the one of a CUdevice, or nil.
func (d *Driver) device(h uintptr) *device {
	if i := int(int32(h)); i >= 0 && i < len(d.devices) {
		return d.devices[i]
	}
	return nil
}

// uuid names a device: the bytes say that it is none.
func (dev *device) uuid() (u driver.UUID) {
	copy(u[:], "simulated")
	u[14], u[15] = byte(dev.cc()), byte(dev.ordinal)
	return u
}

func (dev *device) pci() string { return fmt.Sprintf("0000:%02x:00.0", dev.ordinal+1) }
