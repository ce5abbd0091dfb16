package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A function is a kernel in a context.
type function struct {
	m       *module
	k       *engine.Kernel
	dynamic int // the most dynamic shared memory it may be launched with, in bytes
	set     map[driver.FunctionAttribute]int
}

// usualShared is the shared memory that a block may have without asking for more.
const usualShared = 48 << 10

func newFunction(m *module, k *engine.Kernel) *function {
	return &function{m: m, k: k, dynamic: max(0, usualShared-k.SharedBytes), set: map[driver.FunctionAttribute]int{}}
}

func (f *function) device() *device { return f.m.ctx.device }

// registers is what a thread of it takes, as the hardware gives it: by eights.
func (f *function) registers() int { return (max(1, f.k.Registers) + 7) &^ 7 }

// maxThreads is the most threads of a block, by its bounds and its registers.
func (f *function) maxThreads() int {
	n := f.device().facts[driver.MaxThreadsPerBlock]
	if f.k.MaxThreads > 0 {
		return min(n, f.k.MaxThreads)
	}
	return min(n, f.device().facts[driver.MaxRegistersPerBlock]/f.registers()&^31)
}

// attribute is a fact about it; false for one that the driver's version does not know.
func (d *Driver) funcAttribute(f *function, a driver.FunctionAttribute) (int, bool) {
	switch {
	case a < 0 || a > driver.FuncClusterSchedulingPolicyPreference:
		return 0, false
	case a >= driver.FuncClusterSizeMustBeSet && !d.config.Version.AtLeast(11, 8):
		return 0, false
	case a >= driver.FuncMaxDynamicSharedSizeBytes && !d.config.Version.AtLeast(9, 0):
		return 0, false
	}
	switch a {
	case driver.FuncMaxThreadsPerBlock:
		return f.maxThreads(), true
	case driver.FuncSharedSizeBytes:
		return f.k.SharedBytes, true
	case driver.FuncConstSizeBytes:
		return f.k.ConstBytes, true
	case driver.FuncLocalSizeBytes:
		return f.k.LocalBytes, true
	case driver.FuncNumRegs:
		return f.k.Registers, true
	case driver.FuncPTXVersion:
		return f.m.version, true
	case driver.FuncBinaryVersion:
		return f.device().cc(), true
	case driver.FuncMaxDynamicSharedSizeBytes:
		return f.dynamic, true
	case driver.FuncPreferredSharedMemoryCarveout:
		if v, ok := f.set[a]; ok {
			return v, true
		}
		return -1, true
	}
	return f.set[a], true
}

// setFuncAttribute changes what can be changed.
func (d *Driver) setFuncAttribute(f *function, a driver.FunctionAttribute, v int) driver.Result {
	switch a {
	case driver.FuncMaxDynamicSharedSizeBytes:
		if v < 0 || v+f.k.SharedBytes > f.device().facts[driver.MaxSharedMemoryPerBlockOptIn] {
			return driver.InvalidValue
		}
		f.dynamic = v
	case driver.FuncPreferredSharedMemoryCarveout:
		if v < -1 || v > 100 {
			return driver.InvalidValue
		}
		f.set[a] = v
	case driver.FuncNonPortableClusterSizeAllowed, driver.FuncClusterSchedulingPolicyPreference, driver.FuncRequiredClusterWidth,
		driver.FuncRequiredClusterHeight, driver.FuncRequiredClusterDepth:
		const policies = 2 // the highest CUclusterSchedulingPolicy
		if f.device().cc() < 90 || v < 0 || a == driver.FuncClusterSchedulingPolicyPreference && v > policies {
			return driver.InvalidValue
		}
		f.set[a] = v
	default:
		return driver.InvalidValue
	}
	return driver.Success
}
