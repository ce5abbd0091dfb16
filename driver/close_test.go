package driver_test

import (
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// A context closes what was made in it, newest first, and then itself.
func TestCloseOrder(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	m := load(t, c, kernels)
	_, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	alloc(t, c, 64)
	_, err = c.AllocHost(64, driver.HostConfig{})
	require.NoError(t, err)
	double.Forget()
	require.NoError(t, c.Close())
	var order []string
	for _, call := range double.Calls() {
		if call.Function != "cuCtxSetCurrent" && call.Function != "cuCtxGetCurrent" {
			order = append(order, call.Function)
		}
	}
	require.Equal(t, []string{"cuMemFreeHost", "cuEventDestroy_v2", "cuModuleUnload", "cuStreamQuery", "cuStreamDestroy_v2", "cuMemFree_v2", "cuDevicePrimaryCtxRelease_v2"}, order)

	calls := len(double.Calls())
	for _, x := range []interface{ Close() error }{c, s, m} {
		require.NoError(t, x.Close(), "a second Close")
	}
	require.Len(t, double.Calls(), calls)
}

func TestUseAfterClose(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	f := function(t, m, "empty")
	l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)})
	e, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	p := alloc(t, c, 64)
	closed := stream(t, c)
	require.NoError(t, closed.Close())
	require.ErrorIs(t, l.Enqueue(closed), driver.ErrClosed)
	require.NoError(t, l.Enqueue(s))
	require.NoError(t, m.Close())
	require.ErrorIs(t, l.Enqueue(s), driver.ErrClosed)
	require.ErrorContains(t, l.Enqueue(s), "launch empty: module: closed")
	require.NoError(t, c.Close())
	for name, call := range map[string]func() error{
		"alloc":       func() error { _, err := c.Alloc(1); return err },
		"free":        func() error { return c.Free(p) },
		"load":        func() error { _, err := c.LoadModule([]byte(kernels), driver.LoadConfig{}); return err },
		"stream":      func() error { _, err := c.NewStream(driver.StreamConfig{}); return err },
		"event":       func() error { _, err := c.NewEvent(driver.EventConfig{}); return err },
		"do":          func() error { return c.Do(func() error { return nil }) },
		"synchronize": s.Synchronize,
		"query":       func() error { _, err := s.Query(); return err },
		"record":      func() error { return s.Record(e) },
		"wait":        func() error { return s.Wait(e) },
		"event wait":  e.Synchronize,
		"copy":        func() error { return s.CopyToDevice(p, []byte{1}) },
		"function":    func() error { _, err := m.Function("empty"); return err },
		"global":      func() error { _, _, err := m.Global("counter"); return err },
		"attribute":   func() error { _, err := f.Attribute(driver.FuncNumRegs); return err },
		"prepare":     func() error { _, err := f.Prepare(l.Config(), nil); return err },
	} {
		require.ErrorIs(t, call(), driver.ErrClosed, name)
	}
}

func TestCloseOfNil(t *testing.T) {
	for _, x := range []interface{ Close() error }{
		(*driver.Context)(nil), (*driver.Stream)(nil), (*driver.Event)(nil), (*driver.Module)(nil), (*driver.Library)(nil), (*driver.Graph)(nil),
		(*driver.ExecGraph)(nil), (*driver.HostMemory)(nil), (*driver.MemoryPool)(nil), (*driver.PhysicalMemory)(nil), (*driver.Mapping)(nil),
		(*driver.IPCMemory)(nil), (*driver.Linker)(nil),
	} {
		require.NoError(t, x.Close())
	}
}

