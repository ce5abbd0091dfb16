package rtc_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// images are the kernels of testdata in the forms in which they can be loaded.
var images = map[string][]byte{
	"ptx": []byte(kernelsPTX), "ptx with NULs": []byte(kernelsPTX + "\x00\x00"), "cubin": kernelsCUBIN,
}

func TestLoadModuleOnDouble(t *testing.T) {
	for name, image := range images {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, drivertest.Config{})
			image := bytes.Clone(image)
			mod, err := rtc.LoadModule(image, rtc.ModuleConfig{Name: name, Exports: []string{"twice< float >", "&ns::counter", "twice< float >"}})
			require.NoError(t, err)
			defer mod.Close()
			clear(image) // the caller's
			assert.ElementsMatch(t, []string{"axpy", "none", "bounded", "_Z5twiceIfEvPKT_PS0_", "_Z5twiceIdEvPKT_PS0_"}, mod.Entries())
			twice, err := mod.Kernel("twice< float >")
			require.NoError(t, err)
			x, y := array(t, r.dev, float32(1)), array(t, r.dev, float32(0))
			require.NoError(t, twice.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, x, y))
			raw, err := mod.Kernel("_Z5twiceIdEvPKT_PS0_") // not exported, but there
			require.NoError(t, err)
			assert.Equal(t, "const double *, double *", raw.Signature().String())
			assert.Error(t, raw.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, x, y), "floats for doubles")
			require.NoError(t, kernel(t, mod, "none", "").Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0))
			_, err = mod.Kernel("axpy", "const float *x, float *y, float alpha")
			assert.ErrorContains(t, err, "the compiled kernel takes 4")
			_, err = mod.Kernel("axpy", "const float *x, float *y, double alpha, int n")
			assert.ErrorContains(t, err, "argument 2 (alpha)")
			_, err = mod.Kernel("axpy")
			assert.ErrorIs(t, err, abi.ErrNoSignature)
		})
	}
}

// On a driver that can't tell parameters, a cubin itself does: nobody crashes
// for an argument too few.
func TestCubinOnOldDriver(t *testing.T) {
	r := newRig(t, drivertest.Config{Version: version("12.0")})
	mod, err := rtc.LoadModule(kernelsCUBIN, rtc.ModuleConfig{})
	require.NoError(t, err)
	defer mod.Close()
	_, err = mod.Kernel("axpy", "const float *x")
	assert.ErrorContains(t, err, "takes 4")
	k := kernel(t, mod, "axpy", axpySignature)
	assert.ErrorContains(t, k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, nil), "want 4 arguments")
	require.NoError(t, k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, nil, nil, 1, 1))
}

func TestLoadModuleRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		image   string
		exports []string
		want    string
	}{
		"nothing":        {"", nil, "the image is empty"},
		"text":           {"hello", nil, "the image is no cubin and no fatbin, and as PTX: "},
		"NUL inside":     {".version 7.0\n\x00.target sm_52\n", nil, "byte 13 is NUL"},
		"cut PTX":        {kernelsPTX[:len(kernelsPTX)/2], nil, "as PTX: "},
		"no such export": {kernelsPTX, []string{"twice<float>", "thrice<float>"}, `export "thrice<float>": no entry point has that name`},
		"of a fatbin":    {"\x50\xed\x55\xba more", []string{"k<int>"}, `export "k<int>": a fatbin does not tell readable names`},
		"of a bad cubin": {"\x7fELF more", []string{"k<int>"}, `export "k<int>": a cubin does not tell readable names`},
	} {
		_, err := rtc.LoadModule([]byte(c.image), rtc.ModuleConfig{Name: "it", Exports: c.exports})
		assert.ErrorContains(t, err, c.want, name)
		assert.ErrorContains(t, err, "rtc: load module it: ", name)
	}
	// What only the driver can tell is told when the module is loaded.
	r := newRig(t, drivertest.Config{})
	mod, err := rtc.LoadModule([]byte("\x7fELF"+strings.Repeat("\x00", 100)), rtc.ModuleConfig{Name: "it"})
	require.NoError(t, err)
	defer mod.Close()
	assert.Nil(t, mod.Entries())
	k, err := mod.Kernel("_Z4axpyPf")
	require.NoError(t, err)
	for range 2 { // a failure is not kept
		err = k.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, nil)
		assert.ErrorIs(t, err, driver.InvalidImage)
		assert.ErrorContains(t, err, "load it (cubin) on device 0")
	}
	assert.Equal(t, 2, r.double.Called("cuModuleLoadDataEx"))
	assert.Zero(t, mod.Stats().Loads)
}

