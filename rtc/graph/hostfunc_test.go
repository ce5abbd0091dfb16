package graph_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// With one stream nothing is tracked, and the copy itself would wait; what a host
// function could not close is closed later.
func TestHostFuncOneStream(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, spare := filled(t, dev, 1), filled(t, dev, 2)
	module, err := rtc.LoadModule(mixPTX, rtc.ModuleConfig{Name: "mix.ptx"})
	require.NoError(t, err)
	f, err := module.Kernel("mix", mixSignature)
	require.NoError(t, err)
	require.NoError(t, f.Launch(dev, one, block, 0, a, a, spare, 0))
	calls := []func() error{
		func() error { _, err := rtc.ToSlice[uint32](a); return err },
		func() error { return rtc.CopyFromSlice(a, make([]uint32, a.Len())) },
		spare.Close, module.Close, dev.Close,
	}
	g := graph.New(dev)
	defer g.Close()
	var got []error
	_, err = g.Kernel(mix, one, block, 0, a, a, a, 0)
	require.NoError(t, err)
	_, err = g.Host(func() {
		for _, call := range calls {
			got = append(got, call())
		}
	}, nil, nil)
	require.NoError(t, err)
	ran := make(chan error, 1)
	go func() { ran <- g.Run(context.Background()) }()
	select {
	case err := <-ran:
		require.NoError(t, err)
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
	require.Len(t, got, len(calls))
	for i, err := range got {
		require.ErrorIs(t, err, rtc.ErrInHostFunc, "call %d", i)
	}
	require.ErrorContains(t, got[2], "rtc: close uint32 array")
	_, err = rtc.ToSlice[uint32](spare)
	require.NoError(t, err)
	require.NoError(t, f.Launch(dev, one, block, 0, a, a, a, 0))
	require.NoError(t, spare.Close())
	require.NoError(t, module.Close())
	_, err = rtc.ToSlice[uint32](spare)
	require.ErrorIs(t, err, rtc.ErrClosed)
}

// A host function that waits for what waits for it is told so, and nothing hangs; others wait meanwhile as ever.
func TestHostFuncThatWaits(t *testing.T) {
	dev := simulated(t, sim.Config{})
	g := graph.New(dev)
	defer g.Close()
	mix, _ := kernels(t)
	a, b := filled(t, dev, 1), filled(t, dev, 2)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var x *graph.Exec
	var n *graph.Node
	calls := map[string]func() error{
		"device":          func() error { return dev.Synchronize(context.Background()) },
		"stream":          func() error { return dev.Stream().Synchronize(context.Background()) },
		"stream, context": func() error { return dev.Stream().Synchronize(ctx) },
		"event": func() error {
			e, err := dev.Stream().Record()
			if err != nil {
				return err
			}
			return e.Synchronize(context.Background())
		},
		"launch":    func() error { return mix.Launch(dev, one, block, 0, a, a, b, 0) },
		"read":      func() error { _, err := rtc.ToSlice[uint32](b); return err },
		"run":       func() error { return g.Run(context.Background()) },
		"enqueue":   func() error { return g.Enqueue(dev.Stream()) },
		"plan":      func() error { _, err := g.Plan(); return err },
		"argument":  func() error { return n.SetArg(3, 1) },
		"close":     func() error { return x.Close() },
		"close all": func() error { return g.Close() },
	}
	got := map[string]error{}
	began, end := make(chan struct{}), make(chan struct{})
	_, err := g.Host(func() {
		if began != nil {
			close(began)
			<-end
			began = nil
		}
		for name, call := range calls {
			got[name] = call()
		}
	}, nil, nil)
	require.NoError(t, err)
	n, err = g.Kernel(mix, one, block, 0, a, a, b, 0)
	require.NoError(t, err)
	x, err = g.Instantiate()
	require.NoError(t, err)

	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	ran := make(chan error, 1)
	go func() { ran <- g.Run(context.Background()) }()
	<-began
	require.NoError(t, other.Synchronize(context.Background()))
	close(end)
	finish := func(what string, done <-chan error) {
		select {
		case err := <-done:
			require.NoError(t, err)
		case <-time.After(20 * time.Second):
			t.Fatalf("%s hangs; the host function got as far as %q", what, slices.Collect(maps.Keys(got)))
		}
		require.Len(t, got, len(calls))
		for name, err := range got {
			require.ErrorIs(t, err, rtc.ErrInHostFunc, "%s: %s", what, name)
		}
	}
	finish("run", ran)
	clear(got)
	require.NoError(t, x.Launch(dev.Stream()))
	go func() { ran <- dev.Synchronize(context.Background()) }()
	finish("launch", ran)
	require.NoError(t, dev.Synchronize(context.Background()))
}

// What a host function may ask of its graph it is told, whoever waits for the run with the graph in his hands.
func TestHostFuncAsksItsGraph(t *testing.T) {
	mix, _ := kernels(t)
	for name, run := range map[string]func(g *graph.Graph, x *graph.Exec, began <-chan struct{}) error{
		"run": func(g *graph.Graph, _ *graph.Exec, _ <-chan struct{}) error { return g.Run(context.Background()) },
		"trace": func(g *graph.Graph, _ *graph.Exec, _ <-chan struct{}) error {
			_, err := g.Trace(context.Background())
			return err
		},
		"close": func(g *graph.Graph, _ *graph.Exec, began <-chan struct{}) error {
			err := g.Enqueue(g.Device().Stream())
			<-began
			return errors.Join(err, g.Close())
		},
		"close Exec": func(g *graph.Graph, x *graph.Exec, began <-chan struct{}) error {
			err := x.Launch(g.Device().Stream())
			<-began
			return errors.Join(err, x.Close())
		},
		"event": func(g *graph.Graph, _ *graph.Exec, _ <-chan struct{}) error {
			err := g.Enqueue(g.Device().Stream())
			return errors.Join(err, g.Nodes()[2].Synchronize(context.Background()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dev := simulated(t, sim.Config{})
			a := filled(t, dev, 1)
			g := graph.New(dev)
			began := make(chan struct{}, 1)
			var n *graph.Node
			var nodes int
			var said string
			var refused, waited error
			_, err := g.Host(func() {
				began <- struct{}{}
				time.Sleep(10 * time.Millisecond) // so that it is being waited for
				n.Set(graph.NodeConfig{Name: "mixed"})
				said, nodes = n.String(), len(g.Nodes())
				refused, waited = n.SetArg(3, 1), g.Nodes()[2].Synchronize(context.Background())
			}, nil, []rtc.Copyable{a})
			require.NoError(t, err)
			n, err = g.Kernel(mix, one, block, 0, a, a, a, 0)
			require.NoError(t, err)
			end, err := g.Event()
			require.NoError(t, err)
			end.After(n)
			x, err := g.Instantiate()
			require.NoError(t, err)
			done := make(chan error, 1)
			go func() { done <- run(g, x, began) }()
			select {
			case err := <-done:
				require.NoError(t, err)
			case <-time.After(20 * time.Second):
				t.Fatal("it hangs")
			}
			require.NoError(t, dev.Synchronize(context.Background()))
			require.Equal(t, "mixed", said)
			require.Equal(t, 3, nodes)
			require.ErrorContains(t, refused, "graph: set argument of mixed: ")
			require.ErrorIs(t, refused, rtc.ErrInHostFunc)
			require.ErrorIs(t, waited, rtc.ErrInHostFunc)
			require.NoError(t, g.Close())
		})
	}
}
