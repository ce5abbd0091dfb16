package rtc_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// axpyPTX is a kernel of four parameters; the stub driver does not run it.
const axpyPTX = `.version 7.0
.target sm_52
.address_size 64
.visible .entry axpy(.param .u64 axpy_0, .param .u64 axpy_1, .param .f32 axpy_2, .param .u32 axpy_3)
{
	ret;
}
`

// A bench is a kernel on a driver in C that does nothing: what its calls cost
// is what this package and driver cost, and the way to C and back.
type bench struct {
	dev    *rtc.Device
	stream *rtc.Stream
	kernel *rtc.Kernel
	x, y   *rtc.Array
}

var (
	benchGrid  = rtc.Dim(4)
	benchBlock = rtc.Dim(256)
)

func newBench(t testing.TB) *bench {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		if required("gcc") {
			t.Fatal("gcc on Linux is required")
		}
		t.Skip("no gcc here")
	}
	// A file of its own for each driver: one that is loaded stays so. It is not
	// called libcuda, lest the search find it in the process and other tests get it.
	lib := filepath.Join(t.TempDir(), "libstub.so")
	out, err := exec.Command(gcc, "-O2", "-shared", "-fPIC", `-DAXPY="../ci/benchmark/axpy.cu"`, "-o", lib, "../ci/benchmark/c/stub.c").CombinedOutput()
	require.NoError(t, err, string(out))
	drv, err := driver.Open(driver.Config{Path: lib})
	require.NoError(t, err)
	b := &bench{}
	b.dev, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.dev.Close()) })
	b.stream = b.dev.Stream()
	mod, err := rtc.LoadModule([]byte(axpyPTX), rtc.ModuleConfig{Name: "axpy"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, mod.Close()) })
	b.kernel, err = mod.Kernel("axpy", "const float *x, float *y, float alpha, int n")
	require.NoError(t, err)
	b.x, err = rtc.NewArray(b.dev, rtc.Float32, 1000)
	require.NoError(t, err)
	b.y, err = rtc.NewArray(b.dev, rtc.Float32, 1000)
	require.NoError(t, err)
	return b
}

func (b *bench) prepare(t testing.TB) *rtc.Prepared {
	t.Helper()
	p, err := b.kernel.Prepare(b.dev, benchGrid, benchBlock, 0, b.x, b.y, float32(3), 1000)
	require.NoError(t, err)
	return p
}

// launch is a Launch of package driver of the same kernel.
func (b *bench) launch(t testing.TB) *driver.Launch {
	t.Helper()
	f, err := b.kernel.Function(b.dev)
	require.NoError(t, err)
	slots, err := b.kernel.Signature().Layout(abi.Host)
	require.NoError(t, err)
	args, err := abi.NewBuffer("axpy", b.kernel.Signature(), slots)
	require.NoError(t, err)
	require.NoError(t, args.SetAll([]any{b.x, b.y, 3, 1000}))
	l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(4), Block: driver.Dim(256)}, args.Pointers())
	require.NoError(t, err)
	return l
}

// allocatesNothing holds a call to that.
func allocatesNothing(t *testing.T, call func() error) {
	t.Helper()
	var err error
	allocs := 1.0
	for try := 0; try < 10 && allocs > 0; try++ { // what other goroutines of the process allocate is counted as well
		// A hundred calls a run, since AllocsPerRun rounds down.
		allocs = testing.AllocsPerRun(20, func() {
			for range 100 {
				if e := call(); e != nil {
					err = e
				}
			}
		})
	}
	require.NoError(t, err)
	require.Zero(t, allocs, "allocations of a hundred calls")
}

// What is said to allocate nothing allocates nothing.
func TestPreparedAllocatesNothing(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	b := newBench(t)
	p := b.prepare(t)
	var number, count, array any = float32(4), 999, b.x
	for name, call := range map[string]func() error{
		"Enqueue":            func() error { return p.Enqueue(b.stream) },
		"SetArg of a float":  func() error { return p.SetArg(2, number) },
		"SetArg of an int":   func() error { return p.SetArg(3, count) },
		"SetArg of an array": func() error { return p.SetArg(0, array) },
		"Launch":             p.Launch,
	} {
		t.Run(name, func(t *testing.T) { allocatesNothing(t, call) })
	}
}