// B67: a module that is closed while launches of it are being made is unloaded
// after the last of them has returned, and none goes to a module that is gone.
func TestCloseDuringLaunch(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Delay("cuLaunchKernelEx", 200*time.Microsecond)
	c := open(t, d)
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	for range 20 {
		m, s := load(t, c, kernels), stream(t, c)
		f := function(t, m, "empty")
		var all sync.WaitGroup
		var launched atomic.Int64
		for range 8 {
			l := prepare(t, f, config)
			all.Go(func() {
				for {
					if err := l.Enqueue(s); err != nil {
						if !errors.Is(err, driver.ErrClosed) {
							t.Errorf("launch: %v", err)
						}
						return
					}
					launched.Add(1)
				}
			})
		}
		for launched.Load() < 10 {
			runtime.Gosched()
		}
		var closers sync.WaitGroup
		for range 3 { // several at once, on both
			closers.Go(func() { noError(t, m.Close()) })
			closers.Go(func() { noError(t, s.Close()) })
		}
		closers.Wait()
		all.Wait()
	}
	calls := double.Calls("cuLaunchKernelEx", "cuModuleUnload", "cuStreamDestroy_v2")
	for _, call := range calls {
		require.Equal(t, driver.Success, call.Result, call.Function)
	}
	require.Len(t, double.Calls("cuModuleUnload"), 20)
}

func noError(t *testing.T, err error) {
	if err != nil {
		t.Error(err)
	}
}

// Close of a module waits for what was launched, and no longer.
func TestUnloadWaitsForTheKernel(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	require.NoError(t, prepare(t, function(t, m, "empty"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}).Enqueue(s))
	double.Hold()
	done := make(chan error)
	go func() { done <- m.Close() }()
	select {
	case <-done:
		t.Fatal("unloaded while its kernel was running")
	case <-time.After(20 * time.Millisecond):
	}
	require.Zero(t, double.Called("cuModuleUnload"))
	double.Release()
	require.NoError(t, <-done)
	require.Equal(t, 1, double.Called("cuModuleUnload"))
}

// A module that is unloaded during a capture does not spoil that.
func TestUnloadDuringCapture(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	require.NoError(t, s.BeginCapture())
	require.NoError(t, prepare(t, function(t, m, "empty"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}).Enqueue(s))
	require.NoError(t, m.Close())
	g, err := s.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
}

// Launches on streams that come and go are forgotten with them.
func TestStreamsComeAndGo(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	f := function(t, load(t, c, kernels), "empty")
	double.Hold() // so that nothing is known to have ended
	for range 2000 {
		s := stream(t, c)
		require.NoError(t, prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}).Enqueue(s))
		require.NoError(t, s.Close())
	}
	runtime.GC()
	s := stream(t, c)
	for range 200 {
		require.NoError(t, prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}).Enqueue(s))
	}
	double.Release()
	require.Less(t, driver.Tracks(c), 1000)
	require.NoError(t, s.Close())
}

// B54: goroutines change threads; every call that needs a current context has it.
func TestGoroutinesChangeThreads(t *testing.T) {
	for _, needs := range []bool{false, true} {
		d, double := bind(t, drivertest.Config{NeedsContext: needs, Devices: make([]drivertest.Device, 2)})
		double.Kernel("count", countBody)
		var contexts []*driver.Context
		for i := range 2 {
			dev, err := d.Device(i)
			require.NoError(t, err)
			c, err := dev.Primary()
			require.NoError(t, err)
			contexts = append(contexts, c)
		}
		var all sync.WaitGroup
		errs := make([]error, 64)
		for i := range errs {
			all.Go(func() { errs[i] = loadLaunchReadPortable(contexts[i%2], uint32(i)) })
		}
		all.Wait()
		require.NoError(t, errors.Join(errs...))
		for _, c := range contexts {
			require.NoError(t, c.Close())
		}
		if !needs {
			require.Empty(t, double.Unbound())
		}
		for _, call := range double.Unbound() {
			require.Contains(t, []string{"cuLaunchKernelEx", "cuStreamSynchronize", "cuMemcpyDtoHAsync_v2", "cuMemsetD32Async"}, call)
		}
	}
}

func loadLaunchReadPortable(c *driver.Context, i uint32) error {
	return loadLaunchReadFrom(c, portable(gpuKernels), i)
}

