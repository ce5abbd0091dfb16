package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// digit prepares the kernel that writes a digit.
func (r *rig) digit(t testing.TB, p driver.Pointer, v uint32) *driver.Launch {
	t.Helper()
	return r.launch(t, "digit", driver.LaunchConfig{}, ptr(&p), ptr(&v))
}

func closeAll(t testing.TB, all ...interface{ Close() error }) {
	t.Helper()
	for _, x := range all {
		require.NoError(t, x.Close())
	}
}

// A fork and join of streams becomes a graph whose branches nothing orders.
func TestCaptureForkAndJoin(t *testing.T) {
	orders := map[string]bool{}
	for seed := range uint64(20) {
		for _, scheduler := range []sim.Scheduler{sim.InOrder, sim.Worst} {
			r := newRig(t, sim.Config{Scheduler: scheduler, Seed: seed})
			p := r.alloc(t, 4)
			other, fork, join := r.stream(t), r.event(t), r.event(t)
			require.NoError(t, r.s.BeginCapture())
			require.NoError(t, r.s.Memset32(p, 0, 1))
			require.NoError(t, r.digit(t, p, 1).Enqueue(r.s))
			require.NoError(t, r.s.Record(fork))
			require.NoError(t, other.Wait(fork))
			require.NoError(t, r.digit(t, p, 2).Enqueue(r.s))
			require.NoError(t, r.digit(t, p, 3).Enqueue(other))
			require.NoError(t, other.Record(join))
			require.NoError(t, r.s.Wait(join))
			require.NoError(t, r.digit(t, p, 4).Enqueue(r.s))
			status, err := other.Capturing()
			require.NoError(t, err)
			require.Equal(t, driver.CaptureActive, status)
			g, err := r.s.EndCapture()
			require.NoError(t, err)
			status, err = other.Capturing()
			require.NoError(t, err)
			require.Equal(t, driver.CaptureNone, status)
			nodes, err := g.Nodes()
			require.NoError(t, err)
			require.Len(t, nodes, 5)
			x, err := g.Instantiate()
			require.NoError(t, err)
			require.NoError(t, g.Close())
			require.NoError(t, x.Launch(r.s))
			require.NoError(t, x.Launch(r.s))
			require.NoError(t, r.s.Synchronize())
			got := fmt.Sprint(read[uint32](t, r.ctx, p, 1)[0])
			require.Contains(t, []string{"1234", "1324"}, got)
			if scheduler == sim.Worst {
				orders[got] = true
			} else {
				require.Equal(t, "1234", got)
			}
			closeAll(t, x)
		}
	}
	require.Len(t, orders, 2)
}

