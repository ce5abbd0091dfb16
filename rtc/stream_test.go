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

	long, err := rtc.FromSlice(dev, []int32{0, 1, 2, 3, 4})
	require.NoError(t, err)
	views := map[[2]int]*rtc.Array{}
	for _, r := range [][2]int{{0, 2}, {1, 3}, {2, 4}} {
		views[r], err = long.Slice(r[0], r[1])
		require.NoError(t, err)
	}
	s := dev.Stream()
	assert.EqualError(t, s.Copy(views[[2]int{1, 3}], views[[2]int{0, 2}]),
		"rtc: copy: int32 array [2], from element 0 on, and int32 array [2], from 1 on, share memory: a copy by way of a third array is right")
	assert.ErrorContains(t, s.Copy(views[[2]int{1, 3}], views[[2]int{2, 4}]), "share memory")
	require.NoError(t, s.Copy(long, long))
	require.NoError(t, s.Copy(views[[2]int{0, 2}], views[[2]int{2, 4}]))
	out, err = rtc.ToSlice[int32](long)
	require.NoError(t, err)
	assert.Equal(t, []int32{2, 3, 2, 3, 4}, out)

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
	open := make(chan struct{})
	require.NoError(t, s.Do(nil, nil, func(uintptr) error { return s.Raw().AddHostFunc(func() { <-open }) }))
	later, err := s.Record()
	require.NoError(t, err)
	_, err = later.Since(start)
	assert.ErrorContains(t, err, "one of them has not happened yet")
	close(open)
	require.NoError(t, later.Close())
	assert.Greater(t, took, time.Duration(0))
	require.NoError(t, start.Close())
	_, err = end.Since(start)
	assert.ErrorIs(t, err, rtc.ErrClosed)
	require.NoError(t, end.Close())

	assert.ErrorContains(t, s.Copy(wide, x), "float32 array [4] does not fit host buffer of 4 float64")
	assert.ErrorContains(t, s.Copy(host, host), "both are on the host")
	assert.ErrorContains(t, s.Copy(y, foreign), "float32 array [4] is on another Device that was opened for device 0")
	assert.ErrorContains(t, s.Copy(nil, x), "nil")
	assert.ErrorContains(t, s.Do(nil, []rtc.Copyable{foreign}, func(uintptr) error { return nil }), "rtc: do: writes[0]: float32 array [4] is on another")
	assert.ErrorContains(t, s.Do([]rtc.Copyable{x}, nil, nil), "the function is nil")
	mine := errors.New("mine")
	assert.ErrorIs(t, s.Do([]rtc.Copyable{x}, nil, func(uintptr) error { return mine }), mine)
	assert.ErrorIs(t, dev.Go(func(*rtc.Stream) error { return mine }), mine)

	require.NoError(t, host.Close())
	assert.Nil(t, host.Slice())
	assert.ErrorIs(t, s.Copy(host, x), rtc.ErrClosed)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	assert.ErrorIs(t, s.Copy(y, x), rtc.ErrClosed)
	assert.ErrorIs(t, s.Synchronize(context.Background()), rtc.ErrClosed)
	_, err = s.Record()
	assert.ErrorIs(t, err, rtc.ErrClosed)
	assert.ErrorIs(t, s.Do(nil, nil, func(uintptr) error { return mine }), rtc.ErrClosed)
	late, err := other.Stream().Record()
	require.NoError(t, err)
	assert.ErrorContains(t, dev.Stream().Wait(late), "of another driver than the stream's device")
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
	require.NoError(t, s.Do(nil, []rtc.Copyable{x}, func(uintptr) error { return raw.Memset32(p, 5, 4) }))
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

// TestCopyTo: to the same device, to another, and to one of another driver.
func TestCopyTo(t *testing.T) {
	s, err := sim.New(sim.Config{Scheduler: sim.Worst, Devices: make([]sim.Device, 2)})
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	first, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	second, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: 1})
	require.NoError(t, err)
	other := simulated(t)
	x, err := rtc.FromSlice(first, []float64{1, 2, 3, 4, 5, 6}, 2, 3)
	require.NoError(t, err)
	row, err := x.Slice(1, 2)
	require.NoError(t, err)
	for _, dev := range []*rtc.Device{first, second, other} {
		y, err := row.CopyTo(dev)
		require.NoError(t, err)
		assert.Equal(t, dev, y.Device())
		assert.Equal(t, []int{1, 3}, y.Shape())
		out, err := rtc.ToSlice[float64](y)
		require.NoError(t, err)
		assert.Equal(t, []float64{4, 5, 6}, out)
		require.NoError(t, y.Close())
	}
	begin, err := first.Stream().Record()
	require.NoError(t, err)
	end, err := second.Stream().Record()
	require.NoError(t, err)
	_, err = end.Since(begin)
	assert.ErrorContains(t, err, "it begins on device 0 (simulated sm_90, compute capability 9.0) and ends on device 1 (")
	apart, err := other.Stream().Record()
	require.NoError(t, err)
	_, err = apart.Since(begin)
	assert.EqualError(t, err, "rtc: time between events: it begins on device 0 (simulated sm_90, compute capability 9.0) and ends on device 0 of another driver")

	none, err := rtc.NewArray(first, rtc.Int8, 0, 3)
	require.NoError(t, err)
	empty, err := none.CopyTo(second)
	require.NoError(t, err)
	assert.Equal(t, []int{0, 3}, empty.Shape())

	mod := compile(t, simulatedSource, rtc.ModuleConfig{Options: []string{"-arch=compute_75"}})
	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha")
	require.NoError(t, err)
	z, err := rtc.Ones[float32](second, 8)
	require.NoError(t, err)
	mine, err := rtc.Ones[float32](first, 8)
	require.NoError(t, err)
	err = axpy.Launch(first, rtc.Dim(1), rtc.Dim(8), 0, z, mine, 1)
	assert.ErrorContains(t, err, "argument 0 (x): float32 array [8] is on device 1, the launch on device 0; Array.CopyTo makes a copy there")

	require.NoError(t, second.Close())
	_, err = x.CopyTo(second)
	assert.ErrorIs(t, err, rtc.ErrClosed)
	require.NoError(t, x.Close())
	_, err = x.CopyTo(other)
	assert.ErrorIs(t, err, rtc.ErrClosed)
	require.NoError(t, first.Close())
}

