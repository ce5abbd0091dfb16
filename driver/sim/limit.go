package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// usualLimit is a limit of a new context, in the driver's units.
func usualLimit(l driver.Limit) (uint64, bool) {
	switch l {
	case driver.LimitStackSize:
		return 1 << 10, true
	case driver.LimitPrintfBuffer:
		return 1 << 20, true
	case driver.LimitMallocHeap:
		return 8 << 20, true
	case driver.LimitSyncDepth:
		return 2, true
	case driver.LimitPendingLaunches:
		return 2048, true
	case driver.LimitMaxL2Fetch:
		return 64, true
	case driver.LimitPersistingL2Memory:
		return 0, true
	}
	return 0, false
}

// limit is a limit of a context.
func (c *context) limit(l driver.Limit) (uint64, driver.Result) {
	usual, known := usualLimit(l)
	switch v, set := c.limits[l]; {
	case !known:
		return 0, driver.InvalidValue
	case l == driver.LimitSyncDepth && c.device.cc() >= 90: // kernels there can't wait for those that they launch
		return 0, driver.UnsupportedLimit
	case set:
		return v, driver.Success
	}
	return usual, driver.Success
}

// mostStack is the most that a thread's stack can have, in bytes.
const mostStack = 512 << 10

// configure makes what the engine is told when it runs a context's kernels.
func (d *Driver) configure(c *context) {
	e := &engine.Config{}
	e.Workers, e.MaxSteps, e.Output, e.SM = d.config.Workers, d.config.MaxSteps, &d.output, c.device.facts[driver.MultiprocessorCount]
	e.Timer, e.Count = &c.device.timer, d.config.Counts != nil
	e.Worst, e.Seed = d.config.Scheduler == Worst, d.config.Seed
	e.Check.Uninitialised, e.Check.Race, e.Check.Sync = d.config.Check.Uninitialised, d.config.Check.Race, d.config.Check.Sync
	// The usual limit is the smallest: the driver gives kernels that need more what they need.
	if v, set := c.limits[driver.LimitStackSize]; set {
		e.Stack = int(v)
	}
	if v, set := c.limits[driver.LimitMallocHeap]; set {
		e.Heap = int64(min(v, mostMemory))
	}
	c.config = e
}