// Kernel.Enqueue's own share of the garbage is small: what its caller makes of
// the arguments is not in its hands.
func TestEnqueueAllocatesLittle(t *testing.T) {
	if race {
		t.Skip("the race detector allocates")
	}
	b := newBench(t)
	alpha, n := float32(0), 1000
	for name, call := range map[string]func() error{
		"Enqueue": func() error {
			alpha, n = alpha+1, n^1
			return b.kernel.Enqueue(b.stream, benchGrid, benchBlock, 0, b.x, b.y, alpha, n)
		},
		"Launch": func() error {
			alpha, n = alpha+1, n^1
			return b.kernel.Launch(b.dev, benchGrid, benchBlock, 0, b.x, b.y, alpha, n)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			allocs := testing.AllocsPerRun(1000, func() {
				if e := call(); e != nil {
					err = e
				}
			})
			require.NoError(t, err)
			require.LessOrEqual(t, allocs, 3.0, "alpha, n, and the list of arguments")
		})
	}
}

func run(b *testing.B, call func() error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := call(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEnqueue(b *testing.B) {
	s := newBench(b)
	p, raw := s.prepare(b), s.launch(b)
	alpha, n := float32(0), 1000
	b.Run("driver", func(b *testing.B) { run(b, func() error { return raw.Enqueue(s.stream.Raw()) }) })
	b.Run("prepared", func(b *testing.B) { run(b, func() error { return p.Enqueue(s.stream) }) })
	b.Run("checked", func(b *testing.B) {
		run(b, func() error {
			alpha, n = alpha+1, n^1
			return s.kernel.Enqueue(s.stream, benchGrid, benchBlock, 0, s.x, s.y, alpha, n)
		})
	})
	// A host may launch a kernel with the size of its data of the day.
	b.Run("checked, grid changes", func(b *testing.B) {
		run(b, func() error {
			n ^= 1
			return s.kernel.Enqueue(s.stream, rtc.Dim(4+n&1), benchBlock, 0, s.x, s.y, alpha, n)
		})
	})
	b.Run("checked, parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := s.kernel.Enqueue(s.stream, benchGrid, benchBlock, 0, s.x, s.y, float32(3), 1000); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func BenchmarkLaunch(b *testing.B) {
	s := newBench(b)
	p, raw := s.prepare(b), s.launch(b)
	event, err := s.dev.Context().NewEvent(driver.EventConfig{})
	require.NoError(b, err)
	alpha, n := float32(0), 1000
	b.Run("driver", func(b *testing.B) {
		run(b, func() error {
			if err := raw.Enqueue(s.stream.Raw()); err != nil {
				return err
			}
			if err := s.stream.Raw().Record(event); err != nil {
				return err
			}
			return event.Synchronize()
		})
	})
	b.Run("prepared", func(b *testing.B) { run(b, p.Launch) })
	b.Run("checked", func(b *testing.B) {
		run(b, func() error {
			alpha, n = alpha+1, n^1
			return s.kernel.Launch(s.dev, benchGrid, benchBlock, 0, s.x, s.y, alpha, n)
		})
	})
	// With a context that can end, another thread waits.
	b.Run("context", func(b *testing.B) {
		ctx, cancel := context.WithCancel(b.Context())
		defer cancel()
		run(b, func() error {
			return s.kernel.LaunchContext(ctx, s.dev, benchGrid, benchBlock, 0, s.x, s.y, alpha, n)
		})
	})
}

func BenchmarkSetArg(b *testing.B) {
	s := newBench(b)
	p := s.prepare(b)
	var number, array any = float32(4), s.x
	b.Run("float32", func(b *testing.B) { run(b, func() error { return p.SetArg(2, number) }) })
	b.Run("array", func(b *testing.B) { run(b, func() error { return p.SetArg(0, array) }) })
}
