package rtc_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

func TestModuleIsLoadedOnce(t *testing.T) {
	dev := gpu(t)
	mod := compile(t, axpySource, rtc.ModuleConfig{For: dev})
	assert.Equal(t, rtc.Stats{Compiles: 1}, mod.Stats())
	axpy := kernel(t, mod, "axpy", axpySignature)
	x, y := array(t, dev, float32(1)), array(t, dev, float32(1))
	for range 10 {
		require.NoError(t, axpy.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, x, y, 1, 1))
	}
	s := mod.Stats()
	assert.Equal(t, uint64(1), s.Compiles, "the artifact of NewModule is the one that is loaded")
	assert.Equal(t, uint64(1), s.Loads)
	assert.Zero(t, s.Hits, "it is the kernel that keeps what it was loaded as")
	require.NoError(t, kernel(t, mod, "axpy", axpySignature).Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, x, y, 1, 1))
	assert.Equal(t, uint64(1), mod.Stats().Hits)
	if dev.Simulated() {
		return // it runs PTX, of the newest architecture that the compiler has
	}
	assert.NotEmpty(t, mod.CUBIN())
	major, minor := dev.ComputeCapability()
	assert.Equal(t, fmt.Sprintf("sm_%d%d", major, minor), mod.Target())
}

func TestLoadModule(t *testing.T) {
	dev := gpu(t)
	source := `template <typename T> __global__ void twice(T *x) { *x *= 2; }`
	mod := compile(t, source, rtc.ModuleConfig{Exports: []string{"twice<double>"}})
	images := map[string][]byte{"ptx": []byte(mod.PTX())}
	if !dev.Simulated() {
		images["cubin"] = mod.CUBIN()
	}
	for name, image := range images {
		t.Run(name, func(t *testing.T) {
			c := rtc.ModuleConfig{Name: name}
			kernel := "_Z5twiceIdEvPT_"
			if name == "ptx" {
				c.Exports, kernel = []string{"twice<double>"}, "twice<double>"
			}
			again, err := rtc.LoadModule(image, c)
			require.NoError(t, err)
			defer again.Close()
			k, err := again.Kernel(kernel)
			require.NoError(t, err)
			x := array(t, dev, 21.0)
			require.NoError(t, k.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, x))
			assert.Equal(t, []float64{42}, slice[float64](t, x))
		})
	}
}

func TestGlobals(t *testing.T) {
	dev := gpu(t)
	source := `
__constant__ float table[4];
namespace ns { __device__ int counter; }
extern "C" __global__ void use(float *out) { out[threadIdx.x] = table[threadIdx.x]; atomicAdd(&ns::counter, 1); }`
	mod := compile(t, source, rtc.ModuleConfig{Exports: []string{"table", "&ns::counter"}})
	use := kernel(t, mod, "use", "float *out")
	table, err := mod.Global(dev, "table", rtc.Float32, 4)
	require.NoError(t, err)
	require.NoError(t, rtc.CopyFromSlice(table, []float32{1, 2, 3, 4}))
	out := array(t, dev, make([]float32, 4)...)
	require.NoError(t, use.Launch(dev, rtc.Dim(1), rtc.Dim(4), 0, out))
	assert.Equal(t, []float32{1, 2, 3, 4}, slice[float32](t, out))
	counter, err := mod.Global(dev, "&ns::counter", rtc.Int32)
	require.NoError(t, err)
	assert.Equal(t, []int32{4}, slice[int32](t, counter))
	_, err = mod.Global(dev, "table", rtc.Float64, 4)
	assert.ErrorContains(t, err, "16 bytes")
	_, err = mod.Global(dev, "nothing", rtc.Float32)
	assert.ErrorContains(t, err, "nothing")
	require.NoError(t, mod.Close())
	_, err = rtc.ToSlice[float32](table)
	assert.ErrorIs(t, err, rtc.ErrClosed)
}

func TestAutoFree(t *testing.T) {
	var leaks atomic.Int64
	dev := gpuWith(t, rtc.OpenConfig{AutoFree: true, Leaked: func(l rtc.Leak) {
		if l.Freed && strings.Contains(l.Made, "TestAutoFree") {
			leaks.Add(1)
		}
	}})
	before := dev.Driver().Counts()
	for range 100 {
		_, err := rtc.Zeros[float32](dev, 1<<20)
		require.NoError(t, err)
	}
	assert.Eventually(t, func() bool {
		runtime.GC()
		require.NoError(t, dev.Synchronize(t.Context()))
		return dev.Driver().Counts().Allocations == before.Allocations && leaks.Load() == 100
	}, patience, 10*time.Millisecond)
}

func TestScope(t *testing.T) { onEach(t, testScope) }

func testScope(t *testing.T, dev *rtc.Device) {
	before := dev.Driver().Counts().Allocations
	boom := errors.New("boom")
	var a *rtc.Array
	err := dev.Scope(func(s *rtc.Scope) (err error) {
		a, err = rtc.Ones[float32](s, 1000)
		require.NoError(t, err)
		assert.Greater(t, dev.Driver().Counts().Allocations, before)
		return boom
	})
	assert.ErrorIs(t, err, boom)
	assert.Equal(t, before, dev.Driver().Counts().Allocations)
	_, err = rtc.ToSlice[float32](a)
	assert.ErrorIs(t, err, rtc.ErrClosed)
}

func TestLegacyIsCompiledOnce(t *testing.T) {
	dev := gpu(t)
	x, y := array(t, dev, float32(1), 2, 3), array(t, dev, float32(0), 0, 0)
	in, out := []rtc.Named{{Name: "x", Array: x}}, []rtc.Named{{Name: "y", Array: y}}
	body := "y[threadIdx.x] = x[threadIdx.x] * x_dims[0] + y_ndim;"
	r, err := rtc.NewRtc("abc", in, out, body)
	require.NoError(t, err)
	defer r.Close()
	var again *rtc.Rtc
	quickest := time.Hour // a compile takes longer every time
	for range 20 {
		require.NoError(t, again.Close())
		start := time.Now()
		again, err = rtc.NewRtc("abc", in, out, body)
		require.NoError(t, err)
		quickest = min(quickest, time.Since(start))
	}
	assert.Less(t, quickest, 3*time.Millisecond)
	require.NoError(t, again.Push([]*rtc.Array{x}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(3)))
	assert.Equal(t, []float32{4, 7, 10}, slice[float32](t, y))
	require.NoError(t, again.Close())
	require.NoError(t, r.Push([]*rtc.Array{x}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(3)))
	two := array(t, dev, float32(1), 2)
	assert.ErrorContains(t, r.Push([]*rtc.Array{two}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(3)), "input 0 (x)")
	_, err = rtc.NewRtc("abc", in, out, "y[0] = undeclared;")
	assert.ErrorContains(t, err, "undeclared")
	assert.ErrorContains(t, err, "abc")
}
