package driver

import "unsafe"

// A launchConfig is a CUlaunchConfig with its attributes behind it.
type launchConfig struct {
	grid, block [3]uint32
	shared      uint32
	stream      uintptr
	attrs       unsafe.Pointer
	count       uint32

	list [4]launchAttribute
}

// A launchAttribute is a CUlaunchAttribute: the value is a union of 64 bytes.
type launchAttribute struct {
	id    uint32
	_     uint32
	value [16]uint32
}

// The attributes' numbers (CUlaunchAttributeID).
const (
	attrCooperative  = 2 // CU_LAUNCH_ATTRIBUTE_COOPERATIVE
	attrCluster      = 4 // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
	attrProgrammatic = 6 // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
	attrPriority     = 8 // CU_LAUNCH_ATTRIBUTE_PRIORITY
)

func newLaunchConfig(c *LaunchConfig) *launchConfig {
	x := &launchConfig{grid: c.Grid.axes(), block: c.Block.axes(), shared: c.SharedMem}
	x.attrs = unsafe.Pointer(&x.list[0])
	if c.Cooperative {
		x.add(attrCooperative, 1)
	}
	if c.Cluster != (Dim3{}) {
		x.add(attrCluster, c.Cluster.X, c.Cluster.Y, c.Cluster.Z)
	}
	if c.Programmatic {
		x.add(attrProgrammatic, 1)
	}
	if c.Priority != 0 {
		x.add(attrPriority, uint32(int32(c.Priority)))
	}
	return x
}

func (x *launchConfig) add(id uint32, words ...uint32) {
	a := &x.list[x.count]
	a.id = id
	copy(a.value[:], words)
	x.count++
}
