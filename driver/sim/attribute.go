package sim

import (
	"maps"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// attributes are the facts of a device of that compute capability. Those that are not here are 0.
func (c *chip) attributes(ordinal, major, minor int) map[driver.Attribute]int {
	cc := 10*major + minor
	from := func(first int) int {
		if cc >= first {
			return 1
		}
		return 0
	}
	facts := map[driver.Attribute]int{
		driver.ComputeCapabilityMajor: major, driver.ComputeCapabilityMinor: minor,
		driver.WarpSize: 32, driver.MaxThreadsPerBlock: 1024,
		driver.MaxBlockDimX: 1024, driver.MaxBlockDimY: 1024, driver.MaxBlockDimZ: 64,
		driver.MaxGridDimX: 1<<31 - 1, driver.MaxGridDimY: 65535, driver.MaxGridDimZ: 65535,

		driver.MultiprocessorCount: c.sms, driver.MaxThreadsPerMultiprocessor: c.threads, driver.MaxBlocksPerMultiprocessor: c.blocks,
		driver.MaxRegistersPerBlock: 65536, driver.MaxRegistersPerMultiprocessor: 65536,
		driver.MaxSharedMemoryPerBlock: 48 << 10, driver.MaxSharedMemoryPerBlockOptIn: c.optIn,
		driver.MaxSharedMemoryPerMultiprocessor: c.shared, driver.ReservedSharedMemoryPerBlock: c.reserved(),
		driver.TotalConstantMemory: 64 << 10,

		driver.ClockRate: c.clock, driver.MemoryClockRate: c.clock, driver.GlobalMemoryBusWidth: c.bus, driver.L2CacheSize: c.l2,
		driver.MaxPitch: 1<<31 - 1, driver.TextureAlignment: 512, driver.TexturePitchAlignment: 32, driver.SurfaceAlignment: 512,

		driver.GPUOverlap: 1, driver.AsyncEngineCount: 2, driver.ConcurrentKernels: 1, driver.UnifiedAddressing: 1,
		driver.CanMapHostMemory: 1, driver.HostRegisterSupported: 1, driver.StreamPrioritiesSupported: 1,
		driver.CanUseHostPointerForRegisteredMemory: 1,
		driver.GlobalL1CacheSupported:               1, driver.LocalL1CacheSupported: 1,
		driver.CooperativeLaunch: from(60), driver.ComputePreemptionSupported: from(60),
		driver.SingleToDoublePrecisionPerfRatio: 2,

		driver.VirtualMemoryManagementSupported: 1, driver.MemoryPoolsSupported: 1,
		driver.PCIBusID: ordinal + 1,
	}
	if canShare {
		facts[driver.HandleTypePOSIXFileDescriptorSupported], facts[driver.IPCEventSupported] = 1, 1
	}
	if fast := cc == 60 || cc == 70 || cc == 80 || cc == 90 || cc == 100; !fast {
		facts[driver.SingleToDoublePrecisionPerfRatio] = 32
	}
	return facts
}

// since is the version in which an attribute came, for those that programs look at to know what a driver can do.
func since(a driver.Attribute) dl.Version {
	switch a {
	case driver.CooperativeLaunch, driver.MaxSharedMemoryPerBlockOptIn:
		return dl.Version{Major: 9}
	case driver.VirtualMemoryManagementSupported:
		return dl.Version{Major: 10, Minor: 2}
	case driver.MaxBlocksPerMultiprocessor, driver.ReservedSharedMemoryPerBlock:
		return dl.Version{Major: 11}
	case driver.MemoryPoolsSupported:
		return dl.Version{Major: 11, Minor: 2}
	case driver.ClusterLaunch:
		return dl.Version{Major: 11, Minor: 8}
	}
	return dl.Version{}
}

// attribute is a fact, false where the driver's version does not know it.
func (d *Driver) attribute(dev *device, a driver.Attribute) (int, bool) {
	if d.config.Version.Compare(since(a)) < 0 || a <= 0 || a > lastAttribute {
		return 0, false
	}
	return dev.facts[a], true
}

const lastAttribute = driver.AtomicReductionSupported

// newFacts are a device's attributes with what its Device changes.
func newFacts(ordinal int, c Device) map[driver.Attribute]int {
	facts := chipFor(10*c.Major+c.Minor).attributes(ordinal, c.Major, c.Minor)
	maps.Copy(facts, c.Attributes)
	return facts
}