func TestKernelErrors(t *testing.T) {
	mod := compile(t, `
__global__ void scale(float *x) {}
namespace ns { __global__ void inner(float *x) {} template <typename T> __global__ void t(T *x) {} }
template <typename T> __global__ void axpy(const T *x, T *y) {}
extern "C" __global__ void plain(int n) {}
struct S { char c; double d; };
extern "C" __global__ void byValue(struct S s, int n) {}
extern "C" __global__ void nothing() {}
#if 0
extern "C" __global__ void ghost() {}
#endif
`, rtc.ModuleConfig{Exports: []string{"axpy<float>", "axpy<float>", "ns::t<int>"}})
	for _, c := range []struct {
		name      string
		signature []string
		want      []string
	}{
		{"scale", []string{"float *x"}, []string{"rtc: kernel scale of kernel.cu: no such kernel", "its name in the module is _Z5scalePf", `extern "C"`, `"scale" in Exports`}},
		{"inner", nil, []string{"_ZN2ns5innerEPf"}},
		{"ns::inner", nil, []string{"_ZN2ns5innerEPf"}},
		{"t", nil, []string{"_ZN2ns1tIiEEvPT_"}},
		{"axpy<double>", nil, []string{"_Z5scalePf (scale(float*))", "plain", "only for the arguments that Exports names", `list "axpy<double>" there`}},
		{"axpy< float >", nil, []string{"_Z4axpyIfEvPKT_PS0_"}},
		{"ghost", nil, []string{"the module has ", "plain"}},
		{"", nil, []string{"no such kernel"}},
		{"plain\x00", nil, []string{"no such kernel"}},
		{"plain", nil, []string{"state the signature"}},
		{"plain", []string{"int n", "int m"}, []string{"2 signatures given"}},
		{"plain", []string{"int n, int m"}, []string{"2 parameters", "takes 1"}},
		{"plain", []string{"double n"}, []string{"argument 0 (n)", "double (8 bytes)", "4 bytes"}},
		{"plain", []string{""}, []string{"takes 1"}},
		{"plain", []string{"itn n"}, []string{"itn", "float"}},
		{"nothing", []string{"int x"}, []string{"takes 0"}},
		{"byValue", []string{"struct S s"}, []string{"takes 2"}},
		{"axpy<float>", []string{"const float *x"}, []string{"takes 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := mod.Kernel(c.name, c.signature...)
			require.Error(t, err)
			for _, w := range c.want {
				assert.ErrorContains(t, err, w)
			}
		})
	}
	for _, c := range []struct{ name, signature, entry string }{
		{"axpy<float>", "const float *x, float *y", "_Z4axpyIfEvPKT_PS0_"},
		{"_Z5scalePf", "float *", "_Z5scalePf"},
		{"nothing", "", "nothing"},
		{"nothing", "void", "nothing"},
		{"byValue", "struct S s, int n", "byValue"},
	} {
		k := kernel(t, mod, c.name, c.signature)
		assert.Equal(t, c.entry, k.Entry())
		assert.Equal(t, c.name, k.Name())
		assert.Same(t, mod, k.Module())
		assert.Contains(t, k.String(), c.name+"(")
	}
	k, err := mod.Kernel("ns::t<int>")
	require.NoError(t, err)
	assert.Equal(t, "ns::t<int>(int *)", k.String())

	empty := compile(t, "template <typename T> __global__ void k(T *x) {}", rtc.ModuleConfig{Name: "empty.cu"})
	_, err = empty.Kernel("k")
	assert.ErrorContains(t, err, `the module has none; a template is compiled only for the arguments that Exports names, such as "k<float>"`)
}

