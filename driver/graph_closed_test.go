package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// A graph that was made ready does not run the kernels of a module that is closed, also if they came by SetKernel.
func TestGraphOfClosedModule(t *testing.T) {
	d, double := bind(t, drivertest.Config{})
	double.Kernel("count", countBody)
	c := open(t, d)
	s, p := stream(t, c), alloc(t, c, 4)
	first, second := load(t, c, portable(gpuKernels)), load(t, c, portable(gpuKernels))
	config := driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}
	one, two := prepare(t, function(t, first, "count"), config, ptr(&p)), prepare(t, function(t, second, "count"), config, ptr(&p))
	inner, err := c.NewGraph()
	require.NoError(t, err)
	n, err := inner.AddKernel(one)
	require.NoError(t, err)
	outer, err := c.NewGraph()
	require.NoError(t, err)
	_, err = outer.AddGraph(inner)
	require.NoError(t, err)
	x, err := inner.Instantiate()
	require.NoError(t, err)
	y, err := outer.Instantiate()
	require.NoError(t, err)
	require.NoError(t, x.SetKernel(n, two))
	require.NoError(t, x.Launch(s))
	require.NoError(t, second.Close())
	require.ErrorIs(t, x.Launch(s), driver.ErrClosed)
	require.NoError(t, y.Launch(s))
	require.NoError(t, first.Close())
	require.ErrorIs(t, y.Launch(s), driver.ErrClosed)
	for _, closer := range []interface{ Close() error }{x, y, inner, outer} {
		require.NoError(t, closer.Close())
	}
}

// A graph of one context that has a kernel of a module in another.
func TestGraphOfClosedModuleElsewhere(t *testing.T) {
	d, double := bind(t, drivertest.Config{Devices: make([]drivertest.Device, 2)})
	double.Kernel("count", countBody)
	c := open(t, d)
	dev, err := d.Device(1)
	require.NoError(t, err)
	there, err := dev.Primary()
	require.NoError(t, err)
	defer func() { require.NoError(t, there.Close()) }()
	s, p := stream(t, c), alloc(t, there, 4)
	m := load(t, there, portable(gpuKernels))
	g, err := c.NewGraph()
	require.NoError(t, err)
	_, err = g.In(there).AddKernel(prepare(t, function(t, m, "count"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, ptr(&p)))
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	for range 3 {
		require.NoError(t, x.Launch(s))
	}
	require.NoError(t, m.Close())
	require.ErrorIs(t, x.Launch(s), driver.ErrClosed)
	require.NoError(t, x.Close())
	require.NoError(t, g.Close())
}
