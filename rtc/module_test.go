package rtc_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

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
		"of a fatbin":    {"\x50\xed\x55\xba\x01\x00\x10\x00\x05\x00\x00\x00\x00\x00\x00\x00 more", []string{"k<int>"}, `export "k<int>": a fatbin does not tell readable names`},
		"of a bad cubin": {emptyELF, []string{"k<int>"}, `export "k<int>": a cubin does not tell readable names`},
		"cut cubin":      {string(kernelsCUBIN[:len(kernelsCUBIN)-1]), nil, "the image is cut short: "},
		"cut ELF header": {"\x7fELF", nil, "the image is a cubin that is cut short: 4 bytes"},
		"32-bit ELF":     {"\x7fELF\x01\x01" + emptyELF[6:], nil, "the image is an ELF file that is no cubin: ELFCLASS32"},
		"cut fatbin":     {"\x50\xed\x55\xba\x01\x00\x10\x00\x06\x00\x00\x00\x00\x00\x00\x00 more", nil, "the image is cut short: 21 bytes of at least 22"},
		"only NUL":       {"\x00", nil, "the image is empty"},
		"host's ELF":     {"\x7fELF\x02\x01\x01" + emptyELF[7:18] + "\x3e\x00" + emptyELF[20:], nil, "the image is an ELF file for the host, no cubin"},
		"a file's name":  {"kernels/f.cubin", nil, "it is the name of a file: give what is in it (os.ReadFile)"},
		"a source":       {`extern "C" __global__ void f() {}`, nil, "it is CUDA C++, which NewModule compiles"},
	} {
		_, err := rtc.LoadModule([]byte(c.image), rtc.ModuleConfig{Name: "it", Exports: c.exports})
		assert.ErrorContains(t, err, c.want, name)
		assert.ErrorContains(t, err, "rtc: load module it: ", name)
	}
	// What only the driver can tell is told when the module is loaded.
	r := newRig(t, drivertest.Config{})
	mod, err := rtc.LoadModule([]byte(emptyELF), rtc.ModuleConfig{Name: "it"})
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
			"table": "rtc: variable table of " + name + ": it has 16 bytes; float64 array [4] has 32: the shape must be of 2 elements",
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
		for _, options := range [][]string{nil, {"-arch=sm_75"}, {"-arch", "sm_75"}, {" --gpu-architecture=sm_75 "}, {"--gpu-architecture", "compute_75"}, {"-std=c++14"}} {
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

// emptyELF is the header of a 64-bit ELF file that has nothing else.
var emptyELF = "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 57)

func TestCompileErrorInFull(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	_, err := rtc.NewModule("__global__ void k() {\n\tone();\n\ttwo();\n}", rtc.ModuleConfig{Compiler: nvrtctest.Reals()[0], Name: "k.cu"})
	require.Error(t, err)
	assert.Equal(t, err.Error(), fmt.Sprintf("%v", err))
	assert.Equal(t, fmt.Sprintf("%q", err.Error()), fmt.Sprintf("%q", err))
	assert.NotContains(t, err.Error(), "two")
	full := fmt.Sprintf("%+v", err)
	assert.Contains(t, full, "rtc: new module: ")
	assert.Contains(t, full, "two", "the whole log")
	var e *nvrtc.CompileError
	assert.ErrorAs(t, err, &e)
}
