package rtc_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

const axpySource = `
extern "C" __global__ void axpy(const float *x, float *y, float alpha, int n) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	if (i < n) y[i] += alpha * x[i];
}
extern "C" __global__ void spin(long long ticks) {
	long long start = clock64();
	while (clock64() - start < ticks) {}
}
extern "C" __global__ void sum(const int *in, int *out) {
	extern __shared__ int part[];
	int i = threadIdx.x;
	for (int k = i; k < 16384; k += blockDim.x) part[k] = in[k];
	__syncthreads();
	if (i == 0) { int s = 0; for (int k = 0; k < 16384; k++) s += part[k]; *out = s; }
}
extern "C" __global__ void __launch_bounds__(64) bounded(int *out) { *out = 1; }
extern "C" __global__ void grid_sum(int *out) { // needs all blocks at once
	if (threadIdx.x == 0) {
		atomicAdd(out, 1);
		while (atomicAdd(out, 0) < gridDim.x) {}
	}
}
extern "C" __global__ void rank(unsigned *out) {
	unsigned r = 0;
#if __CUDA_ARCH__ >= 900
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
#endif
	out[blockIdx.x] = r;
}`

const axpySignature = "const float *x, float *y, float alpha, int n"

func kernel(t testing.TB, mod *rtc.Module, name, signature string) *rtc.Kernel {
	t.Helper()
	k, err := mod.Kernel(name, signature)
	require.NoError(t, err)
	return k
}

func array[T rtc.Element](t testing.TB, dev *rtc.Device, s ...T) *rtc.Array {
	t.Helper()
	a, err := rtc.FromSlice(dev, s)
	require.NoError(t, err)
	t.Cleanup(func() { a.Close() })
	return a
}

func slice[T rtc.Element](t testing.TB, a *rtc.Array) []T {
	t.Helper()
	s, err := rtc.ToSlice[T](a)
	require.NoError(t, err)
	return s
}

func TestLaunchErrors(t *testing.T) { onEach(t, testLaunchErrors) }

func testLaunchErrors(t *testing.T, dev *rtc.Device) {
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	axpy := kernel(t, mod, "axpy", axpySignature)
	bounded := kernel(t, mod, "bounded", "int *out")
	x, y := array(t, dev, 1, 2, float32(3)), array(t, dev, float32(0), 0, 0)
	d := array(t, dev, 1.0)
	closed := array(t, dev, float32(1))
	require.NoError(t, closed.Close())
	big := rtc.Dim(1)
	big.Y = 65536
	for _, c := range []struct {
		name        string
		grid, block rtc.Dim3
		shared      int
		args        []any
		want        []string
	}{
		{"zero grid", rtc.Dim(0), rtc.Dim(1), 0, []any{x, y, 1, 3}, []string{"grid x is 0"}},
		{"zero block", rtc.Dim(1), rtc.Dim(1, 0), 0, []any{x, y, 1, 3}, []string{"block y is 0"}},
		{"negative", rtc.Dim(1), rtc.Dim(-4), 0, []any{x, y, 1, 3}, []string{"block x is -4"}},
		{"four parts", rtc.Dim(1, 1, 1, 1), rtc.Dim(1), 0, []any{x, y, 1, 3}, []string{"grid has 4 parts"}},
		{"grid y", big, rtc.Dim(1), 0, []any{x, y, 1, 3}, []string{"grid", "y is 65536, at most 65535"}},
		{"block x", rtc.Dim(1), rtc.Dim(2048), 0, []any{x, y, 1, 3}, []string{"2048", "1024"}},
		{"block threads", rtc.Dim(1), rtc.Dim(64, 32), 0, []any{x, y, 1, 3}, []string{"2048 threads, at most 1024"}},
		{"block z", rtc.Dim(1), rtc.Dim(1, 1, 65), 0, []any{x, y, 1, 3}, []string{"z is 65, at most 64"}},
		{"shared", rtc.Dim(1), rtc.Dim(1), 300 << 10, []any{x, y, 1, 3}, []string{"307200", "dynamic"}},
		{"negative shared", rtc.Dim(1), rtc.Dim(1), -1, []any{x, y, 1, 3}, []string{"-1 bytes of dynamic shared memory"}},
		{"too few", rtc.Dim(1), rtc.Dim(1), 0, []any{x, y, 1}, []string{"3", "4", "alpha"}},
		{"too many", rtc.Dim(1), rtc.Dim(1), 0, []any{x, y, 1, 3, 4}, []string{"5", "4"}},
		{"scalar for pointer", rtc.Dim(1), rtc.Dim(1), 0, []any{x, 5, 1, 3}, []string{"argument 1 (y)", "int"}},
		{"pointer for scalar", rtc.Dim(1), rtc.Dim(1), 0, []any{x, y, y, 3}, []string{"argument 2 (alpha)"}},
		{"other type", rtc.Dim(1), rtc.Dim(1), 0, []any{d, y, 1, 3}, []string{"argument 0 (x)", "float64"}},
		{"does not fit", rtc.Dim(1), rtc.Dim(1), 0, []any{x, y, 1, 1 << 40}, []string{"argument 3 (n)"}},
		{"overflow", rtc.Dim(1), rtc.Dim(1), 0, []any{x, y, 1e300, 3}, []string{"argument 2 (alpha)"}},
		{"slice", rtc.Dim(1), rtc.Dim(1), 0, []any{[]float32{1}, y, 1, 3}, []string{"argument 0 (x)", "[]float32"}},
		{"closed array", rtc.Dim(1), rtc.Dim(1), 0, []any{closed, y, 1, 3}, []string{"argument 0 (x)", "closed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := axpy.Launch(dev, c.grid, c.block, c.shared, c.args...)
			require.ErrorContains(t, err, "axpy")
			for _, w := range c.want {
				assert.ErrorContains(t, err, w)
			}
		})
	}
	err := bounded.Launch(dev, rtc.Dim(1), rtc.Dim(128), 0, y)
	require.Error(t, err)
	out := array(t, dev, int32(0))
	err = bounded.Launch(dev, rtc.Dim(1), rtc.Dim(128), 0, out)
	assert.ErrorContains(t, err, "bounded")
	assert.ErrorContains(t, err, "at most 64")
	require.NoError(t, dev.Health())
	require.NoError(t, axpy.Launch(dev, rtc.Dim(1), rtc.Dim(32), 0, x, y, 2, 3))
	assert.Equal(t, []float32{2, 4, 6}, slice[float32](t, y))
}

