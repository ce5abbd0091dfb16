package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func launchEntries() map[string]entry {
	return map[string]entry{
		"cuLaunchKernel": {process, func(d *Driver, _ *context, a []uintptr) driver.Result {
			return d.start(a[0], a[8], launch{grid: axes(a[1:]), block: axes(a[4:]), shared: uint32(a[7])}, a[9], a[10])
		}},
		"cuLaunchCooperativeKernel": {process, func(d *Driver, _ *context, a []uintptr) driver.Result {
			return d.start(a[0], a[8], launch{grid: axes(a[1:]), block: axes(a[4:]), shared: uint32(a[7]), cooperative: true}, a[9], 0)
		}},
		"cuLaunchKernelEx": {process, launchKernelEx},
	}
}

func axes(a []uintptr) [3]uint32 { return [3]uint32{uint32(a[0]), uint32(a[1]), uint32(a[2])} }

// launchConfig is a CUlaunchConfig.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attrs       uintptr
	count       uint32
}

// launchAttribute is a CUlaunchAttribute.
type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

// Attributes that make a difference (CUlaunchAttributeID); the others are hints.
const (
	attrCooperative = 2
	attrCluster     = 4

	attributes = 32 // more than there are
)

func (l *launch) set(id uint32, value *[16]uint32) {
	switch id {
	case attrCooperative:
		l.cooperative = value[0] != 0
	case attrCluster:
		l.cluster = [3]uint32(value[:3])
	}
}

func launchKernelEx(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.InvalidValue
	}
	c := callee.At[launchConfig](a[0])
	if c.count > 0 && c.attrs == 0 {
		return driver.InvalidValue
	}
	l := launch{grid: c.grid, block: c.block, shared: c.shared}
	attrs := callee.Slice[launchAttribute](c.attrs, int(c.count))
	for i := range attrs {
		if attrs[i].id >= attributes {
			return driver.InvalidValue
		}
		l.set(attrs[i].id, &attrs[i].value)
	}
	return d.start(a[1], c.stream, l, a[2], a[3])
}
