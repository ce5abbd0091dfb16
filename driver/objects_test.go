package driver_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

func TestPinnedMemory(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	m, err := c.AllocHost(64, driver.HostConfig{Mapped: true})
	require.NoError(t, err)
	require.Equal(t, 1, d.Counts().HostBuffers)
	p := alloc(t, c, 64)
	require.NoError(t, s.Memset8(p, 7, 64))
	require.NoError(t, s.CopyToHost(m.Bytes(), p))
	require.Equal(t, byte(7), m.Bytes()[63])
	at, err := m.Pointer()
	require.NoError(t, err)
	require.NotZero(t, at)
	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	_, err = m.Pointer()
	require.ErrorIs(t, err, driver.ErrClosed)

	b := make([]byte, 4096)
	r, err := c.RegisterHost(b, driver.HostConfig{Portable: true})
	require.NoError(t, err)
	_, err = c.RegisterHost(b, driver.HostConfig{})
	require.ErrorIs(t, err, driver.HostMemoryAlreadyRegistered)
	require.NoError(t, r.Close())
	none, err := c.AllocHost(0, driver.HostConfig{})
	require.NoError(t, err)
	require.Empty(t, none.Bytes())
	require.NoError(t, none.Close())
}

func TestOwnContext(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	primary := open(t, d)
	c, err := primary.Device().NewContext(driver.ContextConfig{Blocking: true})
	require.NoError(t, err)
	require.Equal(t, uintptr(4), double.Calls("cuCtxCreate_v2")[0].Args[1], "CU_CTX_SCHED_BLOCKING_SYNC")
	alloc(t, c, 64)
	stream(t, c)
	require.NoError(t, c.Close())
	require.Equal(t, 1, double.Called("cuCtxDestroy_v2"))
	require.Equal(t, 1, d.Counts().Contexts)
	active, err := primary.Device().PrimaryActive()
	require.NoError(t, err)
	require.True(t, active)
}

func TestPeers(t *testing.T) {
	d, double := bind(t, drivertest.Config{Devices: make([]drivertest.Device, 2)})
	c := open(t, d)
	dev, err := d.Device(1)
	require.NoError(t, err)
	other, err := dev.Primary()
	require.NoError(t, err)
	defer other.Close()
	can, err := c.Device().CanAccessPeer(dev)
	require.NoError(t, err)
	require.True(t, can)
	supported, err := c.Device().PeerAttribute(driver.PeerAccessSupported, dev)
	require.NoError(t, err)
	require.Equal(t, 1, supported)
	asked := double.Calls("cuDeviceGetP2PAttribute", "cuDeviceCanAccessPeer")
	require.Equal(t, asked[0].Args[1:], asked[1].Args[2:], "of the same devices, in the same order")
	require.EqualValues(t, driver.PeerAccessSupported, asked[1].Args[1])
	for range 2 { // the second time is no error
		require.NoError(t, c.EnablePeer(other))
	}
	for range 2 {
		require.NoError(t, c.DisablePeer(other))
	}
	p, q, s := alloc(t, c, 64), alloc(t, other, 64), stream(t, c)
	require.NoError(t, s.Memset8(p, 3, 64))
	require.NoError(t, s.CopyPeer(q, other, p, c, 64))
	require.Equal(t, byte(3), read[byte](t, other, q, 64)[63])
}

func TestHostFunc(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	for range 10000 { // one callback serves them all
		called := false
		require.NoError(t, s.AddHostFunc(func() { called = true }))
		require.True(t, called)
	}
}

func TestEvents(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	plain, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	begin, err := c.NewEvent(driver.EventConfig{Timing: true})
	require.NoError(t, err)
	end, err := c.NewEvent(driver.EventConfig{Timing: true, Blocking: true})
	require.NoError(t, err)
	var flags []uintptr
	for _, call := range double.Calls("cuEventCreate") {
		flags = append(flags, call.Args[1])
	}
	require.Equal(t, []uintptr{2, 0, 1}, flags, "CU_EVENT_DISABLE_TIMING, CU_EVENT_BLOCKING_SYNC")
	require.NoError(t, s.Record(begin))
	time.Sleep(2 * time.Millisecond)
	require.NoError(t, s.Record(end))
	took, err := end.Elapsed(begin)
	require.NoError(t, err)
	require.GreaterOrEqual(t, took, 2*time.Millisecond)
	require.Less(t, took, time.Minute)
	_, err = end.Elapsed(plain)
	require.ErrorContains(t, err, "made without EventConfig.Timing")

	double.Hold()
	for _, query := range []func() (bool, error){s.Query, end.Query} {
		over, err := query()
		require.NoError(t, err)
		require.False(t, over)
	}
	double.Release()
	require.NoError(t, end.Synchronize())
}

func TestOccupancy(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Describe("empty", func(f *drivertest.Function) { f.Registers, f.Local = 40, 16 })
	c := open(t, d)
	f := function(t, load(t, c, kernels), "empty")
	n, err := f.MaxActiveBlocks(256, 0)
	require.NoError(t, err)
	require.Equal(t, 6, n) // 65536 / (256 × 40)
	blocks, threads, err := f.SuggestBlock(0, 256)
	require.NoError(t, err)
	require.Equal(t, [2]int{6 * 132, 256}, [2]int{blocks, threads})
	require.Equal(t, [3]int{40, 0, 16}, [3]int{f.NumRegs(), f.StaticShared(), f.Local()})
	v, err := f.Attribute(driver.FuncNumRegs)
	require.NoError(t, err)
	require.Equal(t, 40, v)
	params, err := f.Params()
	require.NoError(t, err)
	require.Empty(t, params)
	require.Equal(t, "grid (1, 2, 3)", "grid "+driver.Dim(1, 2, 3).String())
	require.Equal(t, ^uint64(0), driver.Dim(1<<31, 1<<31, 1<<31).Count())
}