func TestSharedMemoryOver48K(t *testing.T) { onEach(t, testSharedMemoryOver48K) }

func testSharedMemoryOver48K(t *testing.T, dev *rtc.Device) {
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	sum := kernel(t, mod, "sum", "const int *in, int *out")
	in := make([]int32, 16384)
	want := int32(0)
	for i := range in {
		in[i] = int32(i % 17)
		want += in[i]
	}
	x, out := array(t, dev, in...), array(t, dev, int32(0))
	require.NoError(t, sum.Launch(dev, rtc.Dim(1), rtc.Dim(256), 65536, x, out))
	assert.Equal(t, want, slice[int32](t, out)[0])
}

func TestCooperative(t *testing.T) { onEach(t, testCooperative) }

func testCooperative(t *testing.T, dev *rtc.Device) {
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	k := kernel(t, mod, "grid_sum", "int *out").With(rtc.LaunchOptions{Cooperative: true})
	out := array(t, dev, int32(0))
	require.NoError(t, k.Launch(dev, rtc.Dim(132), rtc.Dim(32), 0, out))
	assert.Equal(t, int32(132), slice[int32](t, out)[0])
	err := k.Launch(dev, rtc.Dim(1<<20), rtc.Dim(32), 0, out)
	require.ErrorContains(t, err, "1048576")
}

func TestCluster(t *testing.T) { onEach(t, testCluster) }

func testCluster(t *testing.T, dev *rtc.Device) {
	if major, _ := dev.ComputeCapability(); major < 9 {
		t.Skip("clusters need compute capability 9.0")
	}
	if dev.Simulated() {
		t.Skip("the simulated device has no clusters")
	}
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	rank := kernel(t, mod, "rank", "unsigned *out")
	out := array(t, dev, make([]uint32, 8)...)
	require.NoError(t, rank.With(rtc.LaunchOptions{Cluster: rtc.Dim(4)}).Launch(dev, rtc.Dim(8), rtc.Dim(1), 0, out))
	assert.Equal(t, []uint32{0, 1, 2, 3, 0, 1, 2, 3}, slice[uint32](t, out))
	err := rank.With(rtc.LaunchOptions{Cluster: rtc.Dim(3)}).Launch(dev, rtc.Dim(8), rtc.Dim(1), 0, out)
	require.ErrorContains(t, err, "cluster")
}

// TestGoroutines launches from 64 goroutines, which move between threads.
func TestGoroutines(t *testing.T) { onEach(t, testGoroutines) }

