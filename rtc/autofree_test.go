package rtc_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

func TestAutoFreeOnDouble(t *testing.T) {
	r := newRigWith(t, plain, rtc.OpenConfig{AutoFree: true})
	giveBodies(r.double)
	axpy := kernel(t, kernels(t), "axpy", axpySignature)
	alive := func() int { return r.double.Live().Allocations }
	for range 50 {
		x, err := rtc.Ones[float32](r.dev, 1000)
		require.NoError(t, err)
		require.NoError(t, axpy.Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1))
	}
	waitFor(t, func() bool {
		runtime.GC()
		require.NoError(t, r.dev.Synchronize(t.Context()))
		return alive() == 0
	})
	waitFor(t, func() bool { r.mu.Lock(); defer r.mu.Unlock(); return len(r.leaks) == 50 })
	for _, l := range r.left() {
		assert.True(t, l.Freed)
		assert.Contains(t, l.Made, "TestAutoFreeOnDouble")
	}

	// What a launch is prepared with is reachable, also inside another type.
	type owned struct{ *rtc.Array }
	x, err := rtc.Ones[float32](r.dev, 10)
	require.NoError(t, err)
	run, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(10), 0, owned{x}, x, 1, 10)
	require.NoError(t, err)
	x = nil
	for range 5 {
		runtime.GC()
		require.NoError(t, r.dev.Synchronize(t.Context()))
	}
	require.NoError(t, run.Launch())
	assert.Equal(t, 1, alive())
	runtime.KeepAlive(run)
	run = nil
	waitFor(t, func() bool {
		runtime.GC()
		require.NoError(t, r.dev.Synchronize(t.Context()))
		return alive() == 0
	})
	waitFor(t, func() bool { return len(r.left()) == 1 })
}

// When memory runs out, what is garbage is looked for.
func TestAutoFreeWhenFull(t *testing.T) {
	r := newRigWith(t, drivertest.Config{Devices: []drivertest.Device{{Memory: 10 << 20}}}, rtc.OpenConfig{AutoFree: true})
	for range 30 {
		_, err := rtc.NewArray(r.dev, rtc.Uint8, 4<<20)
		require.NoError(t, err)
	}
	keep, err := rtc.NewArray(r.dev, rtc.Uint8, 4<<20)
	require.NoError(t, err)
	_, err = rtc.NewArray(r.dev, rtc.Uint8, 8<<20)
	assert.ErrorIs(t, err, driver.OutOfMemory)
	assert.ErrorContains(t, err, "rtc: new array: uint8 array [8388608]: ")
	assert.ErrorContains(t, err, "of 10485760 bytes are free")
	require.NoError(t, keep.Close())
	waitFor(t, func() bool { // for each of the others, so that none is told of later
		runtime.GC()
		r.mu.Lock()
		defer r.mu.Unlock()
		return len(r.leaks) == 30
	})
	r.left()
}
