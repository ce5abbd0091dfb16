package graph_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// TestAddRefuses: what a node can't be is told when it is added.
func TestAddRefuses(t *testing.T) {
	dev, other := simulated(t, sim.Config{}), simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, long, there := filled(t, dev, 1), filled(t, dev, 2), filled(t, other, 1)
	long, err := long.Reshape(width, 1)
	require.NoError(t, err)
	half, err := long.Slice(0, 16)
	require.NoError(t, err)
	host, err := rtc.NewHostBuffer[uint32](dev, width)
	require.NoError(t, err)
	middle, err := long.Slice(8, 24)
	require.NoError(t, err)
	rest, err := long.Slice(16, 32)
	require.NoError(t, err)
	old, err := rtc.NewHostBuffer[uint32](dev, width)
	require.NoError(t, err)
	g := graph.New(dev)
	require.NoError(t, g.Label(long, "frame"))
	require.NoError(t, g.Label(old, "old"))
	require.NoError(t, old.Close())
	for text, add := range map[string]func() (*graph.Node, error){
		"graph: add kernel mix: abi: want 4 arguments":               func() (*graph.Node, error) { return g.Kernel(mix, one, block, 0, a) },
		"argument 0 (a): uint32 array [32] is on":                    func() (*graph.Node, error) { return g.Kernel(mix, one, block, 0, there, a, a, 1) },
		"block (5000, 1, 1)":                                         func() (*graph.Node, error) { return g.Kernel(mix, one, rtc.Dim(5000), 0, a, a, a, 1) },
		"uint32 array [32] does not fit frame (uint32 array [16 1])": func() (*graph.Node, error) { return g.Copy(half, a) },
		"both are on the host":                                       func() (*graph.Node, error) { return g.Copy(host, host) },
		"an array or host buffer is nil":                             func() (*graph.Node, error) { return g.Copy(a, nil) },
		"graph: add copy: uint32 array [32] is on device 0":          func() (*graph.Node, error) { return g.Copy(there, a) },
		"uint32 array [32] does not hold float32":                    func() (*graph.Node, error) { return graph.FillWith(g, a, float32(1)) },
		"graph: add host function: it is nil":                        func() (*graph.Node, error) { return g.Host(nil, nil, nil) },
		"graph: add host function: writes[1]: uint32 array [32] is on device 0": func() (*graph.Node, error) {
			return g.Host(func() {}, nil, []rtc.Copyable{a, there})
		},
		"graph: add host function: reads[0]: a Slice is Go's memory": func() (*graph.Node, error) {
			return g.Host(func() {}, []rtc.Copyable{rtc.Slice[uint32]{1}}, nil)
		},
		"graph: add copy: frame (uint32 array [16 1]), from element 0 on, and frame (uint32 array [16 1]), from 8 on, share memory": func() (*graph.Node, error) {
			return g.Copy(middle, half)
		},
		"graph: add copy: frame (uint32 array [16 1]), from element 8 on, and frame (uint32 array [16 1]), from 0 on, share memory": func() (*graph.Node, error) {
			return g.Copy(half, middle)
		},
		"graph: add copy: frame (uint32 array [16 1]) does not fit uint32 array [32]": func() (*graph.Node, error) { return g.Copy(a, half) },
		"graph: add fill: frame (uint32 array [16 1]) does not hold float64":          func() (*graph.Node, error) { return graph.FillWith(g, half, 1.5) },
		"graph: add copy: old (host buffer of 32 uint32) is closed":                   func() (*graph.Node, error) { return g.Copy(a, old) },
	} {
		_, err := add()
		assert.ErrorContains(t, err, text)
	}
	assert.Empty(t, g.Nodes())
	_, err = g.Copy(half, rest)
	require.NoError(t, err, "they lie beside each other")
	_, err = g.Copy(half, half)
	require.NoError(t, err)
	require.NoError(t, rtc.CopyFromSlice(rest, slices.Repeat([]uint32{5}, 16)))
	require.NoError(t, g.Run(context.Background()))
	require.Equal(t, uint32(5), first(t, half))
	require.NoError(t, g.Close())
	_, err = g.Empty()
	require.ErrorIs(t, err, rtc.ErrClosed)
	_, err = g.Event()
	require.ErrorIs(t, err, rtc.ErrClosed)
	require.ErrorIs(t, g.Run(context.Background()), rtc.ErrClosed)
	require.NoError(t, (*graph.Graph)(nil).Close())
}

