package drivertest

import (
	"fmt"
	"maps"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Device is one that the double has. The zero Device has compute capability
// 9.0 and 4 GiB of memory.
//
// Safe for concurrent use after it is made; its fields must not change.
type Device struct {
	Name         string
	Major, Minor int                      // of the compute capability
	Memory       uint64                   // bytes
	Attributes   map[driver.Attribute]int // what differs from a usual device
}

type device struct {
	Device
	facts    map[driver.Attribute]int
	used     uint64
	retained int
	primary  uintptr
}

func newDevice(i int, c Device) *device {
	if c.Major == 0 {
		c.Major, c.Minor = 9, 0
	}
	if c.Name == "" {
		c.Name = fmt.Sprintf("Test GPU sm_%d%d", c.Major, c.Minor)
	}
	if c.Memory == 0 {
		c.Memory = 4 << 30
	}
	cc := c.Major*10 + c.Minor
	facts := map[driver.Attribute]int{
		driver.MaxThreadsPerBlock: 1024, driver.MaxBlockDimX: 1024, driver.MaxBlockDimY: 1024, driver.MaxBlockDimZ: 64,
		driver.MaxGridDimX: 1<<31 - 1, driver.MaxGridDimY: 65535, driver.MaxGridDimZ: 65535,
		driver.MaxSharedMemoryPerBlock: 48 << 10, driver.MaxSharedMemoryPerBlockOptIn: optIn(cc),
		driver.MaxSharedMemoryPerMultiprocessor: optIn(cc) + 1024, driver.ReservedSharedMemoryPerBlock: 1024,
		driver.TotalConstantMemory: 64 << 10, driver.WarpSize: 32, driver.MaxRegistersPerBlock: 65536,
		driver.MaxRegistersPerMultiprocessor: 65536, driver.MultiprocessorCount: 132, driver.MaxThreadsPerMultiprocessor: 2048,
		driver.MaxBlocksPerMultiprocessor: 32, driver.ComputeCapabilityMajor: c.Major, driver.ComputeCapabilityMinor: c.Minor,
		driver.ConcurrentKernels: 1, driver.UnifiedAddressing: 1, driver.PCIBusID: i + 1, driver.AsyncEngineCount: 2,
		driver.CooperativeLaunch: yes(cc >= 60), driver.ClusterLaunch: yes(cc >= 90), driver.MemoryPoolsSupported: 1,
		driver.StreamPrioritiesSupported: 1, driver.VirtualMemoryManagementSupported: 1, driver.CanMapHostMemory: 1,
		driver.HandleTypePOSIXFileDescriptorSupported: 1, driver.IPCEventSupported: 1, driver.ManagedMemory: 1,
		driver.ClockRate: 1980000, driver.L2CacheSize: 50 << 20,
	}
	maps.Copy(facts, c.Attributes)
	return &device{Device: c, facts: facts}
}

// optIn is the most shared memory of a block, in bytes, by compute capability.
func optIn(cc int) int {
	switch {
	case cc < 70:
		return 48 << 10
	case cc < 75:
		return 96 << 10
	case cc == 75:
		return 64 << 10
	case cc == 80 || cc == 87:
		return 163 << 10
	case cc == 90 || cc >= 100 && cc < 120:
		return 227 << 10
	}
	return 99 << 10
}

func yes(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newest is the version in which an attribute came, for the few that matter.
var attributeSince = map[driver.Attribute][2]int{
	driver.MaxSharedMemoryPerBlockOptIn: {9, 0}, driver.CooperativeLaunch: {9, 0}, driver.ClusterLaunch: {11, 8},
	driver.MaxBlocksPerMultiprocessor: {11, 0}, driver.MemoryPoolsSupported: {11, 2}, driver.VirtualMemoryManagementSupported: {10, 2},
}

func (d *Driver) device(h uintptr) *device {
	if i := int(int32(h)); i >= 0 && i < len(d.devices) {
		return d.devices[i]
	}
	return nil
}

func init() {
	play("cuDeviceGet", nothing, func(d *Driver, a []uintptr) driver.Result {
		if d.device(a[1]) == nil {
			return driver.InvalidDevice
		}
		callee.Put(a[0], int32(a[1]))
		return driver.Success
	})
	play("cuDeviceGetCount", nothing, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(len(d.devices)))
		return driver.Success
	})
	play("cuDeviceGetName", nothing, func(d *Driver, a []uintptr) driver.Result {
		dev := d.device(a[2])
		if dev == nil {
			return driver.InvalidDevice
		}
		name := append([]byte(dev.Name), 0)
		copy(dl.Memory(a[0], int(a[1])), name)
		return driver.Success
	})
	play("cuDeviceTotalMem_v2", nothing, func(d *Driver, a []uintptr) driver.Result {
		dev := d.device(a[1])
		if dev == nil {
			return driver.InvalidDevice
		}
		callee.Put(a[0], dev.Memory)
		return driver.Success
	})
	uuid := func(d *Driver, a []uintptr) driver.Result {
		if d.device(a[1]) == nil {
			return driver.InvalidDevice
		}
		callee.Put(a[0], [16]byte{0: 0xab, 15: byte(a[1] + 1)})
		return driver.Success
	}
	play("cuDeviceGetUuid", nothing, uuid)
	play("cuDeviceGetUuid_v2", nothing, uuid)
	play("cuDeviceGetAttribute", nothing, func(d *Driver, a []uintptr) driver.Result {
		dev := d.device(a[2])
		if dev == nil {
			return driver.InvalidDevice
		}
		attribute := driver.Attribute(a[1])
		if since, ok := attributeSince[attribute]; ok && !d.config.Version.AtLeast(since[0], since[1]) {
			return driver.InvalidValue
		}
		callee.Put(a[0], int32(dev.facts[attribute]))
		return driver.Success
	})
}
