package driver_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// The main job works on every driver from CUDA 8.0 on, whether it wants a
// current context at launches or not.
func TestEveryVersion(t *testing.T) {
	for _, v := range []string{"8.0", "9.0", "9.2", "10.0", "10.2", "11.0", "11.4", "11.8", "12.0", "12.2", "12.4", "12.8", "13.0"} {
		for _, needs := range []bool{false, true} {
			t.Run(v, func(t *testing.T) {
				d, double := bind(t, drivertest.Config{Version: version(t, v), NeedsContext: needs})
				require.Equal(t, version(t, v), d.Version())
				double.Kernel("scale", scaleBody)
				c := open(t, d)
				s := stream(t, c)
				x, y := alloc(t, c, 40), alloc(t, c, 40)
				in := []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
				require.NoError(t, s.CopyToDevice(x, bytesOf(in)))
				alpha, n := float32(3), uint32(10)
				l := prepare(t, function(t, load(t, c, kernels), "scale"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(32)},
					ptr(&x), ptr(&y), ptr(&alpha), ptr(&n))
				e, err := c.NewEvent(driver.EventConfig{Timing: true})
				require.NoError(t, err)
				require.NoError(t, l.Enqueue(s))
				require.NoError(t, s.Record(e))
				require.NoError(t, e.Synchronize())
				require.Equal(t, []float32{0, 3, 6, 9, 12, 15, 18, 21, 24, 27}, read[float32](t, c, y, 10))
			})
		}
	}
}

// A missing function is told with the version that has it and the one there is.
func TestUnsupported(t *testing.T) {
	d, _ := bind(t, drivertest.Config{Version: version(t, "8.0")})
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	f := function(t, m, "empty")
	one := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	for since, try := range map[string]func() error{
		"9.2":  func() error { _, err := c.Device().UUID(); return err },
		"10.0": func() error { return s.AddHostFunc(func() {}) },
		"10.1": s.BeginCapture,
		"10.2": func() error { _, err := c.Device().Granularity(); return err },
		"11.0": func() error { _, err := f.AvailableShared(1, 32); return err },
		"11.2": func() error { _, err := s.AllocAsync(64); return err },
		"11.8": func() error { c := one; c.Priority = 1; _, err := f.Prepare(c, nil); return err },
		"12.0": func() error { _, err := d.LoadLibrary([]byte(kernels), driver.LoadConfig{}); return err },
		"12.4": func() error { _, err := f.Params(); return err },
	} {
		err := try()
		require.ErrorIs(t, err, errors.ErrUnsupported, since)
		require.ErrorContains(t, err, "needs CUDA "+since)
		require.ErrorContains(t, err, "drivertest 8.0 is 8.0")
		var u *driver.UnsupportedError
		require.ErrorAs(t, err, &u)
		require.Equal(t, version(t, "8.0"), u.Have)
	}
	_, err := m.Function("nothing") // without the list that a newer driver gives
	require.EqualError(t, err, `driver: find function "nothing": not found (cuModuleGetFunction: CUDA_ERROR_NOT_FOUND)`)
	require.False(t, d.Has("cuLaunchKernelEx"))
	require.True(t, d.Has("cuLaunchKernel"))
	require.False(t, d.Has("cuNothing"))
}

// B08: one function that is missing takes only itself away.
func TestOneFunctionMissing(t *testing.T) {
	d, _ := bind(t, drivertest.Config{Version: version(t, "13.0"), Without: []string{"cuLaunchKernelEx", "cuLibraryLoadData", "cuFuncGetParamInfo", "cuCtxCreate_v2"}})
	c := open(t, d)
	s := stream(t, c)
	l := prepare(t, function(t, load(t, c, kernels), "empty"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)})
	require.NoError(t, l.Enqueue(s))
	own, err := c.Device().NewContext(driver.ContextConfig{}) // by cuCtxCreate_v4
	require.NoError(t, err)
	require.NoError(t, own.Close())
}

func TestBindErrors(t *testing.T) {
	_, err := driver.Bind(drivertest.New(drivertest.Config{Stub: true}))
	require.ErrorIs(t, err, driver.StubLibrary)
	require.ErrorContains(t, err, "is a stub for linking")
	_, err = driver.Bind(drivertest.New(drivertest.Config{Devices: []drivertest.Device{}}))
	require.ErrorIs(t, err, driver.NoDevice)
	_, err = driver.Bind(drivertest.New(drivertest.Config{Without: []string{"cuInit"}}))
	require.ErrorIs(t, err, errors.ErrUnsupported)
}

func TestDevices(t *testing.T) {
	d, _ := bind(t, drivertest.Config{Devices: []drivertest.Device{{Name: "A", Major: 7, Minor: 5}, {Name: "B", Memory: 8 << 30}}})
	n, err := d.DeviceCount()
	require.NoError(t, err)
	require.Equal(t, 2, n)
	a, err := d.Device(0)
	require.NoError(t, err)
	again, err := d.Device(0)
	require.NoError(t, err)
	require.Same(t, a, again)
	require.Equal(t, "device 0 (A)", a.String())
	major, minor, err := a.ComputeCapability()
	require.NoError(t, err)
	require.Equal(t, [2]int{7, 5}, [2]int{major, minor})
	b, err := d.Device(1)
	require.NoError(t, err)
	total, err := b.TotalMemory()
	require.NoError(t, err)
	require.Equal(t, uint64(8<<30), total)
	uuid, err := b.UUID()
	require.NoError(t, err)
	require.Equal(t, "GPU-ab000000-0000-0000-0000-000000000002", uuid.String())
	for _, i := range []int{-1, 2} {
		_, err = d.Device(i)
		require.ErrorIs(t, err, driver.InvalidDevice)
		require.ErrorContains(t, err, "devices of this driver: 2, numbered from 0")
	}
	require.Equal(t, "warp size", driver.WarpSize.String())
	require.Equal(t, "attribute 9999", driver.Attribute(9999).String())
	require.Greater(t, len(driver.Attributes()), 130)
}