// TestErrorsNameNodes: a closed array, a cycle, a race.
func TestErrorsNameNodes(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, b, c := filled(t, dev, 1), filled(t, dev, 2), filled(t, dev, 3)
	g := graph.New(dev)
	defer g.Close()
	require.NoError(t, g.Label(b, "mixed"))
	add := func(name string, args ...any) *graph.Node {
		n, err := g.Kernel(mix, one, block, 0, args...)
		require.NoError(t, err)
		return n.Set(graph.NodeConfig{Name: name})
	}
	first := add("first", a, a, b, 1)
	second := add("second", b, b, a, 1)
	first.After(second)
	_, err := g.Plan()
	require.EqualError(t, err, "graph: plan: a cycle: first → second (read after write: mixed) → first (after)")
	require.ErrorAs(t, g.Run(context.Background()), new(*graph.CycleError))
	_, err = g.Instantiate()
	require.ErrorAs(t, err, new(*graph.CycleError))

	g = graph.New(dev)
	defer g.Close()
	require.NoError(t, g.Label(b, "mixed"))
	add("left", a, a, c, 1)
	right := add("right", b, b, c, 1).Set(graph.NodeConfig{Unordered: true})
	require.EqualError(t, g.Run(context.Background()), "graph: run: left and right both write uint32 array [32] #2, and nothing orders them: give one After the other")
	right.After(g.Nodes()[0])
	require.NoError(t, g.Run(context.Background()))
	x, err := g.Instantiate()
	require.NoError(t, err)

	require.NoError(t, b.Close())
	const closed = "right: mixed (uint32 array [32]) is "
	require.ErrorContains(t, g.Run(context.Background()), "graph: run: "+closed)
	require.ErrorContains(t, x.Launch(dev.Stream()), "graph: launch: "+closed)
	require.ErrorIs(t, x.Launch(dev.Stream()), rtc.ErrClosed)
	right.Set(graph.NodeConfig{}) // so that it is planned anew
	_, err = g.Plan()
	require.ErrorContains(t, err, "graph: plan: "+closed)

	right.After(first)
	_, err = g.Plan()
	require.EqualError(t, err, "graph: plan: right: it is to come after first, which is of another graph")
}

// TestFills has values of all sizes.
func TestFills(t *testing.T) {
	dev := simulated(t, sim.Config{})
	fills[bool](t, dev, true)
	fills[int8](t, dev, -3)
	fills[int16](t, dev, -300)
	fills[rtc.Half](t, dev, rtc.HalfOf(1.5))
	fills[float32](t, dev, -2.5)
	fills[int32](t, dev, -70000)
	fills[int64](t, dev, -1)
	fills[int64](t, dev, 1<<40+5)
	fills[int](t, dev, 77)
	fills[float64](t, dev, 0)
	fills[float64](t, dev, 1.1)
	fills[complex64](t, dev, 1+2i)
	fills[complex128](t, dev, 3-4i)
}

// TestFillWithoutRoom: what the graph would keep to copy from does not fit.
func TestFillWithoutRoom(t *testing.T) {
	dev := simulated(t, sim.Config{Devices: []sim.Device{{Major: 9, Memory: 64 << 20}}})
	a, err := rtc.NewArray(dev, rtc.Float64, 5<<20)
	require.NoError(t, err)
	g := graph.New(dev)
	_, err = graph.FillWith(g, a, 1.5)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.ErrorContains(t, err, "graph: add fill: float64 array [5242880]: ")
	require.Empty(t, g.Nodes())
}

func fills[T rtc.Element](t *testing.T, dev *rtc.Device, v T) {
	var zero T
	a, err := rtc.Full(dev, zero, 5)
	require.NoError(t, err)
	none, err := rtc.Full(dev, zero, 0)
	require.NoError(t, err)
	g := graph.New(dev)
	for _, to := range []*rtc.Array{a, none} {
		_, err = graph.FillWith(g, to, v)
		require.NoError(t, err)
	}
	run := map[string]func() error{
		"streams": func() error { return g.Run(context.Background()) },
		"graph": func() error {
			x, err := g.Instantiate()
			require.NoError(t, err)
			return x.Launch(dev.Stream())
		},
	}
	for name, run := range run {
		require.NoError(t, rtc.CopyFromSlice(a, make([]T, 5)))
		require.NoError(t, run())
		out, err := rtc.ToSlice[T](a)
		require.NoError(t, err)
		require.Equal(t, []T{v, v, v, v, v}, out, name)
	}
	require.NoError(t, g.Close())
}