// What can't be captured gives the driver's codes, and spoils the capture.
func TestCaptureErrors(t *testing.T) {
	for name, test := range map[string]struct {
		do   func(r *rig, e *driver.Event, other *driver.Stream) error
		want driver.Result
		end  driver.Result // of the capture
	}{
		"nothing":          {func(r *rig, e *driver.Event, other *driver.Stream) error { return nil }, driver.Success, driver.Success},
		"synchronise":      {func(r *rig, e *driver.Event, other *driver.Stream) error { return r.s.Synchronize() }, driver.StreamCaptureUnsupported, driver.StreamCaptureInvalidated},
		"query":            {func(r *rig, e *driver.Event, other *driver.Stream) error { _, err := r.s.Query(); return err }, driver.StreamCaptureUnsupported, driver.StreamCaptureInvalidated},
		"the context":      {func(r *rig, e *driver.Event, other *driver.Stream) error { return r.ctx.Synchronize() }, driver.StreamCaptureUnsupported, driver.StreamCaptureInvalidated},
		"another stream":   {func(r *rig, e *driver.Event, other *driver.Stream) error { return other.Synchronize() }, driver.Success, driver.Success},
		"begin again":      {func(r *rig, e *driver.Event, other *driver.Stream) error { return r.s.BeginCapture() }, driver.IllegalState, driver.Success},
		"end another's":    {func(r *rig, e *driver.Event, other *driver.Stream) error { _, err := other.EndCapture(); return err }, driver.IllegalState, driver.Success},
		"allocate in it":   {func(r *rig, e *driver.Event, other *driver.Stream) error { _, err := r.s.AllocAsync(4); return err }, driver.StreamCaptureUnsupported, driver.StreamCaptureInvalidated},
		"an event before":  {func(r *rig, e *driver.Event, other *driver.Stream) error { return r.s.Wait(e) }, driver.StreamCaptureIsolation, driver.StreamCaptureInvalidated},
		"a captured event": {func(r *rig, e *driver.Event, other *driver.Stream) error { _ = r.s.Record(e); return e.Synchronize() }, driver.CapturedEvent, driver.StreamCaptureInvalidated},
		"left open": {func(r *rig, e *driver.Event, other *driver.Stream) error {
			_ = r.s.Record(e)
			_ = other.Wait(e)
			p, err := r.ctx.Alloc(4)
			if err != nil {
				return err
			}
			return other.Memset32(p, 0, 1)
		}, driver.Success, driver.StreamCaptureUnjoined},
		"two captures": {func(r *rig, e *driver.Event, other *driver.Stream) error {
			_ = other.BeginCapture()
			_ = r.s.Record(e)
			err := other.Wait(e)
			_, end := other.EndCapture()
			if end == nil {
				return nil
			}
			return err
		}, driver.StreamCaptureMerge, driver.StreamCaptureInvalidated},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, sim.Config{})
			e, other := r.event(t), r.stream(t)
			require.NoError(t, other.Record(e))
			require.NoError(t, r.s.BeginCapture())
			err := test.do(r, e, other)
			if test.want == driver.Success {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, test.want)
			}
			g, err := r.s.EndCapture()
			if test.end == driver.Success {
				require.NoError(t, err)
				require.NoError(t, g.Close())
			} else {
				require.ErrorIs(t, err, test.end)
			}
			require.NoError(t, r.s.Synchronize())
			require.NoError(t, r.ctx.Health())
		})
	}
	r := newRig(t, sim.Config{})
	blocking, err := r.ctx.NewStream(driver.StreamConfig{Blocking: true})
	require.NoError(t, err)
	require.NoError(t, blocking.BeginCapture())
	r.current(t, func() {
		require.Equal(t, driver.StreamCaptureUnsupported, r.raw(t, "cuStreamBeginCapture_v2", 0, 2))
		require.Equal(t, driver.StreamCaptureImplicit, r.raw(t, "cuStreamSynchronize", 0))
	})
	_, err = blocking.EndCapture()
	require.ErrorIs(t, err, driver.StreamCaptureInvalidated)
}

// A graph takes the values of arguments when a node is added, and those of a run when the run is launched.
func TestGraphArguments(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p, v := r.alloc(t, 4), uint32(1)
		l := r.launch(t, "digit", driver.LaunchConfig{}, ptr(&p), ptr(&v))
		g, err := r.ctx.NewGraph()
		require.NoError(t, err)
		clear, err := g.AddMemset(p, 0, 4, 1)
		require.NoError(t, err)
		n, err := g.AddKernel(l, clear)
		require.NoError(t, err)
		v = 2
		_, err = g.AddKernel(l, n)
		require.NoError(t, err)
		x, err := g.Instantiate()
		require.NoError(t, err)
		v = 3
		require.NoError(t, x.Launch(r.s))
		require.NoError(t, x.SetKernel(n, l)) // for the runs to come
		require.NoError(t, r.s.Synchronize())
		require.Equal(t, uint32(12), read[uint32](t, r.ctx, p, 1)[0])
		require.NoError(t, x.Launch(r.s))
		require.NoError(t, r.s.Synchronize())
		require.Equal(t, uint32(32), read[uint32](t, r.ctx, p, 1)[0])
		require.NoError(t, x.SetEnabled(n, false))
		require.NoError(t, x.Launch(r.s))
		require.NoError(t, r.s.Synchronize())
		require.Equal(t, uint32(2), read[uint32](t, r.ctx, p, 1)[0])
		require.ErrorIs(t, x.SetKernel(clear, l), driver.InvalidValue)
		require.ErrorIs(t, x.SetEnabled(driver.Node{}, false), driver.InvalidValue)
		closeAll(t, g)
		require.ErrorIs(t, x.SetEnabled(n, true), driver.InvalidValue, "with its graph a node has lost its name")
		closeAll(t, x)
	})
}

