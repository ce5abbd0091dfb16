package graph_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// axpyPTX is a kernel of the parameters that the stub's kernels have; the stub
// runs none.
const axpyPTX = `.version 7.0
.target sm_52
.address_size 64
.visible .entry axpy(.param .u64 axpy_0, .param .u64 axpy_1, .param .f32 axpy_2, .param .u32 axpy_3)
{
	ret;
}
`

// A row is a graph of a hundred kernels in a row on a driver in C that does
// nothing: what its calls cost is what the packages above the driver cost.
type row struct {
	dev  *rtc.Device
	g    *graph.Graph
	exec *graph.Exec
	cuda *dl.Library
}

func newRow(t testing.TB) *row {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		if nvrtctest.Required("gcc") {
			t.Fatal("gcc on Linux is required")
		}
		t.Skip("no gcc here")
	}
	lib := filepath.Join(t.TempDir(), "libstub.so") // not libcuda, lest other tests find it in the process
	out, err := exec.Command(gcc, "-O2", "-shared", "-fPIC", `-DAXPY="../../ci/benchmark/axpy.cu"`, "-o", lib, "../../ci/benchmark/c/stub.c").CombinedOutput()
	require.NoError(t, err, string(out))
	r := &row{}
	r.cuda, err = dl.Open(lib)
	require.NoError(t, err)
	drv, err := driver.Open(driver.Config{Path: lib})
	require.NoError(t, err)
	r.dev, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.dev.Close()) })
	mod, err := rtc.LoadModule([]byte(axpyPTX), rtc.ModuleConfig{Name: "axpy"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, mod.Close()) })
	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha, int n")
	require.NoError(t, err)
	x, err := rtc.NewArray(r.dev, rtc.Float32, 1000)
	require.NoError(t, err)
	y, err := rtc.NewArray(r.dev, rtc.Float32, 1000)
	require.NoError(t, err)
	r.g = graph.New(r.dev)
	t.Cleanup(func() { require.NoError(t, r.g.Close()) })
	for range 100 {
		_, err := r.g.Kernel(axpy, rtc.Dim(4), rtc.Dim(256), 0, x, y, float32(3), 1000)
		require.NoError(t, err)
	}
	r.exec, err = r.g.Instantiate()
	require.NoError(t, err)
	require.True(t, r.exec.Native())
	return r
}

// A replay allocates nothing, nor does the wait for it; tracked or not.
func TestReplayAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	r := newRow(t)
	s := r.dev.Stream()
	for _, tracked := range []bool{false, true} {
		if tracked {
			_, err := r.dev.NewStream(rtc.StreamConfig{})
			require.NoError(t, err)
		}
		replay := func() {
			for range 100 {
				require.NoError(t, r.exec.Launch(s))
				require.NoError(t, s.Synchronize(context.Background()))
			}
		}
		for range 10 { // more than there are events
			replay()
		}
		allocs := 1.0
		for try := 0; try < 10 && allocs > 0; try++ { // what other goroutines of the process allocate is counted as well
			allocs = testing.AllocsPerRun(20, replay)
		}
		require.Zero(t, allocs, "allocations of a hundred replays, tracked: %v", tracked)
	}
}

// BenchmarkCost is what stands above cuGraphLaunch.
func BenchmarkCost(b *testing.B) {
	r := newRow(b)
	s, raw := r.dev.Stream(), graph.Raw(r.exec)
	launch, err := r.cuda.Lookup("cuGraphLaunch")
	require.NoError(b, err)
	words := []uintptr{raw.Handle(), s.Raw().Handle()}
	node, alpha := r.g.Nodes()[50], float32(0)
	for _, m := range []struct {
		name string
		do   func() error
	}{
		{"dl.Func.CallSlice", func() error { launch.CallSlice(words); return nil }},
		{"driver.ExecGraph.Launch", func() error { return raw.Launch(s.Raw()) }},
		{"Exec.Launch", func() error { return r.exec.Launch(s) }},
		{"Exec.Launch, Synchronize", func() error {
			if err := r.exec.Launch(s); err != nil {
				return err
			}
			return s.Synchronize(context.Background())
		}},
		{"SetArg", func() error { alpha++; return node.SetArg(2, alpha) }},
	} {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := m.do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
