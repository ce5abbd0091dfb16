package driver

// MaxActiveBlocks is how many blocks of that many threads and bytes of dynamic
// shared memory a multiprocessor runs at once.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__OCCUPANCY.html
func (f *Function) MaxActiveBlocks(threads int, shared uint32) (int, error) {
	n := new(int32)
	err := f.in(func() error {
		return f.ctx.api.occupancyMaxActiveBlocksPerMultiprocessor(n, f.handle, int32(threads), uint64(shared))
	})
	return int(*n), explain(err, "occupancy of "+f.name, "")
}

// SuggestBlock is a number of threads a block that fills the device best, and
// the fewest blocks that do so. limit bounds the threads; 0: no bound.
func (f *Function) SuggestBlock(shared uint32, limit int) (blocks, threads int, err error) {
	b, t := new(int32), new(int32)
	err = f.in(func() error {
		return f.ctx.api.occupancyMaxPotentialBlockSize(b, t, f.handle, 0, uint64(shared), int32(limit))
	})
	return int(*b), int(*t), explain(err, "suggest a block size for "+f.name, "")
}

// AvailableShared is how much dynamic shared memory a block may use so that so
// many blocks of so many threads still run on a multiprocessor. Since CUDA 11.0.
func (f *Function) AvailableShared(blocks, threads int) (uint64, error) {
	n := new(uint64)
	err := f.in(func() error {
		return f.ctx.api.occupancyAvailableDynamicSMemPerBlock(n, f.handle, int32(blocks), int32(threads))
	})
	return *n, explain(err, "shared memory left to "+f.name, "")
}

// MaxClusterSize is the most blocks that a cluster of such a launch can have;
// its Cluster does not matter. Since CUDA 11.8.
func (f *Function) MaxClusterSize(c LaunchConfig) (int, error) {
	c.Cluster = Dim3{}
	return f.clusters(c, f.ctx.api.occupancyMaxPotentialClusterSize)
}

// MaxActiveClusters is how many clusters of such a launch the device runs at
// once. Since CUDA 11.8.
func (f *Function) MaxActiveClusters(c LaunchConfig) (int, error) {
	return f.clusters(c, f.ctx.api.occupancyMaxActiveClusters)
}

func (f *Function) clusters(c LaunchConfig, ask func(*int32, functionHandle, *launchConfig) error) (int, error) {
	n := new(int32)
	err := f.in(func() error { return ask(n, f.handle, newLaunchConfig(&c)) })
	return int(*n), explain(err, "clusters of "+f.name, "")
}
