package driver_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// countBody is the kernel count in Go.
func countBody(l drivertest.Launch) driver.Result {
	p := drivertest.Slice[uint32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), 1)
	p[0] += l.Grid[0] * l.Block[0]
	return driver.Success
}

func TestGraphs(t *testing.T) {
	for _, v := range []string{"10.2", "11.8", "12.4"} {
		t.Run(v, func(t *testing.T) {
			d, double := bind(t, drivertest.Config{Version: version(t, v)})
			double.Kernel("count", countBody)
			testGraphs(t, d, open(t, d))
		})
	}
}

// testGraphs runs on a double and on a GPU.
func testGraphs(t *testing.T, d *driver.Driver, c *driver.Context) {
	s := stream(t, c)
	f := function(t, load(t, c, portable(gpuKernels)), "count")
	p, q := alloc(t, c, 4), alloc(t, c, 4)
	config := driver.LaunchConfig{Grid: driver.Dim(2), Block: driver.Dim(32)}
	once, twice := prepare(t, f, config, ptr(&p)), prepare(t, f, driver.LaunchConfig{Grid: driver.Dim(4), Block: driver.Dim(32)}, ptr(&p))
	ran := func(x *driver.ExecGraph) uint32 {
		t.Helper()
		require.NoError(t, x.Launch(s))
		require.NoError(t, s.Synchronize())
		return read[uint32](t, c, q, 1)[0]
	}

	g, err := c.NewGraph()
	require.NoError(t, err)
	clear, err := g.AddMemset(p, 5, 4, 1)
	require.NoError(t, err)
	kernel, err := g.AddKernel(once, clear)
	require.NoError(t, err)
	join, err := g.AddEmpty(kernel, clear)
	require.NoError(t, err)
	_, err = g.AddCopy(q, p, 4, join)
	require.NoError(t, err)
	_, err = g.AddEmpty(driver.Node{})
	require.Error(t, err)
	nodes, err := g.Nodes()
	require.NoError(t, err)
	require.Len(t, nodes, 4)
	kind, err := g.Kind(kernel)
	require.NoError(t, err)
	require.Equal(t, driver.KernelNode, kind)

	x, err := g.Instantiate()
	require.NoError(t, err)
	if err := x.Upload(s); d.Has("cuGraphUpload") {
		require.NoError(t, err)
	} else {
		require.ErrorContains(t, err, "cuGraphUpload")
		require.ErrorIs(t, err, errors.ErrUnsupported)
	}
	require.Equal(t, uint32(5+64), ran(x))
	require.NoError(t, x.SetKernel(kernel, twice))
	require.Equal(t, uint32(5+128), ran(x))
	require.NoError(t, x.Update(g))
	require.Equal(t, uint32(5+64), ran(x))
	if d.Has("cuGraphNodeSetEnabled") {
		require.NoError(t, x.SetEnabled(kernel, false))
		require.Equal(t, uint32(5), ran(x))
		require.NoError(t, x.SetEnabled(kernel, true))
	}

	require.NoError(t, s.BeginCapture())
	require.NoError(t, s.Memset32(p, 7, 1))
	require.NoError(t, s.Memset32(p, 1, 1))
	require.NoError(t, once.Enqueue(s))
	require.NoError(t, twice.Enqueue(s))
	require.NoError(t, s.CopyDevice(q, p, 4))
	captured, err := s.EndCapture()
	require.NoError(t, err)
	y, err := captured.Instantiate()
	require.NoError(t, err)
	require.Equal(t, uint32(1+64+128), ran(y))
	require.Equal(t, uint32(1+64+128), ran(y))
	err = x.Update(captured)
	require.ErrorIs(t, err, driver.GraphExecUpdateFailure)
	require.ErrorContains(t, err, "update graph: the graph has other nodes or dependencies: ")

	outer, err := c.NewGraph()
	require.NoError(t, err)
	_, err = outer.AddGraph(captured)
	require.NoError(t, err)
	z, err := outer.Instantiate()
	require.NoError(t, err)
	require.Equal(t, uint32(1+64+128), ran(z))
	for _, closer := range []interface{ Close() error }{g, captured, outer, x, y, z} {
		require.NoError(t, closer.Close())
		require.NoError(t, closer.Close())
	}
	require.ErrorIs(t, x.Launch(s), driver.ErrClosed)
}