// TestFailedRun: a run that stops in the middle is still waited for by who closes
// what it uses.
func TestFailedRun(t *testing.T) {
	dev := simulated(t, sim.Config{Scheduler: sim.Worst, Check: sim.Check{Uninitialised: true}})
	mod, err := rtc.LoadModule(mixPTX, rtc.ModuleConfig{})
	require.NoError(t, err)
	gone, err := mod.Kernel("mix", mixSignature)
	require.NoError(t, err)
	mix, _ := kernels(t)
	a, b, c, d := filled(t, dev, 1), filled(t, dev, 2), filled(t, dev, 3), filled(t, dev, 4)
	g := graph.New(dev)
	for _, to := range []*rtc.Array{b, c} {
		_, err := g.Kernel(mix, one, block, 0, a, a, to, 0)
		require.NoError(t, err)
	}
	n, err := g.Kernel(gone, one, block, 0, b, c, d, 0)
	require.NoError(t, err)
	n.Set(graph.NodeConfig{Name: "last"})
	require.NoError(t, mod.Close())
	require.ErrorContains(t, g.Run(context.Background()), "last")
	require.Equal(t, uint32(3*3+5+1), first(t, c)) // what was given before has run, and was waited for
	require.NoError(t, c.Close())
	require.NoError(t, g.Close())
}

func TestEvents(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, b := filled(t, dev, 1), filled(t, dev, 2)
	g := graph.New(dev)
	defer g.Close()
	begin, err := g.Event()
	require.NoError(t, err)
	n, err := g.Kernel(mix, one, block, 0, a, a, b, 0)
	require.NoError(t, err)
	n.After(begin)
	end, err := g.Event()
	require.NoError(t, err)
	end.After(n)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.EqualError(t, end.Synchronize(context.Background()), "graph: wait for an event: event #2 has been in no run yet")
	_, err = end.Since(begin)
	require.EqualError(t, err, "graph: time between events: event #2 has been in no run yet")
	late, err := g.Event()
	require.NoError(t, err)
	require.NoError(t, x.Launch(dev.Stream()))
	require.EqualError(t, late.Synchronize(context.Background()), "graph: wait for an event: event #3 has been in no run yet")
	for _, run := range []func(*rtc.Stream) error{g.Enqueue, x.Launch} {
		require.NoError(t, run(dev.Stream()))
		require.NoError(t, end.Synchronize(context.Background()))
		d, err := end.Since(begin)
		require.NoError(t, err)
		require.Positive(t, d)
	}
	require.EqualError(t, n.Synchronize(context.Background()), "graph: wait for an event: mix is of kind kernel, no event")
	_, err = n.Since(begin)
	require.Error(t, err)
}

// TestContexts: one that has ended runs nothing, one that ends meanwhile ends the wait alone; both are told, and why they ended.
func TestContexts(t *testing.T) {
	dev := simulated(t, sim.Config{})
	g := graph.New(dev)
	defer g.Close()
	runs, open := 0, make(chan struct{})
	_, err := g.Host(func() { runs++; <-open }, nil, nil)
	require.NoError(t, err)
	event, err := g.Event()
	require.NoError(t, err)
	event.After(g.Nodes()[0])
	boom := errors.New("boom")
	over, cancel := context.WithCancelCause(t.Context())
	cancel(boom)
	require.EqualError(t, g.Run(over), "graph: run: context canceled: boom")
	_, err = g.Trace(over)
	require.EqualError(t, err, "graph: trace: context canceled: boom")
	require.ErrorIs(t, err, boom)
	require.NoError(t, dev.Synchronize(t.Context()))
	require.Zero(t, runs)
	for name, wait := range map[string]func(context.Context) error{
		"run": g.Run, "trace": func(ctx context.Context) error { _, err := g.Trace(ctx); return err }, "event": event.Synchronize,
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(5*time.Millisecond, func() { cancel(boom) })
		if name == "event" {
			require.NoError(t, g.Enqueue(dev.Stream()))
			require.EqualError(t, event.Synchronize(over), "graph: wait for event: context canceled: boom")
		}
		err := wait(ctx)
		require.ErrorIs(t, err, context.Canceled, name)
		require.ErrorIs(t, err, boom, name)
		open <- struct{}{}
		require.NoError(t, dev.Synchronize(t.Context()))
	}
	require.Equal(t, 3, runs)
}

