package driver_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// The launch and the event go to the driver in this order, also where it wants
// a context for either.
func TestEnqueueEvent(t *testing.T) {
	for name, config := range map[string]drivertest.Config{"any context": {}, "its own": {NeedsContext: true}} {
		t.Run(name, func(t *testing.T) {
			d, double := bind(t, config)
			c := open(t, d)
			s := stream(t, c)
			e, err := c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			l := prepare(t, function(t, load(t, c, kernels), "empty"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)})
			for range 3 {
				double.Forget()
				require.NoError(t, l.EnqueueEvent(s, e))
				var done []string
				for _, call := range double.Calls("cuLaunchKernelEx", "cuEventRecord") {
					if call.Result == driver.Success {
						done = append(done, call.Function)
					}
				}
				require.Equal(t, []string{"cuLaunchKernelEx", "cuEventRecord"}, done)
				require.NoError(t, e.Synchronize())
			}

			double.Forget()
			double.Fail("cuLaunchKernelEx", driver.OutOfMemory, 1)
			err = l.EnqueueEvent(s, e)
			require.ErrorIs(t, err, driver.OutOfMemory)
			require.ErrorContains(t, err, "driver: launch empty: grid (1, 1, 1), block (1, 1, 1), 0 bytes")
			require.Zero(t, double.Called("cuEventRecord"), "nothing was launched")

			require.NoError(t, e.Close())
			require.EqualError(t, l.EnqueueEvent(s, e), "driver: event: closed")
			e, err = c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			require.NoError(t, s.Close())
			require.EqualError(t, l.EnqueueEvent(s, e), "driver: launch empty: stream: closed")
		})
	}
}

// Events, streams and modules that are closed while launches with them are
// made: nothing goes to the driver that is gone there.
func TestCloseDuringEnqueueEvent(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Delay("cuLaunchKernelEx", 100*time.Microsecond)
	c := open(t, d)
	for range 10 {
		m, s := load(t, c, kernels), stream(t, c)
		f := function(t, m, "empty")
		var all sync.WaitGroup
		var launched atomic.Int64
		var events []*driver.Event
		for range 6 {
			e, err := c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			events = append(events, e)
			l := prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)})
			all.Go(func() {
				for {
					err := l.EnqueueEvent(s, e)
					if err == nil {
						err = e.Synchronize()
					}
					if err != nil {
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
		for _, e := range events[:3] {
			closers.Go(func() { noError(t, e.Close()) })
		}
		closers.Go(func() { noError(t, s.Close()) })
		closers.Go(func() { noError(t, m.Close()) })
		closers.Wait()
		all.Wait()
		for _, e := range events {
			require.NoError(t, e.Close())
		}
	}
	for _, call := range double.Calls("cuLaunchKernelEx", "cuEventRecord", "cuEventSynchronize", "cuEventDestroy_v2", "cuStreamDestroy_v2") {
		require.Equal(t, driver.Success, call.Result, call.Function)
	}
}

// Several may wait for one event at once; one of them has the call that is kept.
func TestManyWaitForOneEvent(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	e, err := c.NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	require.NoError(t, s.Record(e))
	for range 20 {
		double.Hold()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { noError(t, e.Synchronize()) })
		}
		all.Go(func() { noError(t, s.Record(e)) })
		double.Release()
		all.Wait()
	}
	require.Equal(t, 80, double.Called("cuEventSynchronize"))
}

// In C, with both calls in one.
func TestEnqueueEventCrossesTheABI(t *testing.T) {
	lib := stubOf(t, stubC+`
int cuEventCreate(void **e, unsigned f) { *e = (void *)80; return 0; }
int cuEventDestroy_v2(void *e) { return 0; }
int cuEventSynchronize(void *e) { seen[14] = (ptr)e; return 0; }
int cuEventRecord(void *e, void *s) { seen[12] = (ptr)e; seen[13] = (ptr)s; return 0; }
`)
	value := uint32(4711)
	l, s := stubLaunch(t, lib, driver.LaunchConfig{Grid: driver.Dim(1, 2, 3), Block: driver.Dim(4, 5, 6), SharedMem: 7}, []unsafe.Pointer{unsafe.Pointer(&value)})
	e, err := s.Context().NewEvent(driver.EventConfig{})
	require.NoError(t, err)
	require.NoError(t, l.EnqueueEvent(s, e))
	require.NoError(t, e.Synchronize())
	readSeen, err := lib.Lookup("read_seen")
	require.NoError(t, err)
	seen := new([16]uint64)
	readSeen.Call(uintptr(unsafe.Pointer(seen)))
	require.Equal(t, [16]uint64{48, 1, 2, 3, 4, 5, 6, 7, 64, 4711, 0, 0, 80, 64, 80}, *seen)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if l.EnqueueEvent(s, e) != nil || e.Synchronize() != nil {
			t.Fatal("refused")
		}
	}))
}