func testGoroutines(t *testing.T, dev *rtc.Device) {
	compiler := compiler(t)
	before := dev.Driver().Counts()
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			err := dev.Scope(func(s *rtc.Scope) error {
				mod, err := rtc.NewModule(axpySource, rtc.ModuleConfig{Name: fmt.Sprintf("g%d.cu", g%4), Compiler: compiler})
				if err != nil {
					return err
				}
				defer mod.Close()
				axpy, err := mod.Kernel("axpy", axpySignature)
				if err != nil {
					return err
				}
				runtime.Gosched()
				x, err := rtc.Ones[float32](s, 1000)
				if err != nil {
					return err
				}
				y, err := rtc.Full(s, float32(g), 1000)
				if err != nil {
					return err
				}
				for i := range 50 {
					runtime.Gosched()
					launch := func() error { return axpy.Launch(dev, rtc.Dim(4), rtc.Dim(256), 0, x, y, 1, 1000) }
					if i%2 == 0 {
						launch = func() error { return axpy.Enqueue(dev.Stream(), rtc.Dim(4), rtc.Dim(256), 0, x, y, 1, 1000) }
					}
					if err := launch(); err != nil {
						return err
					}
				}
				out, err := rtc.ToSlice[float32](y)
				if err != nil {
					return err
				}
				for i, v := range out {
					if v != float32(g+50) {
						return fmt.Errorf("element %d is %v, not %d", i, v, g+50)
					}
				}
				return nil
			})
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	after := dev.Driver().Counts()
	after.Events = before.Events // these are kept for reuse
	assert.Equal(t, before, after, "nothing is left over")
}

func TestLaunchContextOnGPU(t *testing.T) {
	dev := gpu(t)
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	spin := kernel(t, mod, "spin", "long long ticks")
	require.NoError(t, spin.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := spin.LaunchContext(ctx, dev, rtc.Dim(1), rtc.Dim(1), 0, int64(4e9))
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.Less(t, time.Since(start), time.Second, "the kernel runs for two")
	require.NoError(t, dev.Synchronize(t.Context()))
	assert.Greater(t, time.Since(start), time.Second)
}

func TestPrepared(t *testing.T) { onEach(t, testPrepared) }

func testPrepared(t *testing.T, dev *rtc.Device) {
	mod := compile(t, axpySource, rtc.ModuleConfig{})
	axpy := kernel(t, mod, "axpy", axpySignature)
	x, y := array(t, dev, float32(1), 2), array(t, dev, float32(0), 0)
	run, err := axpy.Prepare(dev, rtc.Dim(1), rtc.Dim(32), 0, x, y, 2, 2)
	require.NoError(t, err)
	require.NoError(t, run.Enqueue(dev.Stream()))
	require.NoError(t, run.Launch())
	require.NoError(t, run.SetArg(2, 10.0))
	require.NoError(t, run.Launch())
	assert.Equal(t, []float32{14, 28}, slice[float32](t, y))
	assert.ErrorContains(t, run.SetArg(2, "ten"), "argument 2 (alpha)")
	assert.ErrorContains(t, run.SetArg(4, 1), "4")
	if !onDouble(dev) && !dev.Simulated() { // which take notes
		assert.Zero(t, testing.AllocsPerRun(100, func() { run.Enqueue(dev.Stream()) }))
	}
	require.NoError(t, y.Close())
	assert.ErrorIs(t, run.Launch(), rtc.ErrClosed)
	assert.ErrorIs(t, run.Enqueue(dev.Stream()), rtc.ErrClosed)
}

func TestFloatsBeyondSlices(t *testing.T) { onEach(t, testFloatsBeyondSlices) }

func testFloatsBeyondSlices(t *testing.T, dev *rtc.Device) {
	require.NoError(t, dev.Scope(func(s *rtc.Scope) error {
		ones, err := rtc.Ones[rtc.Half](s, 3)
		require.NoError(t, err)
		assert.Equal(t, []rtc.Half{0x3C00, 0x3C00, 0x3C00}, slice[rtc.Half](t, ones))
		pi, err := rtc.Full(s, math.Pi, 1000)
		require.NoError(t, err)
		for _, v := range slice[float64](t, pi) {
			require.Equal(t, math.Pi, v)
		}
		c, err := rtc.Full(s, complex(1, -2), 7)
		require.NoError(t, err)
		assert.Equal(t, complex(1, -2), slice[complex128](t, c)[6])
		empty, err := rtc.Zeros[float32](s, 3, 0)
		require.NoError(t, err)
		assert.Empty(t, slice[float32](t, empty))
		return rtc.CopyFromSlice(empty, []float32{})
	}))
}