func TestGraphUpdate(t *testing.T) {
	r := newRig(t, sim.Config{})
	p := r.alloc(t, 8)
	build := func(f func(g *driver.Graph)) *driver.Graph {
		g, err := r.ctx.NewGraph()
		require.NoError(t, err)
		f(g)
		return g
	}
	add := func(n driver.Node, err error) driver.Node {
		require.NoError(t, err)
		return n
	}
	line := func(v uint32) func(g *driver.Graph) {
		return func(g *driver.Graph) { add(g.AddKernel(r.digit(t, p, v), add(g.AddMemset(p, 0, 4, 1)))) }
	}
	g := build(line(1))
	x, err := g.Instantiate()
	require.NoError(t, err)
	run := func() uint32 {
		require.NoError(t, x.Launch(r.s))
		require.NoError(t, r.s.Synchronize())
		return read[uint32](t, r.ctx, p, 1)[0]
	}
	same := build(line(7))
	require.NoError(t, x.Update(same))
	require.Equal(t, uint32(7), run())
	for want, other := range map[string]*driver.Graph{
		"update graph: the graph has other nodes or dependencies": build(func(g *driver.Graph) { add(g.AddMemset(p, 0, 4, 1)) }),
		"update graph: a node is of another kind": build(func(g *driver.Graph) {
			add(g.AddEmpty(add(g.AddMemset(p, 0, 4, 1))))
		}),
		"other nodes or dependencies": build(func(g *driver.Graph) {
			add(g.AddMemset(p, 0, 4, 1))
			add(g.AddKernel(r.digit(t, p, 1)))
		}),
	} {
		err := x.Update(other)
		require.ErrorIs(t, err, driver.GraphExecUpdateFailure)
		require.ErrorContains(t, err, want)
		closeAll(t, other)
	}
	require.Equal(t, uint32(7), run(), "as before")
	closeAll(t, g, same, x)
}

func TestGraphErrors(t *testing.T) {
	r := newRig(t, sim.Config{})
	p := r.alloc(t, 64)
	g, err := r.ctx.NewGraph()
	require.NoError(t, err)
	other, err := r.ctx.NewGraph()
	require.NoError(t, err)
	n, err := other.AddEmpty()
	require.NoError(t, err)
	for name, call := range map[string]func() error{
		"another graph's node": func() error { _, err := g.AddEmpty(n); return err },
		"copy out of bounds":   func() error { _, err := g.AddCopy(p, p+32, 33); return err },
		"copy of nothing":      func() error { _, err := g.AddCopy(p, p, 0); return err },
		"fill out of bounds":   func() error { _, err := g.AddMemset(p, 0, 4, 17); return err },
		"fill of odd size":     func() error { _, err := g.AddMemset(p, 0, 3, 1); return err },
		"kind of a wild node":  func() error { _, err := g.Kind(driver.Node{}); return err },
	} {
		require.ErrorIs(t, call(), driver.InvalidValue, name)
	}
	closeAll(t, g, other)
	r.current(t, func() {
		for _, call := range []string{"cuGraphDestroy", "cuGraphExecDestroy", "cuGraphLaunch"} {
			require.Equal(t, driver.InvalidValue, r.raw(t, call, 0x123456, 0), call)
		}
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuGraphCreate", uintptr(unsafe.Pointer(new(uintptr))), 1))
	})
}

// Events in graphs: a run waits for what was recorded before it, and tells when it has come to a record.
func TestGraphEvents(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p := r.alloc(t, 4)
		before, done, other := r.event(t), r.event(t), r.stream(t)
		g, err := r.ctx.NewGraph()
		require.NoError(t, err)
		w, err := g.AddWait(before)
		require.NoError(t, err)
		k, err := g.AddKernel(r.digit(t, p, 2), w)
		require.NoError(t, err)
		rec, err := g.AddRecord(done, k)
		require.NoError(t, err)
		_, err = g.AddKernel(r.digit(t, p, 3), rec)
		require.NoError(t, err)
		x, err := g.Instantiate()
		require.NoError(t, err)
		require.NoError(t, other.Memset32(p, 0, 1))
		require.NoError(t, r.digit(t, p, 1).Enqueue(other))
		require.NoError(t, other.Record(before))
		require.NoError(t, x.Launch(r.s))
		require.NoError(t, r.s.Synchronize())
		require.Equal(t, uint32(123), read[uint32](t, r.ctx, p, 1)[0])
		require.NoError(t, done.Synchronize())
		took, err := done.Elapsed(before)
		require.NoError(t, err)
		require.Positive(t, took)
		closeAll(t, g, x)
	})
}