// TestManyParameters has kernels of none and of two hundred.
func TestManyParameters(t *testing.T) {
	r := newRig(t, plain)
	var source, signature strings.Builder
	args := make([]any, 200)
	for i := range args {
		if i > 0 {
			signature.WriteString(", ")
		}
		if i%2 == 0 {
			fmt.Fprintf(&signature, "char p%d", i)
			args[i] = int8(i / 2)
		} else {
			fmt.Fprintf(&signature, "double p%d", i)
			args[i] = float64(i)
		}
	}
	fmt.Fprintf(&source, "extern \"C\" __global__ void many(%s) {}\nextern \"C\" __global__ void none() {}", &signature)
	mod := compile(t, source.String(), rtc.ModuleConfig{})
	require.NoError(t, kernel(t, mod, "many", signature.String()).Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, args...))
	require.NoError(t, kernel(t, mod, "none", "").Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0))
	l := r.double.Launches()
	require.Len(t, l, 2)
	require.Len(t, l[0].Params, 200)
	for i := range args {
		if i%2 == 0 {
			assert.Equal(t, args[i], drivertest.Arg[int8](l[0], i))
		} else {
			assert.Equal(t, args[i], drivertest.Arg[float64](l[0], i))
		}
	}
	assert.Empty(t, l[1].Params)
}

// Two modules may have kernels of one name.
func TestSameNameInTwoModules(t *testing.T) {
	r := newRig(t, plain)
	a := compile(t, `extern "C" __global__ void k(int n) {}`, rtc.ModuleConfig{Name: "a.cu"})
	b := compile(t, `extern "C" __global__ void k(double x, double y) {}`, rtc.ModuleConfig{Name: "b.cu"})
	ka, kb := kernel(t, a, "k", "int n"), kernel(t, b, "k", "double x, double y")
	for range 2 {
		require.NoError(t, ka.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 7))
		require.NoError(t, kb.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 1, 2))
	}
	require.NoError(t, a.Close())
	require.NoError(t, kb.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 1, 2))
	assert.ErrorIs(t, ka.Launch(r.dev, rtc.Dim(1), rtc.Dim(1), 0, 7), rtc.ErrClosed)
	l := r.double.Launches()
	require.Len(t, l, 5)
	assert.Len(t, l[0].Params, 1)
	assert.Len(t, l[4].Params, 2)
}

func TestGlobalsOnDouble(t *testing.T) {
	r := newRig(t, plain)
	for name, image := range images {
		mod, err := rtc.LoadModule(image, rtc.ModuleConfig{Name: name})
		require.NoError(t, err)
		table, err := mod.Global(r.dev, "table", rtc.Float32, 2, 2)
		require.NoError(t, err)
		require.NoError(t, rtc.CopyFromSlice(table, []float32{1, 2, 3, 4}))
		again, err := mod.Global(r.dev, "&table", rtc.Float32, 4)
		require.NoError(t, err)
		require.NoError(t, table.Close(), "frees nothing")
		assert.Equal(t, []float32{1, 2, 3, 4}, slice[float32](t, again))
		for _, n := range []string{"ns::counter", "&ns::counter", "_ZN2ns7counterE"} {
			_, err = mod.Global(r.dev, n, rtc.Int32)
			require.NoError(t, err, n)
		}
		for n, want := range map[string]string{
			"table": "rtc: variable table of " + name + ": it has 16 bytes; float64 array [4] has 32",
			"tabel": "no such variable: the module has ",
		} {
			_, err = mod.Global(r.dev, n, rtc.Float64, 4)
			assert.ErrorContains(t, err, want)
		}
		_, err = mod.Global(r.dev, "table", rtc.Float32, -4)
		assert.ErrorContains(t, err, "axis 0")
		require.NoError(t, mod.Close())
		assert.ErrorIs(t, second(rtc.ToSlice[float32](again)), rtc.ErrClosed)
	}
}

