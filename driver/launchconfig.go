package driver

// An attributeValue is a CUlaunchAttributeValue, a union of 64 bytes.
type attributeValue [16]uint32

// A launchAttribute is a CUlaunchAttribute.
type launchAttribute struct {
	id    uint32
	_     uint32
	value attributeValue
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
	x.link()
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