// An event that is recorded anew while a run that records it is still to come stands for the later record.
func TestGraphEventRecordedAnew(t *testing.T) {
	r := newRig(t, sim.Config{})
	p := r.alloc(t, 4)
	begin, end := r.event(t), r.event(t)
	g, err := r.ctx.NewGraph()
	require.NoError(t, err)
	for _, e := range []*driver.Event{begin, end} {
		_, err := g.AddRecord(e)
		require.NoError(t, err)
	}
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.NoError(t, r.s.Memset32(p, 0, 1))
	held := make(chan struct{})
	require.NoError(t, r.s.AddHostFunc(func() { <-held }))
	require.NoError(t, x.Launch(r.s))
	require.NoError(t, r.s.Record(begin))
	require.NoError(t, r.digit(t, p, 1).Enqueue(r.s))
	require.NoError(t, r.s.Record(end))
	close(held)
	require.NoError(t, end.Synchronize())
	require.Equal(t, uint32(1), read[uint32](t, r.ctx, p, 1)[0])
	took, err := end.Elapsed(begin)
	require.NoError(t, err)
	require.Positive(t, took, "the kernel lies between them")
	closeAll(t, g, x)
}

func TestGraphPicture(t *testing.T) {
	r := newRig(t, sim.Config{})
	p := r.alloc(t, 4)
	g, err := r.ctx.NewGraph()
	require.NoError(t, err)
	n, err := g.AddKernel(r.digit(t, p, 1))
	require.NoError(t, err)
	_, err = g.AddCopy(p, p, 4, n)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "g.dot")
	require.NoError(t, g.DOT(path))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "digraph graph_ {\n\tn0 [label=\"digit\"];\n\tn1 [label=\"memcpy\"];\n\tn0 -> n1;\n}\n", string(text))
	require.ErrorIs(t, g.DOT(filepath.Join(path, "x")), driver.OperatingSystem)
	closeAll(t, g)
}

// A host function in a graph is called in its turn at each run.
func TestCapturedHostFunction(t *testing.T) {
	r := newRig(t, sim.Config{})
	var seen []string
	require.NoError(t, r.s.BeginCapture())
	require.NoError(t, r.s.AddHostFunc(func() { seen = append(seen, "called") }))
	g, err := r.s.EndCapture()
	require.NoError(t, err)
	x, err := g.Instantiate()
	require.NoError(t, err)
	require.NoError(t, x.Launch(r.s))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, "called", strings.Join(slices.Compact(seen), " "))
	closeAll(t, g, x)
}

// A host function that was added to a graph is called at each run, of whatever has a copy of it, also after the graph itself is closed; copies
// from and to the host read and write it at each run.
func TestHostNodes(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p, called := r.alloc(t, 4), 0
		h, err := r.ctx.AllocHost(8, driver.HostConfig{})
		require.NoError(t, err)
		from, to := h.Bytes()[:4], h.Bytes()[4:]
		child, err := r.ctx.NewGraph()
		require.NoError(t, err)
		in, err := child.AddCopyToDevice(p, from)
		require.NoError(t, err)
		n, err := child.AddHostFunc(func() { called++ }, in)
		require.NoError(t, err)
		kind, err := child.Kind(n)
		require.NoError(t, err)
		require.Equal(t, driver.HostNode, kind)
		_, err = child.AddCopyToHost(to, p, n)
		require.NoError(t, err)
		g, err := r.ctx.NewGraph()
		require.NoError(t, err)
		_, err = g.AddGraph(child)
		require.NoError(t, err)
		x, err := g.Instantiate()
		require.NoError(t, err)
		closeAll(t, child, g)
		for run := range 3 {
			from[0] = byte(7 + run)
			require.NoError(t, x.Launch(r.s))
			require.NoError(t, r.s.Synchronize())
			require.Equal(t, run+1, called)
			require.Equal(t, byte(7+run), to[0])
		}
		closeAll(t, x, h)
	})
}
