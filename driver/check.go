package driver

import "fmt"

// check finds what the driver would refuse with no more than "invalid value",
// or would crash on, and says what it is.
func (f *Function) check(c LaunchConfig, params int) error {
	l, err := f.ctx.device.launchLimits()
	if err != nil {
		return err
	}
	for _, check := range []func(*limits, *LaunchConfig) *Error{f.checkSizes, f.checkThreads, f.checkShared, f.checkCluster} {
		if e := check(l, &c); e != nil {
			return e
		}
	}
	if err := f.checkParams(params); err != nil {
		return err
	}
	if int(c.SharedMem)+f.static > l.shared {
		if err := f.SetMaxDynamicShared(c.SharedMem); err != nil {
			return err
		}
	}
	if c.Cluster.Count() > 1 {
		if err := f.checkResident(&c); err != nil {
			return err
		}
	}
	if c.Cooperative {
		return f.checkCooperative(l, &c)
	}
	return nil
}

func (f *Function) refuse(code Result, format string, args ...any) *Error {
	return &Error{Result: code, Detail: fmt.Sprintf(format, args...)} // Prepare knows what to call f
}

func (f *Function) checkSizes(l *limits, c *LaunchConfig) *Error {
	for _, d := range []struct {
		what  string
		size  Dim3
		limit [3]int
	}{{"grid", c.Grid, l.grid}, {"block", c.Block, l.block}} {
		for i, n := range d.size.axes() {
			if n == 0 {
				return f.refuse(InvalidValue, "%s %s: %c is 0, at least 1", d.what, d.size, 'x'+i)
			}
			if int64(n) > int64(d.limit[i]) {
				return f.refuse(InvalidValue, "%s %s: %c is %d, at most %d on %s", d.what, d.size, 'x'+i, n, d.limit[i], f.ctx.device)
			}
		}
	}
	return nil
}

func (f *Function) checkThreads(l *limits, c *LaunchConfig) *Error {
	n := c.Block.Count()
	if n > uint64(l.threads) {
		return f.refuse(InvalidValue, "block %s has %d threads, at most %d on %s", c.Block, n, l.threads, f.ctx.device)
	}
	warps := (int(n) + l.warp - 1) / max(1, l.warp)
	need := warps * l.warp * ((f.regs + 7) &^ 7) // the hardware gives a warp registers by the 8 a thread
	switch {
	case need > l.registers:
		return f.refuse(LaunchOutOfResources, "block %s has %d threads of %d registers: %d registers a block, at most %d on %s (so at most %d threads)",
			c.Block, n, f.regs, need, l.registers, f.ctx.device, f.maxThreads)
	case f.maxThreads > 0 && n > uint64(f.maxThreads):
		return f.refuse(InvalidValue, "block %s has %d threads, at most %d for this kernel (by __launch_bounds__ or its %d registers a thread)",
			c.Block, n, f.maxThreads, f.regs)
	}
	return nil
}

func (f *Function) checkShared(l *limits, c *LaunchConfig) *Error {
	limit := l.sharedOptIn
	if !f.ctx.api.table.Has(fnFuncSetAttribute) {
		limit = l.shared
	}
	if need := int(c.SharedMem) + f.static; need > limit {
		return f.refuse(InvalidValue, "%d bytes of shared memory a block (%d dynamic, %d static), at most %d on %s",
			need, c.SharedMem, f.static, limit, f.ctx.device)
	}
	return nil
}

// Clusters of up to 8 blocks run wherever clusters do; up to 16 where the device
// can and the kernel allows it.
const portableCluster, largestCluster = 8, 16

func (f *Function) checkCluster(l *limits, c *LaunchConfig) *Error {
	if f.cluster != (Dim3{}) {
		if c.Cluster != (Dim3{}) && c.Cluster != f.cluster {
			return f.refuse(InvalidClusterSize, "cluster %s asked for, the kernel was compiled for %s", c.Cluster, f.cluster)
		}
		return f.checkGridInClusters(c.Grid, f.cluster)
	}
	if c.Cluster == (Dim3{}) {
		if f.clusterNeeded {
			return f.refuse(InvalidClusterSize, "the kernel wants a cluster size at its launch: set LaunchConfig.Cluster")
		}
		return nil
	}
	if !l.cluster {
		return f.refuse(NotSupported, "cluster %s: %s has no clusters; GPUs of compute capability 9.0 and later have them", c.Cluster, f.ctx.device)
	}
	for i, n := range c.Cluster.axes() {
		if n == 0 {
			return f.refuse(InvalidValue, "cluster %s: %c is 0, at least 1", c.Cluster, 'x'+i)
		}
	}
	switch n := c.Cluster.Count(); {
	case n > largestCluster:
		return f.refuse(InvalidClusterSize, "cluster %s has %d blocks, at most %d", c.Cluster, n, largestCluster)
	case n > portableCluster && !f.largeClusters():
		return f.refuse(InvalidClusterSize, "cluster %s has %d blocks, at most %d unless Function.AllowLargeClusters was called", c.Cluster, n, portableCluster)
	}
	return f.checkGridInClusters(c.Grid, c.Cluster)
}

func (f *Function) checkGridInClusters(grid, cluster Dim3) *Error {
	blocks := grid.axes()
	for i, n := range cluster.axes() {
		if n > 0 && blocks[i]%n != 0 {
			return f.refuse(InvalidValue, "grid %s: %c is %d, not a multiple of %d, as cluster %s wants", grid, 'x'+i, blocks[i], n, cluster)
		}
	}
	return nil
}

// checkResident finds clusters that no part of the device has room for.
func (f *Function) checkResident(c *LaunchConfig) error {
	n, err := f.MaxActiveClusters(*c)
	if err == nil && n == 0 {
		return f.refuse(InvalidClusterSize, "cluster %s of blocks %s with %d bytes of dynamic shared memory: the device has no room for one", c.Cluster, c.Block, c.SharedMem)
	}
	return nil // a driver that can't tell lets the launch itself tell
}

// checkParams matters most: given too few, the driver reads beyond them and the
// process ends.
func (f *Function) checkParams(n int) error {
	params, err := f.Params()
	if err != nil {
		return nil // an older driver doesn't know; the caller has the PTX
	}
	if n != len(params) {
		return f.refuse(InvalidValue, "%d arguments given, the kernel has %d parameters", n, len(params))
	}
	return nil
}

func (f *Function) checkCooperative(l *limits, c *LaunchConfig) error {
	if !l.cooperative {
		return f.refuse(NotSupported, "%s has no cooperative launches", f.ctx.device)
	}
	blocks := new(int32)
	err := f.in(func() error {
		return f.ctx.api.occupancyMaxActiveBlocksPerMultiprocessor(blocks, f.handle, int32(c.Block.Count()), uint64(c.SharedMem))
	})
	if err != nil {
		return explain(err, "", "asking how many blocks fit at once")
	}
	if most := uint64(*blocks) * uint64(l.multiprocessors); c.Grid.Count() > most {
		return f.refuse(CooperativeLaunchTooLarge, "grid %s has %d blocks, at most %d can run at once (%d on each of %d multiprocessors)",
			c.Grid, c.Grid.Count(), most, *blocks, l.multiprocessors)
	}
	return nil
}
