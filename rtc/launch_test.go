package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
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
		assert.Zero(t, r.double.Called("cuLaunchKernel"))
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
		{[]any{closed, x, 1, 1}, "argument 0 (x): want const float *, got *rtc.Array: float32 array [1] is closed"},
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

// TestOldDrivers has drivers that want a current context for every call, or
// answer so now and then: B54, goroutines on wandering threads.
func TestOldDrivers(t *testing.T) {
	for _, v := range []string{"8.0", "10.2", "12.4"} {
		t.Run(v, func(t *testing.T) {
			r := newRig(t, drivertest.Config{Version: version(v), NeedsContext: true, Devices: []drivertest.Device{{Major: 5}}})
			// PTX that the oldest takes.
			mod, err := rtc.LoadModule([]byte(axpyOld), rtc.ModuleConfig{})
			require.NoError(t, err)
			defer mod.Close()
			axpy := kernel(t, mod, "axpy", axpySignature)
			var wg sync.WaitGroup
			for g := range 64 {
				wg.Go(func() {
					runtime.LockOSThread() // a thread of its own, on which nothing is current
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					assert.NoError(t, r.dev.Scope(func(s *rtc.Scope) error {
						x, err := rtc.Ones[float32](s, 4)
						if err != nil {
							return err
						}
						y, err := rtc.Full(s, float64(g), 4)
						if err != nil {
							return err
						}
						run, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4)
						if err != nil {
							return err
						}
						for range 5 {
							runtime.Gosched()
							if err := errors.Join(
								axpy.Launch(r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4),
								axpy.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4),
								run.Enqueue(r.dev.Stream()), run.Launch(), r.dev.Synchronize(ctx),
							); err != nil {
								return err
							}
						}
						out, err := rtc.ToSlice[float64](y)
						if err == nil && out[3] != float64(g) {
							err = fmt.Errorf("%v, not %d", out, g)
						}
						return err
					}))
				})
			}
			wg.Wait()
		})
	}
}

const axpyOld = `.version 4.3
.target sm_50
.address_size 64
.visible .entry axpy(.param .u64 a, .param .u64 b, .param .f32 c, .param .u32 d) { ret; }`

// TestWaiting: contexts end waits, not work, and nobody waits longer than for
// his own.
func TestWaiting(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	one := rtc.Dim(1)
	run, err := none.Prepare(r.dev, one, one, 0)
	require.NoError(t, err)
	x := array(t, r.dev, float32(7))
	require.NoError(t, r.dev.Synchronize(t.Context()))

	boom := errors.New("boom")
	over, cancel := context.WithCancelCause(t.Context())
	cancel(boom)
	before := r.double.Called("cuLaunchKernel")
	short := func() (context.Context, func()) { return context.WithTimeout(t.Context(), 5*time.Millisecond) }
	calls := map[string]func(context.Context) error{
		"LaunchContext":   func(ctx context.Context) error { return none.LaunchContext(ctx, r.dev, one, one, 0) },
		"Prepared":        func(ctx context.Context) error { return run.LaunchContext(ctx) },
		"Synchronize":     func(ctx context.Context) error { return r.dev.Stream().Synchronize(ctx) },
		"dev.Synchronize": r.dev.Synchronize,
		"ToSlice":         func(ctx context.Context) error { return second(rtc.ToSliceContext[float32](ctx, x)) },
	}
	for name, call := range calls {
		err := call(over)
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.ErrorIs(t, err, boom, name)
		assert.ErrorContains(t, err, "rtc: ", name)
	}
	assert.Equal(t, before, r.double.Called("cuLaunchKernel"), "nothing is launched for a context that has ended")
	for name, call := range calls {
		r.double.Hold()
		if name == "Synchronize" || name == "dev.Synchronize" || name == "ToSlice" {
			require.NoError(t, none.Enqueue(r.dev.Stream(), one, one, 0))
		}
		ctx, stop := short()
		start := time.Now()
		err := call(ctx)
		stop()
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.Less(t, time.Since(start), 5*time.Second)
		r.double.Release()
		long, stop := context.WithTimeout(t.Context(), time.Minute)
		assert.NoError(t, call(long), name)
		stop()
	}
	out, err := rtc.ToSliceContext[float32](over, nil)
	assert.Nil(t, out)
	assert.ErrorContains(t, err, "the array is nil")
}

