package driver

import "errors"

// limits are the facts of a device that bound a launch. A fact that the driver
// is too old to know has the value that makes no difference.
type limits struct {
	threads               int
	block, grid           [3]int
	shared, sharedOptIn   int // bytes a block, by default and at most
	registers             int // a block
	warp, multiprocessors int
	cooperative, cluster  bool
}

func (d *Device) launchLimits() (*limits, error) {
	d.mu.Lock()
	l := d.limits
	d.mu.Unlock()
	if l != nil {
		return l, nil
	}
	l = &limits{}
	var cooperative, cluster int
	for _, a := range []struct {
		to       *int
		a        Attribute
		optional bool
	}{
		{&l.threads, MaxThreadsPerBlock, false},
		{&l.block[0], MaxBlockDimX, false}, {&l.block[1], MaxBlockDimY, false}, {&l.block[2], MaxBlockDimZ, false},
		{&l.grid[0], MaxGridDimX, false}, {&l.grid[1], MaxGridDimY, false}, {&l.grid[2], MaxGridDimZ, false},
		{&l.shared, MaxSharedMemoryPerBlock, false}, {&l.sharedOptIn, MaxSharedMemoryPerBlockOptIn, true},
		{&l.registers, MaxRegistersPerBlock, false},
		{&l.warp, WarpSize, false}, {&l.multiprocessors, MultiprocessorCount, false},
		{&cooperative, CooperativeLaunch, true}, {&cluster, ClusterLaunch, true},
	} {
		v, err := d.Attribute(a.a)
		if err != nil && !(a.optional && errors.Is(err, InvalidValue)) {
			return nil, err
		}
		*a.to = v
	}
	l.sharedOptIn = max(l.sharedOptIn, l.shared)
	l.cooperative, l.cluster = cooperative != 0, cluster != 0
	d.mu.Lock()
	d.limits = l
	d.mu.Unlock()
	return l, nil
}
