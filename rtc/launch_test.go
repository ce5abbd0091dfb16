package rtc_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

// TestDims: what is no size of a grid or block is refused by name, before the
// driver hears of it.
func TestDims(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	one := rtc.Dim(1)
	for _, c := range []struct {
		grid, block rtc.Dim3
		want        string
	}{
		{rtc.Dim3{}, one, "grid x is 0 in (0, 0, 0)"},
		{rtc.Dim3{X: 4}, one, "grid y is 0 in (4, 0, 0); it must be from 1 to 2147483647 (rtc.Dim(4) writes the ones)"},
		{one, rtc.Dim3{X: 4, Y: 2}, "block z is 0 in (4, 2, 0); it must be from 1 to 2147483647 (rtc.Dim(4, 2) writes the ones)"},
		{one, rtc.Dim3{Y: 1, Z: 1}, "block x is 0"},
		{rtc.Dim(0), one, "grid x is 0"},
		{rtc.Dim(-1), one, "grid x is -1"},
		{rtc.Dim(math.MaxInt), one, "grid x is 9223372036854775807"},
		{rtc.Dim(1 << 32), one, "grid x is 4294967296"}, // which would be 0
		{one, rtc.Dim(1, -1), "block y is -1"},
		{rtc.Dim(1, 1, 1, 1), one, "grid has 4 parts"},
		{one, rtc.Dim(1, 1, 1, 1, 1), "block has 5 parts"},
		{rtc.Dim(1, 65536), one, "y is 65536, at most 65535"},
		{one, rtc.Dim(1025), "x is 1025, at most 1024"},
		{one, rtc.Dim(32, 33), "1056 threads, at most 1024"},
	} {
		r.double.Forget()
		for _, err := range []error{
			none.Launch(r.dev, c.grid, c.block, 0),
			none.Enqueue(r.dev.Stream(), c.grid, c.block, 0),
			second(none.Prepare(r.dev, c.grid, c.block, 0)),
		} {
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "none")
		}
		assert.Zero(t, r.double.Called("cuLaunchKernelEx"))
	}
	assert.Equal(t, rtc.Dim3{X: 3, Y: 1, Z: 1}, rtc.Dim(3))
	assert.Equal(t, rtc.Dim3{X: 3, Y: 2, Z: 4}, rtc.Dim(3, 2, 4))
	assert.Equal(t, "(3, 2, 1)", rtc.Dim(3, 2).String())
	require.NoError(t, none.Launch(r.dev, rtc.Dim3{X: 1, Y: 2, Z: 3}, rtc.Dim(4, 5, 6), 7))
	l := r.double.Launches()[0]
	assert.Equal(t, [3]uint32{1, 2, 3}, l.Grid)
	assert.Equal(t, [3]uint32{4, 5, 6}, l.Block)
	assert.Equal(t, uint32(7), l.Shared)
	for _, shared := range []int{-1, math.MaxInt32 + 1, 1 << 32} {
		assert.ErrorContains(t, none.Launch(r.dev, one, one, shared), fmt.Sprintf("%d bytes of dynamic shared memory", shared))
	}
}

// TestSizes launches with more sizes than are kept, in every order, and each
// launch has its own.
func TestSizes(t *testing.T) {
	r := newRig(t, plain)
	bounded := kernel(t, kernels(t), "bounded", "int *out")
	next := uint32(1)
	for i := range 200 {
		next = next*1664525 + 1013904223
		g, b, s := 1+int(next>>28)%7, 1+int(next>>20)%3, int(next>>16)%2
		require.NoError(t, bounded.Enqueue(r.dev.Stream(), rtc.Dim(g), rtc.Dim(b), s, abi.Addr(i)))
		l := r.double.Launches()[i]
		require.Equal(t, [3]any{uint32(g), uint32(b), uint32(s)}, [3]any{l.Grid[0], l.Block[0], l.Shared})
		require.Equal(t, uint64(i), drivertest.Arg[uint64](l, 0), "the arguments of this launch")
	}
	// A size that is refused changes nothing for those that are kept.
	assert.Error(t, bounded.Launch(r.dev, rtc.Dim(1), rtc.Dim(4000), 0, nil))
	assert.NoError(t, bounded.Launch(r.dev, rtc.Dim(1), rtc.Dim(40), 0, nil))
}

