package rtc_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

func named(name string, a *rtc.Array) []rtc.Named { return []rtc.Named{{Name: name, Array: a}} }

// TestLegacy compiles bodies with a real compiler and pushes them to a driver
// of Go.
func TestLegacy(t *testing.T) {
	defer rtc.UseCompiler(compiler(t))()
	r := newRig(t, plain)
	x, err := rtc.FromSlice(r.dev, make([]float32, 6), 2, 3)
	require.NoError(t, err)
	defer x.Close()
	y := array(t, r.dev, 1, 2, 3)
	scalar, err := rtc.NewArray(r.dev, rtc.Uint8)
	require.NoError(t, err)
	defer scalar.Close()

	body := `static_assert(x_ndim == 2 && y_ndim == 1 && s_ndim == 0, "axes");
static_assert(sizeof x_dims == 8 && sizeof y_dims == 4, "of int");
y[threadIdx.x] = x[threadIdx.x] * x_dims[1] + y_dims[0] + s[0]; // a comment at the end \`
	in := []rtc.Named{{Name: "x", Array: x}, {Name: "s", Array: scalar}}
	old, err := rtc.NewRtc("abc", in, named("y", y), body)
	require.NoError(t, err)
	require.NoError(t, old.Push([]*rtc.Array{x, scalar}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(3)))
	l := r.double.Launches()
	require.Len(t, l, 1)
	assert.Equal(t, "abc", l[0].Function)
	px, _, _ := x.DevicePointer()
	py, _, _ := y.DevicePointer()
	assert.Equal(t, px, drivertest.Arg[uint64](l[0], 0))
	assert.Equal(t, py, drivertest.Arg[uint64](l[0], 2))

	// Another array of the same type and shape will do, and no other.
	same := array(t, r.dev, 4, 5, 6)
	assert.NoError(t, old.Push([]*rtc.Array{x, scalar}, []*rtc.Array{same}, rtc.Dim(1), rtc.Dim(3)))
	flat, closed := array(t, r.dev, make([]float32, 6)...), array(t, r.dev, 1, 2, 3)
	require.NoError(t, closed.Close())
	for _, c := range []struct {
		in, out []*rtc.Array
		want    string
	}{
		{[]*rtc.Array{x}, []*rtc.Array{y}, "1 inputs given, the kernel has 2"},
		{[]*rtc.Array{x, scalar}, nil, "0 outputs given, the kernel has 1"},
		{[]*rtc.Array{flat, scalar}, []*rtc.Array{y}, "input 0 (x): float32 array [6] given, compiled for float32 [2 3]"},
		{[]*rtc.Array{x, y}, []*rtc.Array{y}, "input 1 (s): int64 array [3] given, compiled for uint8 []"},
		{[]*rtc.Array{x, nil}, []*rtc.Array{y}, "input 1 (s): the array is nil"},
		{[]*rtc.Array{x, scalar}, []*rtc.Array{closed}, "output 0 (y): int64 array [3] is closed"},
	} {
		err := old.Push(c.in, c.out, rtc.Dim(1), rtc.Dim(3))
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: push abc: ")
	}
	assert.ErrorContains(t, old.Push([]*rtc.Array{x, scalar}, []*rtc.Array{y}, rtc.Dim(0), rtc.Dim(3)), "grid x is 0")
	assert.ErrorIs(t, old.Push([]*rtc.Array{x, scalar}, []*rtc.Array{closed}, rtc.Dim(1), rtc.Dim(3)), rtc.ErrClosed)

	// A mistake is told at its line of the body.
	for _, c := range []struct{ body, want string }{
		{"y[0] = nope;", "abc(1): error: identifier \"nope\" is undefined"},
		{"int i = 0;\n\ny[i] = nope;", "abc(3): error: identifier \"nope\" is undefined"},
		{"x[0] = 1;", "abc(1): error: expression must be a modifiable lvalue"}, // inputs are only read
	} {
		_, err := rtc.NewRtc("abc", in, named("y", y), c.body)
		assert.ErrorContains(t, err, "rtc: legacy kernel abc: ")
		assert.ErrorContains(t, err, c.want)
	}

	require.NoError(t, old.Close())
	require.NoError(t, old.Close())
	assert.ErrorIs(t, old.Push([]*rtc.Array{x, scalar}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(3)), rtc.ErrClosed)
	assert.Zero(t, rtc.LegacySources())
}

func TestLegacyNames(t *testing.T) {
	r := newRig(t, plain)
	x := array(t, r.dev, float32(1))
	closed := array(t, r.dev, float32(1))
	require.NoError(t, closed.Close())
	for _, c := range []struct {
		name    string
		in, out []rtc.Named
		want    string
	}{
		{"a b", named("x", x), nil, "its name is not a C identifier"},
		{"", named("x", x), nil, "its name is not a C identifier"},
		{"k", named("1x", x), nil, `the name of input 0, "1x", is not a C identifier`},
		{"k", named("x", x), named("y;", x), `the name of output 0, "y;", is not a C identifier`},
		{"k", named("x", x), named("x", x), "two arrays are called x"},
		{"k", named("x", nil), nil, "input 0 (x): the array is nil"},
		{"k", named("x", x), named("y", closed), "output 0 (y): float32 array [1] is closed"},
	} {
		_, err := rtc.NewRtc(c.name, c.in, c.out, "")
		assert.ErrorContains(t, err, c.want)
		assert.ErrorContains(t, err, "rtc: legacy kernel ")
	}
	_, err := rtc.NewRtc("k", named("x", nil), nil, "")
	require.EqualError(t, err, "rtc: legacy kernel k: input 0 (x): the array is nil")
	_, err = rtc.NewRtc("k", named("x", x), nil, `extern "C" __global__ void k(const float *x) {}`)
	assert.ErrorContains(t, err, "rtc: legacy kernel k: its body is given alone: what stands in the braces")
}

// Every type of element has a C type that the compiler knows, with its header
// where it needs one.
func TestLegacyTypes(t *testing.T) {
	var sources atomic.Pointer[nvrtctest.Compile]
	_, comp := playNVRTC(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) { sources.Store(c); c.Default() }})
	defer rtc.UseCompiler(comp)()
	r := newRig(t, plain)
	for _, c := range []struct {
		dtype   rtc.DType
		c, file string
	}{
		{rtc.Bool, "bool", ""}, {rtc.Int8, "signed char", ""}, {rtc.Uint8, "unsigned char", ""},
		{rtc.Int16, "short", ""}, {rtc.Uint16, "unsigned short", ""}, {rtc.Int32, "int", ""}, {rtc.Uint32, "unsigned int", ""},
		{rtc.Int64, "long long", ""}, {rtc.Uint64, "unsigned long long", ""}, {rtc.Float32, "float", ""}, {rtc.Float64, "double", ""},
		{rtc.Float16, "__half", "cuda_fp16.h"}, {rtc.BF16, "__nv_bfloat16", "cuda_bf16.h"},
		{rtc.Float8E4M3, "__nv_fp8_e4m3", "cuda_fp8.h"}, {rtc.Float8E5M2, "__nv_fp8_e5m2", "cuda_fp8.h"},
		{rtc.Complex64, "cuFloatComplex", "cuComplex.h"}, {rtc.Complex128, "cuDoubleComplex", "cuComplex.h"},
	} {
		a, err := rtc.NewArray(r.dev, c.dtype, 2)
		require.NoError(t, err)
		_, err = rtc.NewRtc("k", named("x", a), named("y", a), "y[0] = x[0];")
		// The double makes kernels without parameters, which is not what was asked for.
		assert.ErrorContains(t, err, "takes 0")
		source := sources.Load().Source
		assert.Contains(t, source, `extern "C" __global__ void k(const `+c.c+` *x, `+c.c+` *y) {`)
		assert.Contains(t, source, "#line 1 \"k\"\ny[0] = x[0];\n")
		if c.file == "" {
			assert.NotContains(t, source, "#include")
		} else {
			assert.Equal(t, 1, strings.Count(source, "#include <"+c.file+">"))
		}
		require.NoError(t, a.Close())
		sig, err := abi.ParseSignature("const " + c.c + " *x, " + c.c + " *y")
		require.NoError(t, err)
		assert.Equal(t, []int{0}, sig.Reads())
		assert.Equal(t, []int{1}, sig.Writes())
	}
	assert.Zero(t, rtc.LegacySources(), "what failed is not kept")
}

// TestLegacyOnce: one source is compiled once, also by many at once, as long as
// somebody has it; a failure is not kept.
func TestLegacyOnce(t *testing.T) {
	var compiles atomic.Int32
	fail := atomic.Bool{}
	real := compiler(t)
	_, comp := playNVRTC(t, nvrtctest.Config{Compile: func(c *nvrtctest.Compile) {
		compiles.Add(1)
		time.Sleep(5 * time.Millisecond)
		if fail.Load() {
			c.Result, c.Log = nvrtc.Compilation, "k(1): error: no luck\n"
			return
		}
		p, err := real.NewProgram(c.Source, nvrtc.ProgramConfig{Name: c.Name})
		if err == nil {
			defer p.Close()
			if err = p.Compile(context.Background(), "--std=c++17"); err == nil {
				c.PTX, err = p.PTX()
			}
		}
		if err != nil {
			c.Result, c.Log = nvrtc.Compilation, err.Error()
		}
	}})
	defer rtc.UseCompiler(comp)()
	r := newRig(t, plain)
	x := array(t, r.dev, float32(1))
	make1 := func(body string) (*rtc.Rtc, error) { return rtc.NewRtc("k", nil, named("x", x), body) }
	olds := make([]*rtc.Rtc, 32)
	var wg sync.WaitGroup
	for i := range olds {
		wg.Go(func() {
			var err error
			olds[i], err = make1("x[0] = 1;")
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	assert.Equal(t, int32(1), compiles.Load())
	for i, old := range olds {
		require.NoError(t, old.Push(nil, []*rtc.Array{x}, rtc.Dim(1), rtc.Dim(1)), "%d users left", len(olds)-i)
		require.NoError(t, old.Close())
	}
	assert.Equal(t, 1, r.double.Called("cuModuleLoadDataEx"))
	assert.Equal(t, 1, r.double.Called("cuModuleUnload"), "with the last user")
	assert.Zero(t, rtc.LegacySources())

	fail.Store(true)
	for range 8 {
		wg.Go(func() {
			_, err := make1("x[0] = 2;")
			assert.ErrorContains(t, err, "k(1): error: no luck")
		})
	}
	wg.Wait()
	assert.Zero(t, rtc.LegacySources())
	fail.Store(false)
	old, err := make1("x[0] = 2;")
	require.NoError(t, err)
	require.NoError(t, old.Close())
}
