package rtc_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

// kernels loads the kernels of testdata from PTX.
func kernels(t testing.TB) *rtc.Module {
	t.Helper()
	mod, err := rtc.LoadModule([]byte(kernelsPTX), rtc.ModuleConfig{Name: "kernels", Exports: []string{"twice<float>", "&ns::counter"}})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, mod.Close()) })
	return mod
}

func TestUseAfterClose(t *testing.T) {
	r := newRig(t, plain)
	mod := kernels(t)
	axpy := kernel(t, mod, "axpy", axpySignature)
	x := array(t, r.dev, float32(1))
	run, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1)
	require.NoError(t, err)
	table, err := mod.Global(r.dev, "table", rtc.Float32, 4)
	require.NoError(t, err)
	stream := r.dev.Stream()
	var scope *rtc.Scope
	require.NoError(t, r.dev.Scope(func(s *rtc.Scope) error { scope = s; return nil }))
	_, err = rtc.Zeros[int8](scope, 1)
	require.ErrorIs(t, err, rtc.ErrClosed)

	use := map[string]func() error{
		"Launch":    func() error { return axpy.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1) },
		"Enqueue":   func() error { return axpy.Enqueue(stream, rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1) },
		"Prepare":   func() error { _, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1); return err },
		"run":       run.Launch,
		"run.Queue": func() error { return run.Enqueue(stream) },
		"SetArg":    func() error { return run.SetArg(0, x) },
		"ToSlice":   func() error { _, err := rtc.ToSlice[float32](x); return err },
		"FromSlice": func() error { return rtc.CopyFromSlice(x, []float32{1}) },
		"variable":  func() error { _, err := rtc.ToSlice[float32](table); return err },
		"Global":    func() error { _, err := mod.Global(r.dev, "table", rtc.Float32, 4); return err },
		"Kernel":    func() error { _, err := mod.Kernel("axpy", axpySignature); return err },
		"Preload":   func() error { return mod.Preload(t.Context(), r.dev) },
		"Function":  func() error { _, err := axpy.Function(r.dev); return err },
		"Zeros": func() error {
			a, err := rtc.Zeros[int8](r.dev, 1)
			return errors.Join(err, a.Close())
		},
		"Scope":    func() error { return r.dev.Scope(func(*rtc.Scope) error { return nil }) },
		"wait":     func() error { return stream.Synchronize(t.Context()) },
		"dev.wait": func() error { return r.dev.Synchronize(t.Context()) },
	}
	check := func(what string, closed ...string) {
		t.Helper()
		gone := map[string]bool{}
		for _, name := range closed {
			gone[name] = true
		}
		for name, f := range use {
			if err := f(); gone[name] || what == "device" && name != "Kernel" {
				assert.ErrorIs(t, err, rtc.ErrClosed, "%s after Close of the %s", name, what)
				assert.ErrorContains(t, err, "rtc: ", name)
			} else {
				assert.NoError(t, err, "%s after Close of the %s", name, what)
			}
		}
	}
	check("nothing")
	require.NoError(t, x.Close())
	require.NoError(t, x.Close())
	ofArray := []string{"Launch", "Enqueue", "Prepare", "run", "run.Queue", "SetArg", "ToSlice", "FromSlice"}
	check("array", ofArray...)
	require.NoError(t, mod.Close())
	require.NoError(t, mod.Close())
	check("module", append(ofArray, "variable", "Global", "Kernel", "Preload", "Function")...)
	require.NoError(t, r.dev.Close())
	require.NoError(t, r.dev.Close())
	delete(use, "Kernel")
	check("device")
	assert.NoError(t, table.Close())
	assert.Contains(t, mod.PTX(), "axpy", "what was compiled can still be read")
}