// B33: a scalar variable is exported with &; without it the compiler's refusal
// says which export it is.
func TestExportsOfVariables(t *testing.T) {
	source := `__constant__ int cc; __device__ float dd[3]; namespace ns { __constant__ double c; } extern "C" __global__ void k(int *o) { *o = cc + dd[0] + ns::c; }`
	r := newRig(t, plain)
	mod := compile(t, source, rtc.ModuleConfig{Exports: []string{"&cc", "dd", "&ns::c"}})
	for _, name := range []string{"cc", "&cc", "dd", "ns::c", "&ns::c"} {
		_, err := mod.Global(r.dev, name, rtc.Uint8, map[byte]int{'c': 4, 'd': 12, 'n': 8}[strings.TrimPrefix(name, "&")[0]])
		assert.NoError(t, err, name)
	}
	_, err := rtc.NewModule(source, rtc.ModuleConfig{Compiler: compiler(t), Exports: []string{"&ns::c", "cc"}})
	var bad *nvrtc.ExportError
	require.ErrorAs(t, err, &bad)
	assert.Equal(t, []string{"cc"}, bad.Exports)
	assert.ErrorContains(t, err, "write & before the variable")
}

// TestLoadedOnceByMany: of all who want a module on a device at once, one
// compiles it and loads it.
func TestLoadedOnceByMany(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	fake, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.4"), Compile: func(c *nvrtctest.Compile) {
		time.Sleep(10 * time.Millisecond)
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	none := kernel(t, mod, "none", "")
	r.double.Delay("cuModuleLoadDataEx", 5*time.Millisecond)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			assert.NoError(t, none.Launch(r.devs[i%2], rtc.Dim(1), rtc.Dim(1), 0))
		})
	}
	wg.Wait()
	assert.Equal(t, 2, len(fake.Compiles()))
	assert.Equal(t, 2, r.double.Called("cuModuleLoadDataEx"))
	assert.Equal(t, uint64(2), mod.Stats().Loads)
}

// TestLoadContext: whose context ends stops waiting for the compile and the
// load; another who waits for the same takes over.
func TestLoadContext(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	begun, free := make(chan struct{}, 10), make(chan struct{})
	held := false
	fake, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.8"), Compile: func(c *nvrtctest.Compile) {
		if held {
			begun <- struct{}{}
			if !c.Wait(free) {
				return
			}
		}
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	none := kernel(t, mod, "none", "")
	held = true
	one := rtc.Dim(1)
	ctx, cancel := context.WithCancel(t.Context())
	errs, others := make(chan error), make(chan error)
	go func() { errs <- none.LaunchContext(ctx, r.devs[1], one, one, 0) }()
	<-begun
	waiting, stop := context.WithCancel(t.Context())
	go func() { errs <- mod.Preload(waiting, r.devs[1]) }()
	go func() { others <- none.Launch(r.devs[1], one, one, 0) }()
	time.Sleep(5 * time.Millisecond)
	stop()
	err = <-errs
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorContains(t, err, "rtc: preload kernel.cu: ")
	cancel()
	assert.ErrorIs(t, <-errs, context.Canceled)
	<-begun // the other has taken over
	close(free)
	assert.NoError(t, <-others)
	waitFor(t, func() bool { return len(fake.Compiles()) == 3 })
	assert.Equal(t, rtc.Stats{Compiles: 2, Loads: 1}, mod.Stats())
}

// A failure on one device is not kept, and not taken for another's.
func TestCompileFailsOnce(t *testing.T) {
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 9}, {Major: 8}}})
	n := 0
	_, comp := playNVRTC(t, nvrtctest.Config{Version: version("12.4"), Compile: func(c *nvrtctest.Compile) {
		if n++; n == 2 {
			c.Result, c.Log = nvrtc.Compilation, "kernel.cu(1): error: out of luck\n"
			return
		}
		makeKernels(c)
	}})
	mod, err := rtc.NewModule(kernelsSource, rtc.ModuleConfig{Compiler: comp, For: r.dev})
	require.NoError(t, err)
	defer mod.Close()
	err = mod.Preload(t.Context(), r.devs[1])
	var e *nvrtc.CompileError
	require.ErrorAs(t, err, &e)
	assert.ErrorContains(t, err, "kernel.cu(1): error: out of luck")
	require.NoError(t, mod.Preload(t.Context(), r.devs[1]))
	require.NoError(t, mod.Preload(t.Context(), r.dev))
}

