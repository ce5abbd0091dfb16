package rtc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

func TestViews(t *testing.T) {
	dev := simulated(t)
	x, err := rtc.FromSlice(dev, []int32{0, 1, 2, 3, 4, 5}, 3, 2)
	require.NoError(t, err)
	tail, err := x.Slice(1, 3)
	require.NoError(t, err)
	assert.Equal(t, "int32 array [2 2]", tail.String())
	flat, err := tail.Reshape(4)
	require.NoError(t, err)
	last, err := flat.Slice(3, 4)
	require.NoError(t, err)
	require.NoError(t, rtc.CopyFromSlice(last, []int32{9}))
	out, err := rtc.ToSlice[int32](x)
	require.NoError(t, err)
	assert.Equal(t, []int32{0, 1, 2, 3, 4, 9}, out)
	none, err := x.Slice(3, 3)
	require.NoError(t, err)
	assert.Equal(t, 0, none.Len())
	p, _, err := none.DevicePointer()
	require.NoError(t, err)
	assert.Zero(t, p)
	require.NoError(t, tail.Close())
	_, err = rtc.ToSlice[int32](flat)
	require.NoError(t, err, "a view's Close does nothing")

	_, err = x.Slice(2, 4)
	assert.ErrorContains(t, err, "[2:4] of int32 array [3 2], whose first axis has 3")
	_, err = x.Slice(2, 1)
	assert.Error(t, err)
	_, err = x.Reshape(4)
	assert.ErrorContains(t, err, "shape [4] has 4 elements, int32 array [3 2] has 6")
	scalar, err := rtc.Zeros[int32](dev)
	require.NoError(t, err)
	_, err = scalar.Slice(0, 0)
	assert.ErrorContains(t, err, "no axis")
	require.NoError(t, x.Close())
	_, err = rtc.ToSlice[int32](flat)
	assert.ErrorIs(t, err, rtc.ErrClosed)
	_, err = flat.Slice(0, 1)
	assert.ErrorIs(t, err, rtc.ErrClosed)
}

func TestStreams(t *testing.T) {
	dev, other := simulated(t), simulated(t)
	s, err := dev.NewStream(rtc.StreamConfig{Priority: -1})
	require.NoError(t, err)
	x, err := rtc.Ones[float32](dev, 4)
	require.NoError(t, err)
	y, err := rtc.Zeros[float32](dev, 4)
	require.NoError(t, err)
	foreign, err := rtc.Zeros[float32](other, 4)
	require.NoError(t, err)
	host, err := rtc.NewHostBuffer[float32](dev, 4)
	require.NoError(t, err)
	wide, err := rtc.NewHostBuffer[float64](dev, 4)
	require.NoError(t, err)

	start, err := s.Record()
	require.NoError(t, err)
	require.NoError(t, s.Copy(y, x))
	require.NoError(t, dev.Stream().Copy(host, y))
	require.NoError(t, host.Wait(t.Context()))
	assert.Equal(t, []float32{1, 1, 1, 1}, host.Slice())
	end, err := s.Record()
	require.NoError(t, err)
	require.NoError(t, end.Synchronize(t.Context()))
	happened, err := start.Happened()
	require.NoError(t, err)
	assert.True(t, happened)
	took, err := end.Since(start)
	require.NoError(t, err)
	assert.Greater(t, took, time.Duration(0))
	require.NoError(t, start.Close())
	_, err = end.Since(start)
	assert.ErrorIs(t, err, rtc.ErrClosed)
	require.NoError(t, end.Close())

	assert.ErrorContains(t, s.Copy(wide, x), "float32 array [4] does not fit host buffer of 4 float64")
	assert.ErrorContains(t, s.Copy(host, host), "both are on the host")
	assert.ErrorContains(t, s.Copy(y, foreign), "float32 array [4] is on another Device that was opened for device 0")
	assert.ErrorContains(t, s.Copy(nil, x), "nil")
	assert.ErrorContains(t, s.Do(nil, []*rtc.Array{foreign}, func(uintptr) error { return nil }), "array 0: float32 array [4] is on another")
	assert.ErrorContains(t, s.Do([]*rtc.Array{x}, nil, nil), "the function is nil")
	mine := errors.New("mine")
	assert.ErrorIs(t, s.Do([]*rtc.Array{x}, nil, func(uintptr) error { return mine }), mine)
	assert.ErrorIs(t, dev.Go(func(*rtc.Stream) error { return mine }), mine)

	require.NoError(t, host.Close())
	assert.ErrorIs(t, s.Copy(host, x), rtc.ErrClosed)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.ErrorIs(t, s.Copy(y, x), rtc.ErrClosed)
	assert.ErrorIs(t, s.Synchronize(context.Background()), rtc.ErrClosed)
	_, err = s.Record()
	assert.ErrorIs(t, err, rtc.ErrClosed)
	require.NoError(t, dev.Stream().Close(), "the device's own stays")
	require.NoError(t, dev.Stream().Copy(y, x))
}

// TestWrapped: memory and streams that others own.
func TestWrapped(t *testing.T) {
	dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst})
	p, err := dev.Context().Alloc(16)
	require.NoError(t, err)
	raw, err := dev.Context().NewStream(driver.StreamConfig{})
	require.NoError(t, err)
	x, err := rtc.WrapArray(dev, p, rtc.Uint32, 4)
	require.NoError(t, err)
	s, err := rtc.WrapStream(dev, raw.Handle())
	require.NoError(t, err)
	y, err := rtc.Full[uint32](dev, 7, 4)
	require.NoError(t, err)
	require.NoError(t, s.Do(nil, []*rtc.Array{x}, func(uintptr) error { return raw.Memset32(p, 5, 4) }))
	require.NoError(t, dev.Stream().Copy(y, x))
	out, err := rtc.ToSlice[uint32](y)
	require.NoError(t, err)
	assert.Equal(t, []uint32{5, 5, 5, 5}, out)

	_, err = rtc.WrapArray(dev, p+2, rtc.Uint32, 2)
	assert.ErrorContains(t, err, "is no multiple of 4, the size of uint32")
	_, err = rtc.WrapArray(dev, 0, rtc.Uint32, 2)
	assert.ErrorContains(t, err, "null")
	_, err = rtc.WrapStream(dev, 0)
	assert.ErrorContains(t, err, "null stream")
	require.NoError(t, s.Close())
	require.NoError(t, x.Close())
	require.NoError(t, raw.Memset32(p, 6, 4), "they are still the others'")
	require.NoError(t, raw.Close())
	require.NoError(t, dev.Context().Free(p))
	require.NoError(t, dev.Close())
}
