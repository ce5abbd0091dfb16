package drivertest

import (
	"unsafe"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func (f *function) attribute(a driver.FunctionAttribute) int32 {
	switch a {
	case driver.FuncMaxThreadsPerBlock:
		return int32(f.MaxThreads)
	case driver.FuncSharedSizeBytes:
		return int32(f.Shared)
	case driver.FuncLocalSizeBytes:
		return int32(f.Local)
	case driver.FuncNumRegs:
		return int32(f.Registers)
	case driver.FuncMaxDynamicSharedSizeBytes:
		return f.dynamic
	case driver.FuncRequiredClusterWidth, driver.FuncRequiredClusterHeight, driver.FuncRequiredClusterDepth:
		return int32(f.Cluster[a-driver.FuncRequiredClusterWidth])
	case driver.FuncClusterSizeMustBeSet:
		return 0
	}
	return f.other[a]
}

func init() {
	play("cuFuncGetAttribute", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[2]]
		if f == nil {
			return driver.InvalidHandle
		}
		attribute := driver.FunctionAttribute(a[1])
		if attribute >= driver.FuncMaxDynamicSharedSizeBytes && !d.config.Version.AtLeast(9, 0) ||
			attribute >= driver.FuncClusterSizeMustBeSet && !d.config.Version.AtLeast(11, 8) {
			return driver.InvalidValue
		}
		callee.Put(a[0], f.attribute(attribute))
		return driver.Success
	})
	play("cuFuncSetAttribute", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[0]]
		if f == nil {
			return driver.InvalidHandle
		}
		attribute, value := driver.FunctionAttribute(a[1]), int32(a[2])
		if attribute == driver.FuncMaxDynamicSharedSizeBytes {
			dev := d.contexts[d.modules[f.module].ctx].device
			if int(value)+f.Shared > dev.facts[driver.MaxSharedMemoryPerBlockOptIn] {
				return driver.InvalidValue
			}
			f.dynamic = value
		}
		f.other[attribute] = value
		return driver.Success
	})
	play("cuFuncGetName", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[1]]
		if f == nil {
			return driver.InvalidHandle
		}
		callee.Put(a[0], uintptr(unsafe.Pointer(&f.cname[0]))) // kept by the module
		return driver.Success
	})
	play("cuFuncGetParamInfo", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[0]]
		if f == nil {
			return driver.InvalidHandle
		}
		i := int(a[1])
		if i >= len(f.Params) {
			return driver.InvalidValue
		}
		callee.Put(a[2], uint64(f.Params[i].Offset))
		callee.Put(a[3], uint64(f.Params[i].Size))
		return driver.Success
	})
	play("cuOccupancyMaxActiveBlocksPerMultiprocessor", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[1]]
		if f == nil {
			return driver.InvalidHandle
		}
		callee.Put(a[0], int32(d.fit(f, int(a[2]), int(a[3]))))
		return driver.Success
	})
}

// fit is how many blocks of a kernel a multiprocessor holds at once.
func (d *Driver) fit(f *function, threads, shared int) int {
	facts := d.contexts[d.modules[f.module].ctx].device.facts
	if threads <= 0 || threads > 1024 {
		return 0
	}
	warps := (threads + 31) / 32
	n := min(32, facts[driver.MaxThreadsPerMultiprocessor]/(warps*32),
		facts[driver.MaxRegistersPerMultiprocessor]/(warps*32*((max(1, f.Registers)+7)&^7)))
	return min(n, facts[driver.MaxSharedMemoryPerMultiprocessor]/(1024+f.Shared+shared))
}
