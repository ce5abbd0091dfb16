package sim_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

func TestDevices(t *testing.T) {
	r := newRig(t, sim.Config{Devices: []sim.Device{
		{}, {Name: "mine", Major: 7, Minor: 5, Memory: 1 << 30, Attributes: map[driver.Attribute]int{driver.MultiprocessorCount: 3}}, {Major: 8, Minor: 6},
	}})
	for i, want := range []struct {
		name                         string
		cc, sms, shared, threads, l2 int
		memory                       uint64
	}{
		{"simulated sm_90", 90, 132, 227 << 10, 2048, 50 << 20, 4 << 30},
		{"mine", 75, 3, 64 << 10, 1024, 4 << 20, 1 << 30},
		{"simulated sm_86", 86, 82, 99 << 10, 1536, 6 << 20, 4 << 30},
	} {
		dev, err := r.drv.Device(i)
		require.NoError(t, err)
		require.Equal(t, want.name, dev.Name())
		major, minor, err := dev.ComputeCapability()
		require.NoError(t, err)
		require.Equal(t, want.cc, 10*major+minor)
		for a, want := range map[driver.Attribute]int{driver.MultiprocessorCount: want.sms, driver.MaxSharedMemoryPerBlockOptIn: want.shared,
			driver.MaxThreadsPerMultiprocessor: want.threads, driver.L2CacheSize: want.l2, driver.ClusterLaunch: 0} {
			v, err := dev.Attribute(a)
			require.NoError(t, err)
			require.Equal(t, want, v, "%s of %d", a, i)
		}
		total, err := dev.TotalMemory()
		require.NoError(t, err)
		require.Equal(t, want.memory, total)
		pci, err := dev.PCI()
		require.NoError(t, err)
		same, err := r.drv.DeviceAtPCI(pci[5:])
		require.NoError(t, err)
		require.Same(t, dev, same)
	}
	dev, err := r.drv.Device(0)
	require.NoError(t, err)
	_, err = dev.Attribute(9999)
	require.ErrorIs(t, err, driver.InvalidValue)
	_, err = r.drv.DeviceAtPCI("00:99.0")
	require.ErrorIs(t, err, driver.InvalidDevice)
	old := newRig(t, sim.Config{Version: dl.Version{Major: 8}})
	_, err = old.ctx.Device().Attribute(driver.CooperativeLaunch)
	require.ErrorIs(t, err, driver.InvalidValue)
}

func TestContexts(t *testing.T) {
	s, err := sim.New(sim.Config{})
	require.NoError(t, err)
	r := &rig{sim: s}
	word := new(uintptr)
	require.Equal(t, driver.NotInitialized, r.raw(t, "cuDeviceGetCount", uintptr(unsafe.Pointer(new(int32)))))
	require.Equal(t, driver.InvalidValue, r.raw(t, "cuInit", 1))
	require.Equal(t, driver.Success, r.raw(t, "cuInit", 0))
	locked(func() {
		current := func() uintptr {
			require.Equal(t, driver.Success, r.raw(t, "cuCtxGetCurrent", uintptr(unsafe.Pointer(word))))
			return *word
		}
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", 0))
		require.Zero(t, current())
		require.Equal(t, driver.InvalidContext, r.raw(t, "cuCtxSynchronize"))
		require.Equal(t, driver.InvalidContext, r.raw(t, "cuCtxSetCurrent", 0x999))
		require.Equal(t, driver.InvalidDevice, r.create(t, "cuCtxCreate_v2", word, 0, 5))
		require.Equal(t, driver.InvalidValue, r.create(t, "cuCtxCreate_v2", word, 1<<20, 0))
		require.Equal(t, driver.Success, r.create(t, "cuCtxCreate_v2", word, 0, 0))
		own := *word
		require.Equal(t, own, current(), "a new context is current")
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSynchronize"))

		require.Equal(t, driver.InvalidContext, r.raw(t, "cuDevicePrimaryCtxRelease_v2", 0))
		require.Equal(t, driver.Success, r.create(t, "cuDevicePrimaryCtxRetain", word, 0))
		primary := *word
		require.Equal(t, own, current(), "retaining changes nothing there")
		require.Equal(t, driver.InvalidContext, r.raw(t, "cuCtxDestroy_v2", primary), "it is released")
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", primary))
		require.Equal(t, driver.Success, r.raw(t, "cuDevicePrimaryCtxRelease_v2", 0))
		require.Equal(t, driver.ContextIsDestroyed, r.raw(t, "cuCtxSynchronize"))
		require.Equal(t, driver.Success, r.create(t, "cuDevicePrimaryCtxRetain", word, 0))
		require.Equal(t, primary, *word, "the same handle again")
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSynchronize"))

		require.Equal(t, driver.Success, r.raw(t, "cuCtxDestroy_v2", own))
		require.Equal(t, primary, current())
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", own), "what is gone can be made current")
		require.Equal(t, driver.ContextIsDestroyed, r.raw(t, "cuCtxSynchronize"))
		require.Equal(t, driver.InvalidContext, r.raw(t, "cuCtxDestroy_v2", own))
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", primary))
		require.Equal(t, driver.Success, r.create(t, "cuCtxCreate_v2", word, 0, 0))
		require.Equal(t, driver.Success, r.raw(t, "cuCtxDestroy_v2", *word))
		require.Equal(t, primary, current(), "what a new context has hidden")
		require.Equal(t, driver.Success, r.raw(t, "cuDevicePrimaryCtxRelease_v2", 0))
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", 0))
	})
	require.Empty(t, sim.Left(s))
}

