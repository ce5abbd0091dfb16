package graph_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// A counting is a driver that counts calls by name.
type counting struct {
	*sim.Driver
	calls map[string]int
}

func (c *counting) Lookup(symbol string) (dl.Func, error) {
	f, err := c.Driver.Lookup(symbol)
	if err != nil || f.Go == nil {
		return f, err
	}
	inner := f.Go
	f.Go = func(args []uintptr) uintptr {
		c.calls[symbol]++
		return inner(args)
	}
	return f, nil
}

func counted(t *testing.T, c sim.Config) (*rtc.Device, map[string]int) {
	s, err := sim.New(c)
	require.NoError(t, err)
	d := &counting{s, map[string]int{}}
	drv, err := driver.Bind(d)
	require.NoError(t, err)
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dev.Close()) })
	return dev, d.calls
}

// filled is an array of one value.
func filled(t testing.TB, dev *rtc.Device, v uint32) *rtc.Array {
	t.Helper()
	a, err := rtc.Full(dev, v, width)
	require.NoError(t, err)
	return a
}

func first(t testing.TB, a *rtc.Array) uint32 {
	t.Helper()
	out, err := rtc.ToSlice[uint32](a)
	require.NoError(t, err)
	return out[0]
}

// TestSetArg: an argument changes in place, a number and an array, without the
// graph being instantiated anew.
func TestSetArg(t *testing.T) {
	dev, calls := counted(t, sim.Config{Workers: 1})
	mix, _ := kernels(t)
	a, b, c, d := filled(t, dev, 1), filled(t, dev, 2), filled(t, dev, 3), filled(t, dev, 4)
	g := graph.New(dev)
	defer g.Close()
	n, err := g.Kernel(mix, one, block, 0, a, b, c, 0)
	require.NoError(t, err)
	m, err := g.Kernel(mix, one, block, 0, a, c, b, 0)
	require.NoError(t, err)
	_, err = g.Copy(filled(t, dev, 0), c)
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.NoError(t, x.Launch(dev.Stream()))
	require.Equal(t, uint32(3*3+5+2), first(t, c)) // 16
	require.Equal(t, uint32(2*3+5+16), first(t, b))

	require.NoError(t, n.SetArg(3, 7))
	require.NoError(t, x.Launch(dev.Stream()))
	require.Equal(t, uint32(16*3+5+(27^7)), first(t, c))

	// Another array that is only read.
	before := first(t, c)
	bNow := first(t, b)
	require.NoError(t, n.SetArg(0, d))
	require.NoError(t, x.Launch(dev.Stream()))
	require.Equal(t, before*3+4*5+(bNow^7), first(t, c))

	// What would be wrong for n, or for what was instantiated, changes nothing.
	require.ErrorContains(t, n.SetArg(2, d), "instantiate the graph anew")
	require.ErrorContains(t, n.SetArg(3, "seven"), "graph: set argument of mix: ")
	require.Error(t, n.SetArg(9, 1))
	before, bNow = first(t, c), first(t, b)
	require.NoError(t, x.Launch(dev.Stream()))
	require.Equal(t, before*3+4*5+(bNow^7), first(t, c))
	before, bNow = first(t, c), first(t, b)
	require.NoError(t, g.Run(context.Background()))
	require.Equal(t, before*3+4*5+(bNow^7), first(t, c))
	require.Equal(t, uint32(4), first(t, d))

	total := 0
	for name, n := range calls {
		if len(name) > 18 && name[:18] == "cuGraphInstantiate" {
			total += n
		}
	}
	require.Equal(t, 1, total)
	require.Greater(t, calls["cuGraphExecKernelNodeSetParams_v2"], 1)

	// Closed, it holds nothing back: then the array may be set.
	require.NoError(t, x.Close())
	require.NoError(t, n.SetArg(2, d))
	require.NoError(t, g.Run(context.Background()))
	require.NotEqual(t, uint32(4), first(t, d))
	e, err := g.Empty()
	require.NoError(t, err)
	require.EqualError(t, e.SetArg(0, 1), "graph: set argument of empty: it is of kind empty, which has none")
	require.Equal(t, "mix #2", m.Name())
	require.EqualError(t, x.Launch(dev.Stream()), "graph: launch: the Exec is closed")
	require.ErrorIs(t, x.Launch(dev.Stream()), rtc.ErrClosed)
	require.NoError(t, g.Close())
	require.EqualError(t, x.Launch(dev.Stream()), "graph: launch: the graph is closed")
}

// TestSetArrayIsOrdered: what the new array is used for elsewhere counts from
// then on.
func TestSetArrayIsOrdered(t *testing.T) {
	for seed := range uint64(20) {
		dev := simulated(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
		mix, _ := kernels(t)
		a, c, d := filled(t, dev, 1), filled(t, dev, 3), filled(t, dev, 4)
		other, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		g := graph.New(dev)
		n, err := g.Kernel(mix, one, block, 0, a, a, c, 0)
		require.NoError(t, err)
		x, err := g.Instantiate()
		require.NoError(t, err)
		require.NoError(t, n.SetArg(0, d))
		require.NoError(t, mix.Enqueue(other, one, block, 0, a, a, d, 0)) // d = 4*3+5+1
		require.NoError(t, x.Launch(dev.Stream()))                        // c = 3*3+18*5+1
		require.NoError(t, mix.Enqueue(other, one, block, 0, a, a, d, 0))
		require.Equal(t, uint32(100), first(t, c), "seed %d", seed)
		require.Equal(t, uint32(60), first(t, d))
	}
}

// TestOldDrivers: below CUDA 10 there are no CUDA graphs, and below 11.1 none
// with events: runs go over streams then, of what was there when it was
// instantiated.
func TestOldDrivers(t *testing.T) {
	for _, v := range []struct {
		major, minor int
		native       bool
	}{{9, 0, false}, {11, 0, false}, {11, 1, true}, {12, 4, true}} {
		dev := simulated(t, sim.Config{Version: dl.Version{Major: v.major, Minor: v.minor}, Devices: []sim.Device{{Major: 6}}})
		mix, _ := kernels(t)
		a, b, c := filled(t, dev, 1), filled(t, dev, 2), filled(t, dev, 3)
		g := graph.New(dev)
		n, err := g.Kernel(mix, one, block, 0, a, b, c, 0)
		require.NoError(t, err)
		_, err = g.Kernel(mix, one, block, 0, b, b, a, 0)
		require.NoError(t, err)
		e, err := g.Event()
		require.NoError(t, err)
		e.After(n)
		x, err := g.Instantiate()
		require.NoError(t, err)
		require.Equal(t, v.native, x.Native(), "CUDA %d.%d", v.major, v.minor)
		_, err = graph.FillWith(g, b, uint32(9)) // too late for x
		require.NoError(t, err)
		require.NoError(t, n.SetArg(3, 1))
		require.NoError(t, x.Launch(dev.Stream()))
		require.Equal(t, uint32(3*3+5+(2^1)), first(t, c))
		require.Equal(t, uint32(2), first(t, b))
		require.NoError(t, e.Synchronize(context.Background()))
		require.NoError(t, x.Close())
	}
}
