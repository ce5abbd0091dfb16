package sim_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// A rig is a simulated driver, bound, and the primary context of its first device.
type rig struct {
	sim *sim.Driver
	drv *driver.Driver
	ctx *driver.Context
	s   *driver.Stream
	m   *driver.Module // of kernels, once it was asked for
}

func newRig(t testing.TB, c sim.Config) *rig {
	t.Helper()
	r := &rig{}
	var err error
	r.sim, err = sim.New(c)
	require.NoError(t, err)
	r.drv, err = driver.Bind(r.sim)
	require.NoError(t, err)
	r.ctx = r.primary(t, 0)
	r.s = r.stream(t)
	t.Cleanup(func() {
		require.NoError(t, r.ctx.Close())
		if r.drv.Health() == nil && !t.Failed() {
			require.Equal(t, driver.Counts{}, r.drv.Counts(), "handles left")
			require.Empty(t, sim.Left(r.sim), "left in the simulator")
		}
	})
	return r
}

func (r *rig) primary(t testing.TB, ordinal int) *driver.Context {
	t.Helper()
	dev, err := r.drv.Device(ordinal)
	require.NoError(t, err)
	c, err := dev.Primary()
	require.NoError(t, err)
	return c
}

func (r *rig) stream(t testing.TB) *driver.Stream {
	t.Helper()
	s, err := r.ctx.NewStream(driver.StreamConfig{})
	require.NoError(t, err)
	return s
}

func (r *rig) event(t testing.TB) *driver.Event {
	t.Helper()
	e, err := r.ctx.NewEvent(driver.EventConfig{Timing: true})
	require.NoError(t, err)
	return e
}

func (r *rig) alloc(t testing.TB, n uint64) driver.Pointer {
	t.Helper()
	p, err := r.ctx.Alloc(n)
	require.NoError(t, err)
	return p
}

func (r *rig) load(t testing.TB, ptx string) *driver.Module {
	t.Helper()
	m, err := r.ctx.LoadModule([]byte(ptx), driver.LoadConfig{})
	require.NoError(t, err)
	return m
}

// launch prepares a kernel of kernels.
func (r *rig) launch(t testing.TB, name string, c driver.LaunchConfig, params ...unsafe.Pointer) *driver.Launch {
	t.Helper()
	if r.m == nil {
		r.m = r.load(t, kernels)
	}
	f, err := r.m.Function(name)
	require.NoError(t, err)
	if c.Grid == (driver.Dim3{}) {
		c.Grid = driver.Dim(1)
	}
	if c.Block == (driver.Dim3{}) {
		c.Block = driver.Dim(1)
	}
	l, err := f.Prepare(c, params)
	require.NoError(t, err)
	return l
}

func ptr[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// bytesOf is the memory of s.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// read copies n values from a device.
func read[T any](t testing.TB, c *driver.Context, p driver.Pointer, n int) []T {
	t.Helper()
	out := make([]T, n)
	require.NoError(t, c.CopyToHost(bytesOf(out), p))
	return out
}

func set[T any](t testing.TB, c *driver.Context, p driver.Pointer, values ...T) {
	t.Helper()
	require.NoError(t, c.CopyToDevice(p, bytesOf(values)))
}