// The last holder of the primary context takes everything with it, the first does not.
func TestPrimaryContextIsCounted(t *testing.T) {
	r := newRig(t, sim.Config{})
	second, err := driver.Bind(r.sim)
	require.NoError(t, err)
	dev, err := second.Device(0)
	require.NoError(t, err)
	c, err := dev.Primary()
	require.NoError(t, err)
	p, err := c.Alloc(64)
	require.NoError(t, err)
	require.NoError(t, r.s.Memset8(p, 1, 64)) // they are one context
	require.NoError(t, r.s.Synchronize())
	require.NoError(t, c.Close())
	require.NoError(t, r.s.Synchronize())
	active, err := dev.PrimaryActive()
	require.NoError(t, err)
	require.True(t, active)
}

func TestLimits(t *testing.T) {
	r := newRig(t, sim.Config{})
	for l, want := range map[driver.Limit]uint64{driver.LimitStackSize: 1 << 10, driver.LimitPrintfBuffer: 1 << 20, driver.LimitMallocHeap: 8 << 20} {
		v, err := r.ctx.Limit(l)
		require.NoError(t, err)
		require.Equal(t, want, v)
		require.NoError(t, r.ctx.SetLimit(l, 2*want))
		v, err = r.ctx.Limit(l)
		require.NoError(t, err)
		require.Equal(t, 2*want, v)
	}
	_, err := r.ctx.Limit(99)
	require.ErrorIs(t, err, driver.InvalidValue)
	require.ErrorIs(t, r.ctx.SetLimit(99, 1), driver.InvalidValue)
	require.ErrorIs(t, r.ctx.SetLimit(driver.LimitSyncDepth, 1), driver.UnsupportedLimit)
	require.ErrorIs(t, r.ctx.SetLimit(driver.LimitStackSize, 1<<30), driver.InvalidValue)
}

// Launches that can't be give the driver's own codes, whoever makes them.
func TestLaunchCodes(t *testing.T) {
	r := newRig(t, sim.Config{})
	r.launch(t, "bounded", driver.LaunchConfig{})
	bounded, axpy, static := sim.FunctionHandle(r.sim, "bounded"), sim.FunctionHandle(r.sim, "axpy"), sim.FunctionHandle(r.sim, "static")
	s := r.s.Handle()
	for name, c := range map[string]struct {
		f           uintptr
		grid, block [3]uintptr
		shared, s   uintptr
		want        driver.Result
	}{
		"right":             {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{64, 1, 1}, 0, s, driver.Success},
		"over its bounds":   {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{65, 1, 1}, 0, s, driver.InvalidValue},
		"empty grid":        {bounded, [3]uintptr{1, 0, 1}, [3]uintptr{1, 1, 1}, 0, s, driver.InvalidValue},
		"empty block":       {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 0}, 0, s, driver.InvalidValue},
		"high grid":         {bounded, [3]uintptr{1, 65536, 1}, [3]uintptr{1, 1, 1}, 0, s, driver.InvalidValue},
		"deep block":        {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 65}, 0, s, driver.InvalidValue},
		"large block":       {axpy, [3]uintptr{1, 1, 1}, [3]uintptr{1024, 2, 1}, 0, s, driver.InvalidValue},
		"no arguments":      {axpy, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 0, s, driver.InvalidValue},
		"shared memory":     {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 48 << 10, s, driver.Success},
		"too much":          {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 48<<10 + 1, s, driver.InvalidValue},
		"too much, static":  {static, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 48 << 10, s, driver.InvalidValue},
		"no function":       {0, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 0, s, driver.InvalidHandle},
		"no stream":         {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 0, 0x77, driver.InvalidHandle},
		"the null stream":   {bounded, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 0, 0, driver.Success},
		"a module's handle": {s, [3]uintptr{1, 1, 1}, [3]uintptr{1, 1, 1}, 0, s, driver.InvalidHandle},
	} {
		r.current(t, func() {
			require.Equal(t, c.want, r.raw(t, "cuLaunchKernel", c.f, c.grid[0], c.grid[1], c.grid[2], c.block[0], c.block[1], c.block[2], c.shared, c.s, 0, 0), name)
		})
	}
	require.Equal(t, driver.CooperativeLaunchTooLarge, r.raw(t, "cuLaunchCooperativeKernel", bounded, 1<<20, 1, 1, 64, 1, 1, 0, s, 0))

	// Arguments packed by the caller.
	p, q := r.alloc(t, 4), r.alloc(t, 4)
	set(t, r.ctx, p, float32(3))
	set(t, r.ctx, q, float32(4))
	packed := &struct {
		x, y driver.Pointer
		a    float32
		n    uint32
	}{p, q, 2, 1}
	size := new(uint64)
	*size = uint64(unsafe.Sizeof(*packed))
	extra := &[5]uintptr{1, address(packed), 2, address(size), 0}
	require.Equal(t, driver.Success, r.raw(t, "cuLaunchKernel", axpy, 1, 1, 1, 1, 1, 1, 0, s, 0, uintptr(unsafe.Pointer(extra))))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, float32(10), read[float32](t, r.ctx, q, 1)[0])
	*size = uint64(unsafe.Sizeof(*packed)) + 8
	require.Equal(t, driver.LaunchOutOfResources, r.raw(t, "cuLaunchKernel", axpy, 1, 1, 1, 1, 1, 1, 0, s, 0, uintptr(unsafe.Pointer(extra))))
}
