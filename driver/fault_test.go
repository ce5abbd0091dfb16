package driver_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// B55: after a fault everything says so at once, with the first cause, and Close
// neither complains nor calls a driver that might hang.
func TestFaultIsRemembered(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Kernel("empty", func(drivertest.Launch) driver.Result { return driver.IllegalAddress })
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	p := alloc(t, c, 64)
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	good, bad := prepare(t, function(t, m, "bounded"), config), prepare(t, function(t, m, "empty"), config)
	require.NoError(t, good.Enqueue(s))
	require.NoError(t, s.Synchronize())
	require.NoError(t, d.Health())
	require.NoError(t, bad.Enqueue(s))

	err := s.Synchronize()
	require.ErrorIs(t, err, driver.IllegalAddress)
	require.EqualError(t, err, "driver: synchronize stream: illegal memory address (cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS); "+
		"the process has lost the GPU: illegal memory address (CUDA_ERROR_ILLEGAL_ADDRESS), first reported by cuStreamSynchronize, while kernel empty was running")

	double.Delay("cuMemAlloc_v2", time.Hour) // what hangs must not be called
	double.Delay("cuMemFree_v2", time.Hour)
	double.Delay("cuModuleUnload", time.Hour)
	double.Delay("cuStreamSynchronize", time.Hour)
	calls := len(double.Calls())
	for _, call := range []func() error{
		func() error { return good.Enqueue(s) },
		func() error { _, err := c.Alloc(64); return err },
		func() error { return c.Free(p) },
		func() error { _, err := c.LoadModule([]byte(kernels), driver.LoadConfig{}); return err },
		func() error { _, err := c.NewStream(driver.StreamConfig{}); return err },
		s.Synchronize, c.Health, d.Health, c.Device().Health,
	} {
		err := call()
		var e *driver.Error
		require.ErrorAs(t, err, &e)
		require.True(t, e.Fatal())
		require.ErrorContains(t, err, "while kernel empty was running")
		require.Equal(t, "cuStreamSynchronize", e.Fault.Function)
	}
	require.NoError(t, m.Close())
	require.NoError(t, s.Close())
	require.NoError(t, c.Close())
	require.Equal(t, driver.Counts{}, d.Counts())
	for _, call := range double.Calls()[calls:] {
		require.Contains(t, []string{"cuCtxSetCurrent", "cuCtxGetCurrent", "cuDeviceGetAttribute"}, call.Function)
	}
}

// A world is what kernels a and b run in.
type world struct {
	c        *driver.Context
	s, other *driver.Stream
	a, b     *driver.Launch
	e        *driver.Event
	double   *drivertest.Driver
}

// queriedByA has the stream s queried while a is on its way to the driver, that
// is, when a is not in the stream yet.
func (w world) queriedByA(t *testing.T) {
	w.double.Kernel("a", func(drivertest.Launch) driver.Result {
		over, err := w.s.Query()
		ok(t, err)
		require.True(t, over)
		return driver.Success
	})
}

