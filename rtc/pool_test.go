package rtc_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

func TestPool(t *testing.T) {
	t.Run("simulated", func(t *testing.T) {
		dev := simulatedAs(t, sim.Config{}, rtc.OpenConfig{Pool: &rtc.PoolConfig{Keep: 1 << 30}})
		testPool(t, dev)
		require.NoError(t, dev.Close())
	})
	t.Run("gpu", func(t *testing.T) { testPool(t, gpuWith(t, rtc.OpenConfig{Pool: &rtc.PoolConfig{Keep: 1 << 30}})) })
}

func testPool(t *testing.T, dev *rtc.Device) {
	const bytes = 8 << 20
	x, err := rtc.Full[uint8](dev, 7, bytes)
	require.NoError(t, err)
	empty, err := rtc.NewArray(dev, rtc.Uint8, 0)
	require.NoError(t, err)
	require.NoError(t, empty.Close())
	s, err := dev.PoolStats()
	require.NoError(t, err)
	assert.GreaterOrEqual(t, s.Used, uint64(bytes))
	assert.GreaterOrEqual(t, s.Reserved, s.Used)
	require.NoError(t, x.Close())
	require.NoError(t, dev.Synchronize(t.Context()))
	s, err = dev.PoolStats()
	require.NoError(t, err)
	assert.Zero(t, s.Used)
	assert.GreaterOrEqual(t, s.UsedHigh, uint64(bytes))
	assert.GreaterOrEqual(t, s.Reserved, uint64(bytes), "it is kept")
	require.NoError(t, dev.TrimPool(0))
	s, err = dev.PoolStats()
	require.NoError(t, err)
	assert.Less(t, s.Reserved, uint64(bytes))
	_, err = rtc.NewArray(dev, rtc.Uint8, 1<<45)
	assert.ErrorIs(t, err, driver.OutOfMemory)
	y, err := rtc.Ones[float32](dev, 3)
	require.NoError(t, err, "it goes on")
	out, err := rtc.ToSlice[float32](y)
	require.NoError(t, err)
	assert.Equal(t, []float32{1, 1, 1}, out)
}

func TestNoPool(t *testing.T) {
	dev := simulated(t)
	_, err := dev.PoolStats()
	assert.ErrorContains(t, err, "the device was opened without OpenConfig.Pool")
	assert.ErrorContains(t, dev.TrimPool(0), "without OpenConfig.Pool")
	drv, err := driver.Bind(drivertest.New(drivertest.Config{Version: dl.Version{Major: 11}}))
	require.NoError(t, err)
	_, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv, Pool: &rtc.PoolConfig{}})
	require.ErrorIs(t, err, errors.ErrUnsupported)
	assert.ErrorContains(t, err, "11.2")
	assert.Equal(t, driver.Counts{}, drv.Counts(), "nothing is left")
}

// TestPoolMax: arrays beyond the pool's limit are refused, and what was closed makes room at once, though its memory is still in use.
func TestPoolMax(t *testing.T) {
	dev := simulatedAs(t, sim.Config{}, rtc.OpenConfig{Pool: &rtc.PoolConfig{Max: 64 << 20}})
	x, err := rtc.Zeros[uint8](dev, 40<<20)
	require.NoError(t, err)
	_, err = rtc.NewArray(dev, rtc.Uint8, 40<<20)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.ErrorContains(t, err, "rtc: new array: uint8 array [41943040]: ")
	kept, err := rtc.Ones[uint8](dev, 40<<20>>3)
	require.NoError(t, err)
	part, err := x.Slice(0, kept.Len())
	require.NoError(t, err)
	require.NoError(t, dev.Stream().Copy(part, kept))
	require.NoError(t, x.Close())
	y, err := rtc.Zeros[uint8](dev, 40<<20)
	require.NoError(t, err)
	s, err := dev.PoolStats()
	require.NoError(t, err)
	require.Equal(t, uint64(45<<20), s.Used)
	require.LessOrEqual(t, s.ReservedHigh, uint64(64<<20))
	require.NoError(t, y.Close())
	require.NoError(t, dev.Close())
}