// One thread waits for all who have a context.
func TestOneThreadWaits(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	require.NoError(t, none.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(1), 0))
	r.double.Hold()
	r.double.Forget()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { assert.NoError(t, none.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(1), 0)) })
	}
	waitFor(t, func() bool { return r.double.Called("cuLaunchKernel") == 50 })
	time.Sleep(5 * time.Millisecond)
	assert.Equal(t, 1, r.double.Called("cuEventSynchronize"))
	r.double.Release()
	wg.Wait()
	assert.LessOrEqual(t, r.drv.Counts().Events, 51, "events are used again")
}

func TestArrays(t *testing.T) {
	r := newRig(t, drivertest.Config{})
	for _, c := range []struct {
		dtype rtc.DType
		shape []int
		want  string
	}{
		{rtc.Float32, []int{3, -1}, "axis 1 of shape [3 -1] is negative"},
		{rtc.Float32, []int{math.MinInt}, "axis 0 of shape [-9223372036854775808] is negative"},
		{rtc.Float64, []int{math.MaxInt}, "is more than can be addressed"},
		{rtc.Float64, []int{1 << 31, 1 << 31}, "is more than can be addressed"},
		{rtc.Float64, []int{1 << 62, 4, 4}, "is more than can be addressed"},
		{rtc.Complex128, []int{1 << 59}, "is more than can be addressed"},
		{rtc.Uint8, []int{0, -1}, "axis 1"},
		{abi.Invalid, []int{1}, "is not a type of elements"},
		{rtc.DType(200), []int{1}, "is not a type of elements"},
	} {
		_, err := rtc.NewArray(r.dev, c.dtype, c.shape...)
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: new array: ")
	}
	_, err := rtc.NewArray(r.dev, rtc.Uint8, 1<<40)
	assert.ErrorIs(t, err, driver.OutOfMemory)
	assert.ErrorContains(t, err, "uint8 array [1099511627776]")

	for _, c := range []struct {
		shape []int
		len   int
	}{{nil, 1}, {[]int{}, 1}, {[]int{0}, 0}, {[]int{1 << 62, 4, 0}, 0}, {[]int{0, math.MaxInt, math.MaxInt}, 0}, {[]int{2, 3}, 6}} {
		a, err := rtc.NewArray(r.dev, rtc.Float64, c.shape...)
		require.NoError(t, err)
		assert.Equal(t, c.len, a.Len())
		assert.Equal(t, 8*c.len, a.Bytes())
		assert.Equal(t, len(c.shape), len(a.Shape()))
		assert.Same(t, r.dev, a.Device())
		assert.Equal(t, rtc.Float64, a.DType())
		if len(c.shape) > 0 {
			a.Shape()[0] = 99
			assert.Equal(t, c.shape, a.Shape(), "a copy")
		}
		require.NoError(t, a.Close())
	}
	for _, c := range []struct {
		n     int
		shape []int
		want  string
	}{
		{6, []int{2, 2}, "shape [2 2] has 4 elements, the slice 6"},
		{6, []int{-2, -3}, "axis 0 of shape [-2 -3] is negative"},
		{0, []int{1}, "shape [1] has 1 elements, the slice 0"},
		{1, []int{0}, "shape [0] has 0 elements, the slice 1"},
		{1, []int{1 << 32, 1 << 32}, "is more than can be addressed"}, // which is 0 in 64 bits
	} {
		_, err := rtc.FromSlice(r.dev, make([]int8, c.n), c.shape...)
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: from slice: ")
	}
	// Failing half way leaves nothing.
	for f, try := range map[string]func() (*rtc.Array, error){
		"cuMemcpyHtoDAsync_v2": func() (*rtc.Array, error) { return rtc.FromSlice(r.dev, []int8{1}) },
		"cuStreamSynchronize":  func() (*rtc.Array, error) { return rtc.FromSlice(r.dev, []int8{1}) },
		"cuMemsetD8Async":      func() (*rtc.Array, error) { return rtc.Zeros[int8](r.dev, 1) },
		"cuMemcpyDtoDAsync_v2": func() (*rtc.Array, error) { return rtc.Full(r.dev, 1.5, 9) },
		"cuMemAlloc_v2":        func() (*rtc.Array, error) { return rtc.Ones[int8](r.dev, 1) },
	} {
		r.double.Fail(f, driver.InvalidValue, 1)
		a, err := try()
		assert.Nil(t, a, f)
		assert.ErrorIs(t, err, driver.InvalidValue, f)
		assert.ErrorContains(t, err, "rtc: ", f)
	}
	assert.Zero(t, r.double.Live().Allocations)
}