// Which kernels can have done it: those not known to have ended.
func TestFaultNamesWhatRan(t *testing.T) {
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	for name, test := range map[string]struct {
		do   func(t *testing.T, w world)
		want []string
	}{
		"one":           {func(t *testing.T, w world) { enqueue(t, w.s, w.a) }, []string{"a"}},
		"two":           {func(t *testing.T, w world) { enqueue(t, w.s, w.a, w.b) }, []string{"a", "b"}},
		"none":          {func(t *testing.T, w world) {}, nil},
		"two streams":   {func(t *testing.T, w world) { enqueue(t, w.s, w.a); enqueue(t, w.other, w.b, w.a) }, []string{"a", "b"}},
		"waited for":    {func(t *testing.T, w world) { enqueue(t, w.s, w.a); ok(t, w.s.Synchronize()); enqueue(t, w.s, w.b) }, []string{"b"}},
		"again":         {func(t *testing.T, w world) { enqueue(t, w.s, w.a); ok(t, w.s.Synchronize()); enqueue(t, w.s, w.a) }, []string{"a"}},
		"other waited":  {func(t *testing.T, w world) { enqueue(t, w.s, w.a); ok(t, w.other.Synchronize()) }, []string{"a"}},
		"whole context": {func(t *testing.T, w world) { enqueue(t, w.s, w.a); enqueue(t, w.other, w.b); ok(t, w.c.Synchronize()) }, nil},
		"queried": {func(t *testing.T, w world) {
			enqueue(t, w.s, w.a)
			over, err := w.s.Query()
			ok(t, err)
			require.True(t, over)
		}, nil},
		"moved back": {func(t *testing.T, w world) {
			enqueue(t, w.s, w.a)
			enqueue(t, w.other, w.a)
			ok(t, w.other.Synchronize())
		}, []string{"a"}},
		"by event": {func(t *testing.T, w world) {
			enqueue(t, w.s, w.a)
			ok(t, w.s.Record(w.e))
			enqueue(t, w.s, w.b)
			ok(t, w.e.Synchronize())
		}, []string{"b"}},
		"with an event": {func(t *testing.T, w world) {
			ok(t, w.a.EnqueueEvent(w.s, w.e))
			enqueue(t, w.s, w.b)
			ok(t, w.e.Synchronize())
		}, []string{"b"}},
		"with an event, again": {func(t *testing.T, w world) {
			enqueue(t, w.s, w.a)
			ok(t, w.a.EnqueueEvent(w.s, w.e))
			ok(t, w.e.Synchronize())
		}, nil},
		"with an event, not waited for": {func(t *testing.T, w world) { ok(t, w.a.EnqueueEvent(w.s, w.e)) }, []string{"a"}},
		"with an event, the stream queried before": {func(t *testing.T, w world) {
			w.queriedByA(t)
			ok(t, w.a.EnqueueEvent(w.s, w.e))
		}, []string{"a"}},
		"with an event, the stream queried before, waited for": {func(t *testing.T, w world) {
			w.queriedByA(t)
			ok(t, w.a.EnqueueEvent(w.s, w.e))
			enqueue(t, w.s, w.b)
			ok(t, w.e.Synchronize())
		}, []string{"b"}},
		"with an event, refused": {func(t *testing.T, w world) {
			w.double.Fail("cuEventRecord", driver.InvalidValue, 1)
			require.ErrorContains(t, w.a.EnqueueEvent(w.s, w.e), "driver: record event: invalid value (cuEventRecord: ")
			ok(t, w.e.Synchronize())
		}, []string{"a"}},
		"event queried": {func(t *testing.T, w world) {
			enqueue(t, w.s, w.a)
			ok(t, w.s.Record(w.e))
			over, err := w.e.Query()
			ok(t, err)
			require.True(t, over)
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d, double := bind(t, drivertest.Config{})
			c := open(t, d)
			m := load(t, c, kernels+".visible .entry a() { ret; }\n.visible .entry b() { ret; }\n")
			e, err := c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			test.do(t, world{c: c, s: stream(t, c), other: stream(t, c), e: e, double: double,
				a: prepare(t, function(t, m, "a"), config), b: prepare(t, function(t, m, "b"), config)})
			double.Break(driver.LaunchFailed)
			_, err = c.Alloc(1)
			var fault *driver.Error
			require.ErrorAs(t, err, &fault)
			require.ElementsMatch(t, test.want, fault.Fault.Running)
		})
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	require.NoError(t, err)
}

func enqueue(t *testing.T, s *driver.Stream, launches ...*driver.Launch) {
	t.Helper()
	for _, l := range launches {
		require.NoError(t, l.Enqueue(s))
	}
}

// A launch that itself brings the news of a fault did not start.
func TestFaultToldByTheNextLaunch(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s, m := stream(t, c), load(t, c, kernels)
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	first, second := prepare(t, function(t, m, "empty"), config), prepare(t, function(t, m, "bounded"), config)
	require.NoError(t, first.Enqueue(s))
	double.Break(driver.IllegalInstruction)
	err := second.Enqueue(s)
	require.ErrorIs(t, err, driver.IllegalInstruction)
	require.ErrorContains(t, err, "launch bounded")
	require.ErrorContains(t, err, "while kernel empty was running")
}

func TestFatalCodes(t *testing.T) {
	for _, r := range []driver.Result{700, 702, 710, 714, 715, 716, 717, 718, 719, 721} {
		require.True(t, r.Fatal(), r.Name())
	}
	for _, r := range []driver.Result{0, 1, 2, 201, 209, 222, 400, 500, 600, 701, 709, 720, 900, 999} {
		require.False(t, r.Fatal(), r.Name())
	}
	require.Equal(t, "driver: illegal memory address (CUDA_ERROR_ILLEGAL_ADDRESS)", driver.IllegalAddress.Error())
	require.Equal(t, "CUresult 12345", driver.Result(12345).Name())
	require.Equal(t, "result 12345", driver.Result(12345).String())
	require.False(t, errors.Is(&driver.Error{Result: driver.NotFound}, driver.OutOfMemory))
}