// TestTrace: a run is measured, and what it measured is what nodes cost then.
func TestTrace(t *testing.T) {
	dev := simulated(t, sim.Config{})
	mix, _ := kernels(t)
	a, b, c := filled(t, dev, 1), filled(t, dev, 2), filled(t, dev, 3)
	g := graph.New(dev)
	defer g.Close()
	for _, to := range []*rtc.Array{b, c} {
		_, err := g.Kernel(mix, one, block, 0, a, a, to, 0)
		require.NoError(t, err)
	}
	slow, err := g.Host(func() { time.Sleep(20 * time.Millisecond) }, []rtc.Copyable{c}, nil)
	require.NoError(t, err)
	given, err := g.Empty()
	require.NoError(t, err)
	given.Set(graph.NodeConfig{Cost: time.Hour})
	trace, err := g.Trace(context.Background())
	require.NoError(t, err)
	for task := range trace.Plan.Tasks {
		require.LessOrEqual(t, trace.Plan.Start[task], trace.Plan.End[task])
		for _, e := range trace.Plan.Before(task) {
			require.LessOrEqual(t, trace.Plan.End[e.From], trace.Plan.Start[task])
		}
	}
	require.Equal(t, []int{1, slow.Number()}, trace.Plan.Critical)
	require.Less(t, trace.Plan.Length, trace.Plan.Total+time.Millisecond)
	p, err := g.Plan()
	require.NoError(t, err)
	require.Equal(t, time.Hour, p.Tasks[given.Number()].Cost)
	given.Set(graph.NodeConfig{})
	p, err = g.Plan()
	require.NoError(t, err)
	require.Equal(t, []int{1, slow.Number()}, p.Critical)
	require.Positive(t, p.Tasks[0].Cost)

	var file struct {
		TraceEvents []map[string]any
	}
	require.NoError(t, json.Unmarshal(trace.JSON(), &file))
	require.Len(t, file.TraceEvents, len(p.Tasks)+len(trace.Plan.Streams)+2*len(trace.Plan.Waits))
	for name, p := range pictured(t) {
		golden(t, name+".json", string((&graph.Trace{Plan: p}).JSON()))
	}
	golden(t, "empty.json", string(new(graph.Trace).JSON()))
	golden(t, "empty.json", string((*graph.Trace)(nil).JSON()))
}

// TestOwnerStreams: with PerOwner a node's owner chooses its stream.
func TestOwnerStreams(t *testing.T) {
	dev := simulated(t, sim.Config{})
	g := graph.NewWith(dev, graph.Config{PerOwner: true})
	defer g.Close()
	for _, owner := range []string{"p", "q", "p"} {
		n, err := g.Empty()
		require.NoError(t, err)
		n.Set(graph.NodeConfig{Owner: owner})
	}
	p, err := g.Plan()
	require.NoError(t, err)
	require.Equal(t, []graph.Lane{{Owner: "p", Tasks: []int{0, 2}}, {Owner: "q", Tasks: []int{1}}}, p.Streams)
}

// TestManyGoroutines runs one graph from many goroutines on several streams,
// while its arguments change: runs do not overlap, and none is lost.
func TestManyGoroutines(t *testing.T) {
	dev := simulated(t, sim.Config{})
	g := graph.New(dev)
	defer g.Close()
	inside, most, runs := 0, 0, 0
	var mu sync.Mutex
	_, err := g.Host(func() {
		mu.Lock()
		inside++
		most = max(most, inside)
		runs++
		mu.Unlock()
		time.Sleep(100 * time.Microsecond)
		mu.Lock()
		inside--
		mu.Unlock()
	}, nil, nil)
	require.NoError(t, err)
	mix, _ := kernels(t)
	a, b := filled(t, dev, 1), filled(t, dev, 2)
	n, err := g.Kernel(mix, one, block, 0, a, a, b, 0)
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 8 {
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		wg.Go(func() {
			for j := range 10 {
				switch (i + j) % 3 {
				case 0:
					assert.NoError(t, x.Launch(s))
				case 1:
					assert.NoError(t, g.Enqueue(s))
				case 2:
					assert.NoError(t, g.Run(context.Background()))
				}
				assert.NoError(t, n.SetArg(3, i*j))
			}
			assert.NoError(t, s.Close())
		})
	}
	wg.Wait()
	require.NoError(t, dev.Synchronize(context.Background()))
	require.Equal(t, 80, runs)
	require.Equal(t, 1, most)
}
