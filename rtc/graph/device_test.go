package graph_test

import (
	"context"
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// several opens simulated devices of one driver.
func several(t testing.TB, n int, c sim.Config) []*rtc.Device {
	t.Helper()
	c.Devices = make([]sim.Device, n)
	s, err := sim.New(c)
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	var devs []*rtc.Device
	for i := range n {
		dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: i})
		require.NoError(t, err)
		devs = append(devs, dev)
	}
	t.Cleanup(func() {
		for _, dev := range devs {
			assert.NoError(t, dev.Close())
		}
		assert.Equal(t, driver.Counts{}, drv.Counts(), "what is left of the driver's")
	})
	return devs
}

// TestRunAcross is TestRun on two and three devices.
func TestRunAcross(t *testing.T) {
	programs := 120
	if testing.Short() {
		programs = 20
	}
	for seed := range uint64(programs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			play(t, several(t, 2+int(seed%2), sim.Config{Scheduler: sim.Worst, Seed: seed}), seed)
		})
	}
}

// TestEveryWaitAcrossIsNeeded is TestEveryWaitIsNeeded on two devices.
func TestEveryWaitAcrossIsNeeded(t *testing.T) {
	waits := everyWaitIsNeeded(t, 25, func(trial uint64) []*rtc.Device {
		return several(t, 2, sim.Config{Scheduler: sim.Worst, Seed: trial})
	})
	require.Greater(t, waits, 30)
}

// TestDevices: what a graph of two devices looks like, and what it refuses.
func TestDevices(t *testing.T) { twoDevices(t, several(t, 2, sim.Config{})) }

func twoDevices(t *testing.T, devs []*rtc.Device) {
	other := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, b, there := filled(t, devs[0], 1), filled(t, devs[0], 2), filled(t, devs[1], 3)
	g := graph.New(devs[0])
	_, err := g.Kernel(mix, one, block, 0, a, a, b, 0) // b = 2*3+5+1
	require.NoError(t, err)
	_, err = g.Copy(there, b)
	require.NoError(t, err)
	n, err := g.KernelOn(devs[1], mix, one, block, 0, there, there, there, 0) // 9*12
	require.NoError(t, err)
	_, err = g.Copy(a, there)
	require.NoError(t, err)
	p, err := g.Plan()
	require.NoError(t, err)
	require.Equal(t, []graph.Lane{{Tasks: []int{0, 1}}, {Device: 1, Tasks: []int{2, 3}}}, p.Streams)
	require.Equal(t, []graph.Wait{{From: 1, To: 2}}, p.Waits)
	require.Contains(t, p.Mermaid(), "stream 1, device 1")

	trace, err := g.Trace(context.Background())
	require.NoError(t, err)
	require.Equal(t, uint32(108), first(t, a))
	require.Zero(t, trace.Plan.Start[0])
	require.Greater(t, trace.Plan.End[3], trace.Plan.Start[2])

	x, err := g.Instantiate()
	require.NoError(t, err)
	require.True(t, x.Native())
	require.NoError(t, n.SetArg(3, 1))
	require.NoError(t, x.Launch(devs[0].Stream())) // b = 12*3+108*5+108 = 684
	require.Equal(t, uint32(684*8+684^1), first(t, a))

	_, err = g.KernelOn(devs[1], mix, one, block, 0, a, a, there, 0)
	require.ErrorContains(t, err, "graph: add kernel mix: argument 0 (a): uint32 array [32] is on device 0")
	require.ErrorContains(t, err, "Array.CopyTo makes a copy there")
	_, err = g.KernelOn(other, mix, one, block, 0, a, a, there, 0)
	require.EqualError(t, err, "graph: add kernel: to be launched on device 0, which is of another driver than device 0, the graph's")
	_, err = g.KernelOn(nil, mix, one, block, 0, a, a, there, 0)
	require.EqualError(t, err, "graph: add kernel: the device is nil")
	require.ErrorContains(t, x.Launch(devs[1].Stream()), "graph: launch: it is for device 0, the stream is of device 1")

	require.NoError(t, devs[1].Close()) // and with it the CUDA graph that has work there
	require.ErrorIs(t, x.Launch(devs[0].Stream()), rtc.ErrClosed)
	require.ErrorIs(t, g.Run(context.Background()), rtc.ErrClosed)
	require.NoError(t, g.Close())
}

