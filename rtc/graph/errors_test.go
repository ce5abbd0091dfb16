package graph_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// TestNothing: what is nil, and what was not made by this package, says so and
// does not crash.
func TestNothing(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a := filled(t, dev, 1)
	graphs := map[string]*graph.Graph{
		"the graph is nil":                    nil,
		"the Graph was not made by New":       {},
		"the graph was made without a device": graph.New(nil),
	}
	for text, g := range graphs {
		for what, f := range map[string]func() error{
			"add kernel":        func() error { _, err := g.Kernel(mix, one, block, 0, a, a, a, 0); return err },
			"add copy":          func() error { _, err := g.Copy(a, a); return err },
			"add fill":          func() error { _, err := graph.FillWith(g, a, uint32(1)); return err },
			"add host function": func() error { _, err := g.Host(func() {}, nil, nil); return err },
			"add event":         func() error { _, err := g.Event(); return err },
			"add empty":         func() error { _, err := g.Empty(); return err },
			"label":             func() error { return g.Label(a, "a") },
			"plan":              func() error { _, err := g.Plan(); return err },
			"run":               func() error { return g.Run(context.Background()) },
			"instantiate":       func() error { _, err := g.Instantiate(); return err },
			"trace":             func() error { _, err := g.Trace(context.Background()); return err },
		} {
			assert.EqualError(t, f(), "graph: "+what+": "+text)
		}
		assert.EqualError(t, g.Enqueue(dev.Stream()), "graph: run: "+text)
		assert.Nil(t, g.Device())
		assert.Equal(t, "no graph", g.String())
		assert.Empty(t, g.Nodes())
		assert.NoError(t, g.Close())
	}
	for text, x := range map[string]*graph.Exec{"the Exec is nil": nil, "the Exec was not made by Instantiate": {}} {
		assert.EqualError(t, x.Launch(dev.Stream()), "graph: launch: "+text)
		assert.False(t, x.Native())
		assert.NoError(t, x.Close())
		assert.Equal(t, "no graph", x.String())
	}
	g := graph.New(dev)
	event, err := g.Event()
	require.NoError(t, err)
	for text, n := range map[string]*graph.Node{"the node is nil": nil, "the Node was not made by this package": {}} {
		assert.Same(t, n, n.Set(graph.NodeConfig{Name: "n"}).After(event))
		assert.EqualError(t, n.SetArg(0, 1), "graph: set argument: "+text)
		assert.EqualError(t, n.Synchronize(context.Background()), "graph: wait for an event: "+text)
		_, err := n.Since(event)
		assert.EqualError(t, err, "graph: time between events: "+text)
		assert.Equal(t, graph.Empty, n.Kind())
		assert.Equal(t, -1, n.Number())
		assert.Empty(t, n.Name())
		event.After(n)
		_, err = g.Plan()
		assert.EqualError(t, err, "graph: plan: event: it is to come after a node: "+text)
	}
	_, err = g.Kernel(nil, one, block, 0)
	assert.EqualError(t, err, "graph: add kernel: the kernel is nil")
	assert.EqualError(t, g.Label(nil, "x"), "graph: label: an array or host buffer is nil")
	g = graph.New(dev)
	assert.EqualError(t, g.Enqueue(nil), "graph: run: the stream is nil")
	x, err := g.Instantiate()
	require.NoError(t, err)
	assert.EqualError(t, x.Launch(nil), "graph: launch: the stream is nil")
	assert.Equal(t, []string{"graph of 0 nodes on device 0", "CUDA graph of 0 nodes"}, []string{g.String(), x.String()})
}

// TestCloseAfterFault: the fault was told; that nothing can be given back is not told again.
func TestCloseAfterFault(t *testing.T) {
	s, err := sim.New(sim.Config{Check: sim.Check{Uninitialised: true}})
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	mix, _ := kernels(t)
	a, err := rtc.NewArray(dev, rtc.Uint32, width)
	require.NoError(t, err)
	b := filled(t, dev, 1)
	g := graph.New(dev)
	for range 3 { // beside each other
		_, err = g.Kernel(mix, one, block, 0, a, b, filled(t, dev, 2), 0)
		require.NoError(t, err)
	}
	x, err := g.Instantiate()
	require.NoError(t, err)
	err = g.Run(context.Background())
	require.ErrorContains(t, err, "graph: run: ")
	require.ErrorContains(t, err, "mix")
	require.ErrorContains(t, x.Launch(dev.Stream()), "mix")
	require.NoError(t, g.Close())
	require.ErrorContains(t, dev.Close(), "mix")
}

// TestHostPanics: a function of the host that panics, or ends its goroutine, is an
// error of the run, over streams and as a CUDA graph, and what comes after runs.
func TestHostPanics(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, b := filled(t, dev, 1), filled(t, dev, 0)
	boom := errors.New("boom")
	var do func()
	g := graph.New(dev)
	n, err := g.Host(func() { do() }, nil, []rtc.Copyable{a})
	require.NoError(t, err)
	n.Set(graph.NodeConfig{Name: "read the file"})
	_, err = g.Kernel(mix, one, block, 0, a, a, b, 0)
	require.NoError(t, err)
	end, err := g.Event()
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.True(t, x.Native())

	wait := func() error { return dev.Stream().Synchronize(context.Background()) }
	for text, f := range map[string]func(){
		"read the file panicked: boom":                              func() { panic(boom) },
		"read the file ended its goroutine, as runtime.Goexit does": runtime.Goexit,
	} {
		do = f
		require.EqualError(t, g.Run(context.Background()), "graph: run: "+text)
		_, err = g.Trace(context.Background())
		require.EqualError(t, err, "graph: trace: "+text)

		require.NoError(t, g.Enqueue(dev.Stream()))
		require.NoError(t, wait())
		require.EqualError(t, g.Enqueue(dev.Stream()), "graph: run: a run before: "+text)
		require.NoError(t, x.Launch(dev.Stream()))
		require.NoError(t, wait())
		require.EqualError(t, x.Launch(dev.Stream()), "graph: launch: a run before: "+text)
		require.NoError(t, x.Launch(dev.Stream()))
		require.NoError(t, wait())
		require.EqualError(t, end.Synchronize(context.Background()), "graph: wait for an event: "+text)
	}
	do = func() { panic(boom) }
	before := first(t, b)
	err = g.Run(context.Background())
	require.ErrorIs(t, err, boom)
	var p *graph.PanicError
	require.ErrorAs(t, err, &p)
	require.Equal(t, "read the file", p.Node)
	require.Contains(t, string(p.Stack), "TestHostPanics")
	require.Equal(t, before*3+5+1, first(t, b))

	do = func() {}
	require.NoError(t, g.Run(context.Background()), "it is told once")
	do = func() { panic(boom) }
	require.NoError(t, x.Launch(dev.Stream()))
	require.EqualError(t, g.Close(), "graph: close: read the file panicked: boom")
	require.NoError(t, g.Close())
}
