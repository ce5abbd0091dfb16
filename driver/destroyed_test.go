package driver_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// The context that is current on a thread may be gone: one of ours stays current behind a call, and may be closed from elsewhere.
func TestCurrentContextIsGone(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Kernel("count", countBody)
	c := open(t, d)
	s := stream(t, c)
	p := alloc(t, c, 4)
	f := function(t, load(t, c, portable(gpuKernels)), "count")
	l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, ptr(&p))
	e, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	b := make([]byte, 4)
	for name, call := range map[string]func() error{
		"cuMemcpyHtoDAsync_v2": func() error { return s.CopyToDevice(p, b) },
		"cuMemcpyDtoHAsync_v2": func() error { return s.CopyToHost(b, p) },
		"cuMemsetD32Async":     func() error { return s.Memset32(p, 0, 1) },
		"cuLaunchKernel":       func() error { return l.Enqueue(s) },
		"cuEventRecord":        func() error { return s.Record(e) },
		"cuEventSynchronize":   e.Synchronize,
		"cuStreamWaitEvent":    func() error { return s.Wait(e) },
		"cuStreamSynchronize":  s.Synchronize,
	} {
		double.Fail(name, driver.ContextIsDestroyed, 1)
		require.NoError(t, call(), name)
	}
	require.NoError(t, d.Health())
}

func TestGPUCurrentContextIsGone(t *testing.T) {
	_, c := gpu(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s, p, b := stream(t, c), alloc(t, c, 4), []byte{1, 2, 3, 4}
	other, err := c.Device().NewContext(driver.ContextConfig{})
	require.NoError(t, err)
	require.NoError(t, other.Do(func() error { return nil }), "it stays current on this thread")
	done := make(chan error)
	go func() { done <- other.Close() }()
	require.NoError(t, <-done)
	require.NoError(t, s.CopyToDevice(p, b))
	require.NoError(t, s.CopyToHost(b, p))
	require.NoError(t, s.Synchronize())
	require.Equal(t, []byte{1, 2, 3, 4}, b)
}