func TestCompileOptions(t *testing.T) {
	for _, c := range []struct {
		nvrtc  string
		device int
		want   string
	}{
		{"12.4", 90, "--gpu-architecture=sm_90"},
		{"13.3", 120, "--gpu-architecture=sm_120"},
		{"11.0", 80, "--gpu-architecture=compute_80"},
		{"11.1", 80, "--gpu-architecture=sm_80"},
		{"11.1", 90, "--gpu-architecture=compute_86"},
		{"7.0", 90, "--gpu-architecture=compute_53"},
	} {
		r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: c.device / 10, Minor: c.device % 10}}})
		_, comp := playNVRTC(t, nvrtctest.Config{Version: version(c.nvrtc)})
		restore := rtc.UseCompiler(comp)
		got, err := rtc.CompileOptions(r.dev)
		restore()
		require.NoError(t, err)
		assert.Equal(t, []string{c.want}, got, "%+v", c)
	}
	r := newRig(t, drivertest.Config{Devices: []drivertest.Device{{Major: 5}}})
	_, comp := playNVRTC(t, nvrtctest.Config{Version: version("13.3")})
	defer rtc.UseCompiler(comp)()
	_, err := rtc.CompileOptions(r.dev)
	assert.ErrorContains(t, err, "rtc: compile options: device 0 (Test GPU sm_50, compute capability 5.0) is too old for this NVRTC")
	require.NoError(t, r.dev.Close())
	_, err = rtc.CompileOptions(r.dev)
	assert.ErrorIs(t, err, rtc.ErrClosed)
}

// Real compilers of each version compile what rtc gives them: the dialect is
// C++17, and an architecture of the user's own is not doubled.
func TestRealCompilers(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		for _, options := range [][]string{nil, {"-arch=sm_70"}, {"-arch", "sm_70"}, {" --gpu-architecture=sm_70 "}, {"--gpu-architecture", "compute_70"}, {"-std=c++14"}} {
			mod, err := rtc.NewModule(`
#include "n.h"
template <typename T, typename U> struct same { static constexpr bool value = false; };
template <typename T> struct same<T, T> { static constexpr bool value = true; };
template <typename T> __global__ void k(T *x) { static_assert(N == 7, "n.h"); auto f = [](T v) { return v * N; }; x[0] = f(x[0]); }
template <typename T> struct V { T v[4]; };
extern "C" __global__ void plain(V<V<int>> v) {}`,
				rtc.ModuleConfig{Compiler: c, Options: options, Exports: []string{"k<float>", "k<int>", "k<float>"}, Headers: map[string]string{"n.h": "#define N 7"}})
			require.NoError(t, err, "%v %v", c, options)
			k, err := mod.Kernel("k<int>")
			require.NoError(t, err)
			assert.Equal(t, "int *", k.Signature().String())
			assert.Len(t, mod.Entries(), 3)
			require.NoError(t, mod.Close())
		}
		_, err := rtc.NewModule("extern \"C\" __global__ void k() {\n\tnope();\n}", rtc.ModuleConfig{Compiler: c, Name: "bad.cu"})
		var e *nvrtc.CompileError
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Diagnostics)
		assert.Equal(t, "bad.cu", e.Diagnostics[0].File)
		assert.Equal(t, 2, e.Diagnostics[0].Line)
		assert.ErrorContains(t, err, "rtc: new module: ")
		assert.ErrorContains(t, err, "nope")
	}
}

// B56: nothing can be loaded while a stream is captured; the error says what to
// do, and Preload is the way.
func TestPreloadBeforeCapture(t *testing.T) {
	r := newRig(t, plain)
	mod, late := kernels(t), kernels(t)
	none := kernel(t, mod, "none", "")
	require.NoError(t, mod.Preload(t.Context(), r.dev))
	raw := r.dev.Stream().Raw()
	require.NoError(t, raw.BeginCapture())
	require.NoError(t, none.Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0))
	err := kernel(t, late, "none", "").Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0)
	assert.ErrorIs(t, err, driver.StreamCaptureUnsupported)
	assert.ErrorContains(t, err, "load modules, allocate memory and wait before the capture begins")
	g, err := raw.EndCapture()
	require.NoError(t, err)
	require.NoError(t, g.Close())
	assert.NoError(t, late.Preload(t.Context(), r.dev), "the failure was not kept")
}