type (
	flag bool
	tiny int8
	half = rtc.Half
	word uint16
)

// TestElements fills and reads arrays of every type of element.
func TestElements(t *testing.T) {
	r := newRig(t, plain)
	testElement(t, r, true, true)
	testElement(t, r, flag(true), flag(true))
	testElement(t, r, int8(-7), 1)
	testElement(t, r, tiny(-7), 1)
	testElement(t, r, uint8(200), 1)
	testElement(t, r, int16(-300), 1)
	testElement(t, r, word(65535), 1)
	testElement(t, r, int32(-70000), 1)
	testElement(t, r, uint32(1<<31), 1)
	testElement(t, r, int64(math.MinInt64), 1)
	testElement(t, r, uint64(math.MaxUint64), 1)
	testElement(t, r, -5, 1)
	testElement(t, r, uint(5), 1)
	testElement(t, r, float32(math.Pi), 1)
	testElement(t, r, math.Pi, 1)
	testElement(t, r, math.Copysign(0, -1), 1)
	testElement(t, r, complex64(1-2i), 1)
	testElement(t, r, 1-2i, 1)
	testElement(t, r, half(0x3800), rtc.HalfOf(1))
	testElement(t, r, rtc.BFloat16Of(-2), rtc.BFloat16Of(1))
	testElement(t, r, abi.E4M3(0x7E), abi.E4M3FromFloat32(1))
	testElement(t, r, abi.E5M2(0x7B), abi.E5M2FromFloat32(1))
}

func testElement[T rtc.Element](t *testing.T, r *rig, v, one T) {
	t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
		require.NoError(t, r.dev.Scope(func(s *rtc.Scope) error {
			for _, n := range []int{0, 1, 2, 3, 7, 1000} {
				full, err := rtc.Full(s, v, n)
				require.NoError(t, err)
				zeros, err := rtc.Zeros[T](s, n)
				require.NoError(t, err)
				ones, err := rtc.Ones[T](s, n)
				require.NoError(t, err)
				want := make([]T, n)
				assert.Equal(t, want, slice[T](t, zeros))
				for i := range want {
					want[i] = one
				}
				assert.Equal(t, want, slice[T](t, ones))
				for i := range want {
					want[i] = v
				}
				got := slice[T](t, full)
				assert.Equal(t, want, got)
				if n > 0 {
					assert.Equal(t, fmt.Sprint(want[0]), fmt.Sprint(got[n-1])) // -0 is not 0
				}
				require.NoError(t, rtc.CopyFromSlice(zeros, want))
				assert.Equal(t, want, slice[T](t, zeros))
				made, err := rtc.FromSlice(s, want)
				require.NoError(t, err)
				assert.Equal(t, want, slice[T](t, made))
				assert.Equal(t, abi.DTypeOf[T](), made.DType())
				assert.ErrorContains(t, rtc.CopyFromSlice(made, append(want, one)), fmt.Sprintf("has %d elements, the slice %d", n, n+1))
			}
			return nil
		}))
	})
}

// What a slice may be read into goes by kind and width, and a bool is 0 or 1
// whatever a kernel wrote.
func TestToSliceTypes(t *testing.T) {
	r := newRig(t, plain)
	type celsius float32
	f := array(t, r.dev, float32(1), 2)
	assert.Equal(t, []celsius{1, 2}, slice[celsius](t, f))
	assert.ErrorContains(t, second(rtc.ToSlice[int32](f)), "rtc: to slice: float32 array [2] does not hold int32")
	assert.ErrorContains(t, second(rtc.ToSlice[uint32](f)), "does not hold")
	assert.ErrorContains(t, second(rtc.ToSlice[float64](f)), "does not hold")
	assert.ErrorContains(t, rtc.CopyFromSlice(f, []float64{1, 2}), "rtc: copy from slice: float32 array [2] does not hold float64")
	h := array(t, r.dev, rtc.HalfOf(1))
	assert.ErrorContains(t, second(rtc.ToSlice[uint16](h)), "does not hold uint16")
	i := array(t, r.dev, 1, 2)
	assert.Equal(t, []int64{1, 2}, slice[int64](t, i))
	b := array(t, r.dev, true, false, true)
	p, _, err := b.DevicePointer()
	require.NoError(t, err)
	copy(r.double.Memory(driver.Pointer(p), 3), []byte{2, 0, 255})
	got := slice[bool](t, b)
	assert.Equal(t, []bool{true, false, true}, got)
	assert.True(t, got[0] == got[2], "one and the same true")
}