// TestArguments: what arrays and values are taken for which parameters.
func TestArguments(t *testing.T) {
	r := newRig(t, drivertest.Config{Version: plain.Version, Devices: []drivertest.Device{{Major: 99}, {Major: 99}}})
	twin, err := rtc.OpenWith(rtc.OpenConfig{Driver: r.drv})
	require.NoError(t, err)
	defer twin.Close()
	axpy := kernel(t, kernels(t), "axpy", axpySignature)
	type celsius float32
	type owned struct{ *rtc.Array }
	x, elsewhere, other := array(t, r.dev, celsius(1), 2), array(t, r.devs[1], float32(1)), array(t, twin, float32(1))
	closed := array(t, r.dev, float32(1))
	require.NoError(t, closed.Close())
	empty := array[float32](t, r.dev)
	one := rtc.Dim(1)
	launch := func(args ...any) error { return axpy.Launch(r.dev, one, one, 0, args...) }
	assert.NoError(t, launch(x, x, 1, 1), "one array twice")
	assert.NoError(t, launch(x, x, celsius(2), 1), "a named type counts as what it is made of")
	assert.NoError(t, launch(owned{x}, x, 1, 1), "an array in another type")
	assert.NoError(t, launch(empty, nil, 1, 1))
	assert.NoError(t, launch(abi.Addr(16), x, abi.Raw{0, 0, 0x80, 0x3F}, 1))
	l := r.double.Launches()
	assert.Equal(t, uint64(0), drivertest.Arg[uint64](l[3], 0), "an empty array is null")
	assert.Equal(t, float32(1), drivertest.Arg[float32](l[4], 2))
	for _, c := range []struct {
		args []any
		want string
	}{
		{[]any{x, x, 1}, "want 4 arguments (const float *x, float *y, float alpha, int n), got 3"},
		{[]any{x, x, 1, 1, 1}, "got 5"},
		{nil, "got 0"},
		{[]any{elsewhere, x, 1, 1}, "argument 0 (x): float32 array [1] is on device 1, the launch on device 0"},
		{[]any{x, owned{elsewhere}, 1, 1}, "argument 1 (y): float32 array [1] is on device 1, the launch on device 0"},
		{[]any{x, other, 1, 1}, "argument 1 (y): float32 array [1] is on another Device that was opened for device 0, the launch on device 0"},
		{[]any{closed, x, 1, 1}, "argument 0 (x): float32 array [1] is closed"},
		{[]any{owned{}, x, 1, 1}, "the array is nil"},
		{[]any{(*rtc.Array)(nil), x, 1, 1}, "the array is nil"},
		{[]any{&x, x, 1, 1}, "argument 0 (x): want const float *, got **rtc.Array"},
		{[]any{*x, x, 1, 1}, "got rtc.Array"},
		{[]any{[]*rtc.Array{x}, x, 1, 1}, "got []*rtc.Array"},
		{[]any{1, x, 1, 1}, "argument 0 (x)"},
		{[]any{uintptr(16), x, 1, 1}, "argument 0 (x)"},
		{[]any{x, x, x, 1}, "argument 2 (alpha)"},
		{[]any{x, x, nil, 1}, "argument 2 (alpha)"},
		{[]any{x, x, 1, 1.5}, "argument 3 (n)"},
		{[]any{x, x, 1, int64(1) << 31}, "argument 3 (n)"},
		{[]any{x, x, "1", 1}, "argument 2 (alpha)"},
	} {
		err := launch(c.args...)
		assert.ErrorContains(t, err, c.want, "%v", c.args)
		assert.ErrorContains(t, err, "rtc: launch axpy: ")
	}
	assert.Len(t, r.double.Launches(), 5)

	run, err := axpy.Prepare(r.dev, one, one, 0, x, x, 1, 1)
	require.NoError(t, err)
	for _, i := range []int{-1, 4, math.MinInt, math.MaxInt} {
		for _, v := range []any{x, elsewhere, 1, nil} {
			assert.ErrorContains(t, run.SetArg(i, v), fmt.Sprintf("argument %d", i))
		}
	}
	assert.ErrorContains(t, run.SetArg(0, elsewhere), "device 1")
	assert.ErrorContains(t, run.SetArg(1, closed), "closed")
	assert.NoError(t, run.Launch(), "the arguments are as they were")
	assert.ErrorContains(t, run.Enqueue(r.devs[1].Stream()), "it was prepared for device 0, the stream is of device 1")
	assert.ErrorContains(t, run.Enqueue(twin.Stream()), "the stream is of another Device that was opened for device 0")
	assert.ErrorContains(t, run.Enqueue(nil), "the stream is nil")
	assert.Same(t, axpy, run.Kernel())
	y, err := rtc.Zeros[float32](r.dev, 1)
	require.NoError(t, err)
	require.NoError(t, run.SetArg(0, y))
	require.NoError(t, y.Close())
	assert.ErrorIs(t, run.Launch(), rtc.ErrClosed)
	assert.ErrorContains(t, run.Launch(), "argument 0 (x): float32 array [1] is closed")
	require.NoError(t, run.SetArg(0, nil))
	assert.NoError(t, run.Launch())
}

// The arguments of a launch in a slice that was not spread.
func TestArgumentsInASlice(t *testing.T) {
	r := newRig(t, drivertest.Config{})
	mod, err := rtc.LoadModule(kernelsCUBIN, rtc.ModuleConfig{})
	require.NoError(t, err)
	defer mod.Close()
	k := kernel(t, mod, "axpy", axpySignature)
	args := []any{nil, nil, 1, 1}
	err = k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, args)
	var count *abi.CountError
	require.ErrorAs(t, err, &count)
	assert.ErrorContains(t, err, "got 1, a slice; its 4 elements are given as arguments by ... behind it")
	require.NoError(t, k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, args...))
	assert.NotContains(t, k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 1).Error(), "slice")
}
