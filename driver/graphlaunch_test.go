package driver_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// readyGraph is one kernel, made ready.
func readyGraph(t *testing.T, c *driver.Context, p driver.Pointer) (*driver.ExecGraph, driver.Node, *driver.Launch) {
	t.Helper()
	l := prepare(t, function(t, load(t, c, portable(gpuKernels)), "count"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, ptr(&p))
	g, err := c.NewGraph()
	require.NoError(t, err)
	n, err := g.AddKernel(l)
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	return x, n, l
}

// The call that a graph keeps for its launches is aimed anew each time, also where
// the driver wants a context for it, and not made after a fault.
func TestGraphOnManyStreams(t *testing.T) {
	for name, config := range map[string]drivertest.Config{"any context": {}, "its own": {NeedsContext: true}} {
		t.Run(name, func(t *testing.T) {
			d, double := bind(t, config)
			double.Kernel("count", countBody)
			c := open(t, d)
			s, other := stream(t, c), stream(t, c)
			x, _, _ := readyGraph(t, c, alloc(t, c, 4))
			for _, s := range []*driver.Stream{s, other, s, other} {
				double.Forget()
				require.NoError(t, x.Launch(s))
				calls := double.Calls("cuGraphLaunch")
				last := calls[len(calls)-1]
				require.Equal(t, driver.Success, last.Result)
				require.Equal(t, []uintptr{x.Handle(), s.Handle()}, last.Args)
			}
			double.Fail("cuGraphLaunch", driver.InvalidValue, 1)
			require.EqualError(t, x.Launch(s), "driver: launch graph: invalid value (cuGraphLaunch: CUDA_ERROR_INVALID_VALUE)")
			require.NoError(t, other.Close())
			require.ErrorIs(t, x.Launch(other), driver.ErrClosed)
			require.NoError(t, x.Launch(s))

			double.Break(driver.IllegalAddress)
			err := x.Launch(s)
			require.ErrorIs(t, err, driver.IllegalAddress)
			var e *driver.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, []string{"graph {count}"}, e.Fault.Running, "by the run before")
			double.Forget()
			require.ErrorIs(t, x.Launch(s), driver.IllegalAddress)
			require.Zero(t, double.Called("cuGraphLaunch"))
		})
	}
}

// A launch that finds the GPU lost is none of those that may have lost it.
func TestGraphThatDidNotStart(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	c := open(t, d)
	s := stream(t, c)
	x, _, _ := readyGraph(t, c, alloc(t, c, 4))
	double.Break(driver.IllegalAddress)
	var e *driver.Error
	require.ErrorAs(t, x.Launch(s), &e)
	require.Empty(t, e.Fault.Running)
}

// Launches and changes of one graph take turns, and its Close and that of a stream
// wait for those under way.
func TestGraphTakesTurns(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Kernel("count", countBody)
	c := open(t, d)
	x, n, l := readyGraph(t, c, alloc(t, c, 4))
	ended := func(err error) bool { return errors.Is(err, driver.ErrClosed) }
	var all sync.WaitGroup
	var went sync.WaitGroup
	for i := range 4 {
		s := stream(t, c)
		went.Add(1)
		all.Go(func() {
			for j := 0; ; j++ {
				err := x.Launch(s)
				if j == 100 {
					went.Done()
				}
				if ended(err) {
					assert.Greater(t, j, 100)
					return
				}
				assert.NoError(t, err)
			}
		})
		all.Go(func() {
			for {
				if err := x.SetKernel(n, l); ended(err) {
					return
				}
			}
		})
		all.Go(func() {
			went.Wait()
			if i%2 == 0 {
				assert.NoError(t, s.Close())
			} else {
				assert.NoError(t, x.Close())
			}
		})
	}
	all.Wait()
}

// Whichever of the contexts that a graph has work in is closed first closes it.
func TestGraphOfSeveralContexts(t *testing.T) {
	d, _ := bind(t, drivertest.Config{Devices: make([]drivertest.Device, 2)})
	for _, second := range []bool{false, true} {
		var ctx [2]*driver.Context
		for i := range ctx {
			dev, err := d.Device(i)
			require.NoError(t, err)
			ctx[i], err = dev.Primary()
			require.NoError(t, err)
		}
		s := stream(t, ctx[0])
		p, q := alloc(t, ctx[0], 4), alloc(t, ctx[1], 4)
		g, err := ctx[0].NewGraph()
		require.NoError(t, err)
		n, err := g.AddMemset(p, 5, 4, 1)
		require.NoError(t, err)
		n, err = g.In(ctx[1]).AddMemset(q, 6, 4, 1, n)
		require.NoError(t, err)
		_, err = g.AddCopy(p, q, 4, n)
		require.NoError(t, err)
		nodes, err := g.Nodes()
		require.NoError(t, err)
		require.Len(t, nodes, 3)
		x, err := g.Instantiate()
		require.NoError(t, err)
		require.NoError(t, x.Launch(s))
		require.NoError(t, s.Synchronize())
		require.Equal(t, uint32(6), read[uint32](t, ctx[0], p, 1)[0])

		first, last := ctx[0], ctx[1]
		if second {
			first, last = last, first
		}
		require.NoError(t, first.Close())
		require.ErrorIs(t, x.Launch(s), driver.ErrClosed)
		_, err = g.AddEmpty()
		require.ErrorIs(t, err, driver.ErrClosed)
		require.NoError(t, g.Close())
		require.NoError(t, last.Close())
		require.Equal(t, driver.Counts{}, d.Counts())
	}
}