func TestNil(t *testing.T) {
	var (
		dev   *rtc.Device
		mod   *rtc.Module
		k     *rtc.Kernel
		run   *rtc.Prepared
		s     *rtc.Stream
		a     *rtc.Array
		scope *rtc.Scope
		old   *rtc.Rtc
	)
	for name, c := range map[string]interface{ Close() error }{"device": dev, "module": mod, "array": a, "scope": scope, "Rtc": old, "zero array": new(rtc.Array)} {
		assert.NoError(t, c.Close(), name)
	}
	r := newRig(t, plain)
	axpy := kernel(t, kernels(t), "axpy", axpySignature)
	one := rtc.Dim(1)
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"Launch":        {k.Launch(r.dev, one, one, 0), "the kernel is nil"},
		"zero kernel":   {new(rtc.Kernel).Launch(r.dev, one, one, 0), "the Kernel was not made by this package"},
		"Enqueue":       {k.Enqueue(r.dev.Stream(), one, one, 0), "the kernel is nil"},
		"Prepare":       {second(k.Prepare(r.dev, one, one, 0)), "the kernel is nil"},
		"Function":      {second(k.Function(r.dev)), "the kernel is nil"},
		"on nothing":    {axpy.Launch(dev, one, one, 0), "the device is nil"},
		"on zero":       {axpy.Launch(new(rtc.Device), one, one, 0), "the Device was not made by this package"},
		"no stream":     {axpy.Enqueue(s, one, one, 0), "the stream is nil"},
		"wait":          {s.Synchronize(t.Context()), "the stream is nil"},
		"device wait":   {dev.Synchronize(t.Context()), "the device is nil"},
		"health":        {dev.Health(), "the device is nil"},
		"run":           {run.Launch(), "the prepared launch is nil"},
		"run.Enqueue":   {run.Enqueue(r.dev.Stream()), "the prepared launch is nil"},
		"SetArg":        {run.SetArg(0, 1), "the prepared launch is nil"},
		"Kernel":        {second(mod.Kernel("k")), "the module is nil"},
		"Global":        {second(mod.Global(r.dev, "g", rtc.Int8)), "the module is nil"},
		"Preload":       {mod.Preload(t.Context(), r.dev), "the module is nil"},
		"NewArray":      {second(rtc.NewArray(nil, rtc.Int8)), "the device is nil"},
		"typed nil":     {second(rtc.NewArray(dev, rtc.Int8)), "the device is nil"},
		"nil scope":     {second(rtc.Zeros[int8](scope, 1)), "the device is nil"},
		"ToSlice":       {second(rtc.ToSlice[int8](a)), "the array is nil"},
		"zero array":    {second(rtc.ToSlice[int8](new(rtc.Array))), "was not made by this package"},
		"CopyFromSlice": {rtc.CopyFromSlice(a, []int8{}), "the array is nil"},
		"Scope":         {dev.Scope(nil), "the device is nil"},
		"Push":          {old.Push(nil, nil, one, one), "is nil"},
		"options":       {second(rtc.CompileOptions(dev)), "the device is nil"},
		"argument":      {axpy.Launch(r.dev, one, one, 0, a, nil, 1, 1), "argument 0 (x): want const float *, got *rtc.Array: the array is nil; write nil itself"},
		"zero argument": {axpy.Launch(r.dev, one, one, 0, new(rtc.Array), nil, 1, 1), "argument 0 (x): want const float *, got *rtc.Array: the Array was not made by this package"},
	} {
		if assert.ErrorContains(t, c.err, c.want, name) {
			assert.ErrorContains(t, c.err, "rtc: ", name)
		}
	}
	assert.NoError(t, axpy.Launch(r.dev, one, one, 0, nil, nil, 1, 1), "nil itself is the null pointer")
	assert.Equal(t, uint64(0), drivertest.Arg[uint64](r.double.Launches()[0], 0))
}

func second[T any](_ T, err error) error { return err }

// A closed device, or one opened and closed again and again, leaves nothing
// with a kernel that outlives it.
func TestKernelForgetsDevices(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	for range 10 {
		dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: r.drv})
		require.NoError(t, err)
		require.NoError(t, none.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0))
		require.NoError(t, dev.Close())
	}
	require.NoError(t, none.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0))
	assert.Equal(t, 1, rtc.Remembered(none))
}

// A scope frees what was made in it when its function fails or panics, and the
// errors of both are told.
func TestScopeEnds(t *testing.T) {
	r := newRig(t, plain)
	assert.PanicsWithValue(t, "boom", func() {
		_ = r.dev.Scope(func(s *rtc.Scope) error {
			_, err := rtc.Zeros[int8](s, 1)
			require.NoError(t, err)
			panic("boom")
		})
	})
	assert.Zero(t, r.double.Live().Allocations)
	boom := errors.New("boom")
	err := r.dev.Scope(func(s *rtc.Scope) error {
		assert.Same(t, r.dev, s.Device())
		a, err := rtc.Zeros[int8](s, 1)
		require.NoError(t, err)
		b, err := rtc.Zeros[int8](s, 1)
		require.NoError(t, err)
		require.NoError(t, a.Close(), "one may be closed before")
		r.double.Fail("cuMemFree_v2", driver.InvalidValue, 1)
		_ = b
		return boom
	})
	assert.ErrorIs(t, err, boom)
	assert.ErrorIs(t, err, driver.InvalidValue)
	assert.ErrorContains(t, err, "rtc: close int8 array [1]: ")

	// The device is closed within: all goes with it.
	require.NoError(t, r.dev.Scope(func(s *rtc.Scope) error {
		_, err := rtc.Zeros[int8](s, 1)
		require.NoError(t, err)
		require.NoError(t, r.dev.Close())
		_, err = rtc.Zeros[int8](s, 1)
		assert.ErrorIs(t, err, rtc.ErrClosed)
		return nil
	}))
	assert.Empty(t, r.left(), "the scope's arrays are its own business")
}

// Opening fails half way without leaving anything.
func TestOpenFails(t *testing.T) {
	for _, f := range []string{"cuDevicePrimaryCtxRetain", "cuStreamCreate", "cuCtxSetCurrent", "cuDeviceGetAttribute"} {
		double := drivertest.New(drivertest.Config{})
		drv, err := driver.Bind(double)
		require.NoError(t, err)
		double.Fail(f, driver.OutOfMemory, 1)
		_, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv})
		assert.ErrorIs(t, err, driver.OutOfMemory, f)
		assert.ErrorContains(t, err, "rtc: open device 0: ")
		assert.Equal(t, driver.Counts{}, drv.Counts(), f)
		assert.Equal(t, drivertest.Live{}, double.Live(), f)
	}
	drv, err := driver.Bind(drivertest.New(drivertest.Config{}))
	require.NoError(t, err)
	for _, n := range []int{1, -1} {
		_, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: n})
		assert.ErrorIs(t, err, driver.InvalidDevice)
		assert.ErrorContains(t, err, fmt.Sprintf("rtc: open device %d: ", n))
	}
}