// TestDoOnOneStream: nothing that would be in the way of it comes between what Do puts into a device's only stream, which tracks nothing
// before and after.
func TestDoOnOneStream(t *testing.T) {
	r := newRig(t, plain)
	x, err := rtc.Zeros[uint32](r.dev, 4)
	require.NoError(t, err)
	y, err := rtc.Full[uint32](r.dev, 7, 4)
	require.NoError(t, err)
	s := r.dev.Stream()
	given := make(chan error, 1)
	require.NoError(t, s.Do(nil, []rtc.Copyable{x}, func(uintptr) error {
		go func() { given <- s.Copy(x, y) }()
		select {
		case err := <-given:
			t.Error("the copy did not wait", err)
		case <-time.After(10 * time.Millisecond):
		}
		p, _, err := x.DevicePointer()
		return errors.Join(err, s.Raw().Memset32(driver.Pointer(p), 5, 4))
	}))
	require.NoError(t, <-given)
	out, err := rtc.ToSlice[uint32](x)
	require.NoError(t, err)
	assert.Equal(t, []uint32{7, 7, 7, 7}, out)
	r.double.Forget()
	require.NoError(t, s.Copy(x, y))
	assert.Zero(t, r.double.Called("cuEventRecord"))
	require.NoError(t, x.Close())
	require.NoError(t, y.Close())
}

// TestDoInCapture: who captures a device's only stream by hand can use Do meanwhile.
func TestDoInCapture(t *testing.T) {
	dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst})
	x, err := rtc.Full[uint32](dev, 1, 4)
	require.NoError(t, err)
	s := dev.Stream()
	fill := func(v uint32) {
		require.NoError(t, s.Do(nil, []rtc.Copyable{x}, func(uintptr) error {
			p, _, err := x.DevicePointer()
			return errors.Join(err, s.Raw().Memset32(driver.Pointer(p), v, 4))
		}))
	}
	fill(2)
	require.NoError(t, s.Raw().BeginCapture())
	fill(3)
	fill(4)
	g, err := s.Raw().EndCapture()
	require.NoError(t, err)
	exec, err := g.Instantiate()
	require.NoError(t, err)
	out, err := rtc.ToSlice[uint32](x)
	require.NoError(t, err)
	assert.Equal(t, []uint32{2, 2, 2, 2}, out)
	require.NoError(t, s.Do(nil, []rtc.Copyable{x}, func(uintptr) error { return exec.Launch(s.Raw()) }))
	out, err = rtc.ToSlice[uint32](x)
	require.NoError(t, err)
	assert.Equal(t, []uint32{4, 4, 4, 4}, out)
	require.NoError(t, errors.Join(exec.Close(), g.Close(), dev.Close()))
}

// TestCloseWaitsForDo: a library that has a stream's handle can use it until it returns, whoever closes the stream or the device meanwhile.
func TestCloseWaitsForDo(t *testing.T) {
	for _, device := range []bool{false, true} {
		dev := simulated(t)
		x, err := rtc.Zeros[uint32](dev, 4)
		require.NoError(t, err)
		p, _, err := x.DevicePointer()
		require.NoError(t, err)
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		end := s.Close
		if device {
			end = dev.Close
		}
		closed := make(chan error, 1)
		require.NoError(t, s.Do(nil, nil, func(uintptr) error {
			go func() { closed <- end() }()
			select {
			case err := <-closed:
				t.Error("Close did not wait", err)
				closed <- err
			case <-time.After(20 * time.Millisecond):
			}
			return s.Raw().Memset32(driver.Pointer(p), 5, 4)
		}))
		require.NoError(t, <-closed)
		require.ErrorIs(t, s.Do(nil, nil, func(uintptr) error { return nil }), rtc.ErrClosed)
	}
}

// TestDoWithHostBuffer: a library that copies to pinned memory is ordered with who copies from there.
func TestDoWithHostBuffer(t *testing.T) {
	for seed := range uint64(10) {
		dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
		x, err := rtc.Full[uint32](dev, 7, 4)
		require.NoError(t, err)
		y, err := rtc.Zeros[uint32](dev, 4)
		require.NoError(t, err)
		h, err := rtc.NewHostBuffer[uint32](dev, 4)
		require.NoError(t, err)
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		to, err := rtc.PlaceOf(h)
		require.NoError(t, err)
		from, err := rtc.PlaceOf(x)
		require.NoError(t, err)
		require.NoError(t, s.Do([]rtc.Copyable{x}, []rtc.Copyable{h}, func(uintptr) error { return s.Raw().CopyToHost(to.Host, from.Pointer) }))
		require.NoError(t, dev.Stream().Copy(y, h))
		out, err := rtc.ToSlice[uint32](y)
		require.NoError(t, err)
		require.Equal(t, []uint32{7, 7, 7, 7}, out, "seed %d", seed)
		require.NoError(t, dev.Close())
	}
}