// A context of another library that is current on a thread is put back.
func TestForeignContextIsPutBack(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	foreign, err := driver.Bind(double) // another view of the same driver
	require.NoError(t, err)
	dev, err := foreign.Device(0)
	require.NoError(t, err)
	other, err := dev.NewContext(driver.ContextConfig{})
	require.NoError(t, err)
	defer other.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.NoError(t, other.Do(func() error {
		require.Equal(t, other.Handle(), double.Current())
		p := alloc(t, c, 64)
		require.NoError(t, c.Free(p))
		require.NoError(t, c.Do(func() error {
			require.Equal(t, c.Handle(), double.Current())
			return nil
		}))
		require.Equal(t, other.Handle(), double.Current(), "left on the thread")
		return nil
	}))
}

func TestDoUnlocksItsThread(t *testing.T) {
	d, _ := bind(t, drivertest.Config{})
	c := open(t, d)
	want := errors.New("mine")
	require.Same(t, want, c.Do(func() error { return want }))
	require.Panics(t, func() { _ = c.Do(func() error { panic("f") }) })
	require.NoError(t, c.Close(), "a panic in f must not leave a call counted")
}

// 10,000 rounds leave nothing behind, in the driver and here.
func TestRoundsLeaveNothing(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Quiet(true)
	c := open(t, d)
	s := stream(t, c)
	keep := load(t, c, kernels)
	f := function(t, keep, "empty")
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	before := d.Counts()
	var start, end runtime.MemStats
	for i := range 10000 {
		if i == 1000 {
			runtime.GC()
			runtime.ReadMemStats(&start)
		}
		require.NoError(t, prepare(t, f, config).Enqueue(s))
		if i%10 == 0 {
			m := load(t, c, kernels)
			require.NoError(t, prepare(t, function(t, m, "empty"), config).Enqueue(s))
			require.NoError(t, m.Close())
			double.Forget()
		}
		if i%100 == 0 {
			require.NoError(t, s.Synchronize())
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&end)
	require.Equal(t, before, d.Counts())
	require.Less(t, int64(end.HeapAlloc)-int64(start.HeapAlloc), int64(2<<20))
}

func TestMemoryErrors(t *testing.T) {
	d, double := bind(t, drivertest.Config{Devices: []drivertest.Device{{Memory: 1 << 20}}})
	c := open(t, d)
	s := stream(t, c)
	p, err := c.Alloc(0)
	require.NoError(t, err)
	require.Zero(t, p)
	require.NoError(t, c.Free(0))
	require.NoError(t, s.FreeAsync(0))
	calls := len(double.Calls())
	require.NoError(t, s.CopyToDevice(0, nil))
	require.NoError(t, s.CopyToHost(nil, 0))
	require.NoError(t, s.CopyDevice(0, 0, 0))
	require.NoError(t, s.Memset8(0, 1, 0))
	require.Len(t, double.Calls(), calls, "nothing to do, nothing called")

	p = alloc(t, c, 1<<19)
	_, err = c.Alloc(1 << 20)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.ErrorContains(t, err, "allocate 1048576 bytes on device 0")
	require.ErrorContains(t, err, "524288 of 1048576 bytes are free")
	require.NoError(t, c.Free(p))
	require.ErrorContains(t, c.Free(p), "freed before")
	require.ErrorContains(t, s.FreeAsync(p), "freed before")
	require.ErrorContains(t, c.Free(12345), "no memory of this context begins there")
	require.ErrorIs(t, s.CopyToDevice(99, []byte{1}), driver.InvalidValue)
	require.NotContains(t, slices.Collect(functions(double)), "cuMemcpyHtoD_v2")
}

func functions(d *drivertest.Driver) func(func(string) bool) {
	return func(yield func(string) bool) {
		for _, c := range d.Calls() {
			if !yield(c.Function) {
				return
			}
		}
	}
}