// TestDevicesThatAreClosed: that one can't be used any more is told before whose it
// is.
func TestDevicesThatAreClosed(t *testing.T) {
	mine, other, same := simulated(t, sim.Config{}), simulated(t, sim.Config{}), several(t, 2, sim.Config{})
	mix, _ := kernels(t)
	a := filled(t, mine, 1)
	g, h := graph.New(mine), graph.New(same[0])
	add := func(g *graph.Graph, dev *rtc.Device) error {
		_, err := g.KernelOn(dev, mix, one, block, 0, a, a, a, 0)
		return err
	}
	require.NoError(t, other.Close())
	require.NoError(t, same[1].Close())
	for _, err := range []error{add(g, other), add(g, same[1]), add(h, same[1]), add(h, other)} {
		require.ErrorIs(t, err, rtc.ErrClosed)
	}
	require.EqualError(t, add(g, other), "graph: add kernel: device 0 is closed")
	require.EqualError(t, add(g, &rtc.Device{}), "graph: add kernel: the Device was not made by this package")
	require.EqualError(t, add(graph.New(&rtc.Device{}), mine), "graph: add kernel: the graph's device: the Device was not made by this package")
	require.NoError(t, mine.Close())
	require.EqualError(t, add(g, same[0]), "graph: add kernel: the graph's device: device 0 is closed")
}

// An apart is a driver whose devices don't reach each other's memory, or one that
// only has no such copies in its graphs.
type apart struct {
	*sim.Driver
	inGraphs bool
}

func (a *apart) Lookup(symbol string) (dl.Func, error) {
	f, err := a.Driver.Lookup(symbol)
	if a.inGraphs {
		if symbol == "cuGraphAddMemcpyNode" {
			f.Go = func([]uintptr) uintptr { return uintptr(driver.NotSupported) }
		}
		return f, err
	}
	switch symbol {
	case "cuDeviceCanAccessPeer":
		inner := f.Go
		f.Go = func(args []uintptr) uintptr {
			r := inner(args)
			**(**int32)(unsafe.Pointer(&args[0])) = 0 // the word is the address of the answer
			return r
		}
	case "cuCtxEnablePeerAccess":
		f.Go = func([]uintptr) uintptr { return uintptr(driver.PeerAccessUnsupported) }
	}
	return f, err
}

// TestDevicesApart: where devices don't reach each other's memory a graph with
// copies between them is no CUDA graph, and runs all the same.
func TestDevicesApart(t *testing.T) {
	for name, inGraphs := range map[string]bool{"devices": false, "graphs": true} {
		t.Run(name, func(t *testing.T) { devicesApart(t, inGraphs) })
	}
}

func devicesApart(t *testing.T, inGraphs bool) {
	s, err := sim.New(sim.Config{Devices: make([]sim.Device, 2)})
	require.NoError(t, err)
	drv, err := driver.Bind(&apart{s, inGraphs})
	require.NoError(t, err)
	here, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	there, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: 1})
	require.NoError(t, err)
	mix, _ := kernels(t)
	a, b := filled(t, here, 1), filled(t, there, 2)
	g := graph.New(here)
	n, err := g.KernelOn(there, mix, one, block, 0, b, b, b, 0)
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.True(t, x.Native(), "without a copy")
	_, err = g.Copy(a, b)
	require.NoError(t, err)
	y, err := g.Instantiate()
	require.NoError(t, err)
	require.False(t, y.Native())
	require.NoError(t, x.Launch(here.Stream()))
	require.NoError(t, n.SetArg(3, 1))
	require.NoError(t, y.Launch(here.Stream()))
	require.Equal(t, uint32(18*8+18^1), first(t, a))
	require.NoError(t, g.Close())
	require.NoError(t, there.Close())
	require.NoError(t, here.Close())
}

// TestFillsAcross: fills on another device, of both kinds.
func TestFillsAcross(t *testing.T) {
	devs := several(t, 2, sim.Config{})
	a, err := rtc.Zeros[int64](devs[1], 5)
	require.NoError(t, err)
	b, err := rtc.Zeros[int64](devs[1], 5)
	require.NoError(t, err)
	g := graph.New(devs[0])
	_, err = graph.FillWith(g, a, int64(-1))
	require.NoError(t, err)
	_, err = graph.FillWith(g, b, int64(1<<40+5))
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.True(t, x.Native())
	for _, run := range []func() error{func() error { return g.Run(context.Background()) }, func() error { return x.Launch(devs[0].Stream()) }} {
		require.NoError(t, rtc.CopyFromSlice(a, make([]int64, 5)))
		require.NoError(t, rtc.CopyFromSlice(b, make([]int64, 5)))
		require.NoError(t, run())
		for v, array := range map[int64]*rtc.Array{-1: a, 1<<40 + 5: b} {
			out, err := rtc.ToSlice[int64](array)
			require.NoError(t, err)
			require.Equal(t, []int64{v, v, v, v, v}, out)
		}
	}
	require.NoError(t, g.Close())
}
