package rtc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// A name that is no kernel's: the error says what it is, or what there is.
func TestNoSuchKernel(t *testing.T) {
	const blas = `
namespace ns {
template <typename T> __global__ void axpy(T *x) {}
__global__ void one(int *x) {}
__device__ int n;
}
template <typename T, int N> __global__ void f(T *x) { *x = N; ns::n = 1; }
__global__ void over(int *x) {}
__global__ void over(unsigned int *x) {}`
	exports := []string{"f<float, 3>", "ns::axpy<float>", "ns::axpy<double>"}
	for name, c := range map[string]struct {
		source  string
		exports []string
		kernel  string
		want    []string
	}{
		"device function":    {`extern "C" __device__ void f(float *x) { *x = 1; }`, nil, "f", []string{"it is a __device__ function in the source, not a kernel: declare it __global__"}},
		"beside a kernel":    {`extern "C" __device__ void f(float *x) { *x = 1; } extern "C" __global__ void g(float *x) { f(x); }`, nil, "f", []string{"a __device__ function", "declare it __global__"}},
		"not inlined":        {`extern "C" __device__ __noinline__ void f(float *x) { *x = 1; } extern "C" __global__ void g(float *x) { f(x); }`, nil, "f", []string{"function of the device, not a kernel", "declare it __global__"}},
		"by a macro":         {"#define DEV extern \"C\" __device__\nDEV void f(float *x) { *x = 1; }", nil, "f", []string{"the source defines no kernel"}},
		"in a comment":       {"/* __device__ void f( */ // __device__ void f(\n#define X __device__ void f()\nextern \"C\" __global__ void g() {}", nil, "f", []string{"the module has g;"}},
		"a parameter":        {`extern "C" __global__ void g(float f) {}`, nil, "f", []string{"no such kernel: the module has g;"}},
		"a variable of it":   {`extern "C" __global__ void g(float *x) { float f = 1; x[0] = f; }`, nil, "f", []string{"no such kernel: the module has g;"}},
		"empty":              {"\n", nil, "f", []string{"no such kernel: the source is empty, and defines no kernel, which is a function declared __global__"}},
		"comments":           {" // __global__ void f() {}\n/* */ ", nil, "f", []string{"the source is empty"}},
		"functions alone":    {"__device__ float sq(float x) { return x * x; }", nil, "f", []string{"no such kernel: the source defines no kernel"}},
		"left out":           {"#if 0\nextern \"C\" __global__ void f() {}\n#endif", nil, "f", []string{"the source has it", "#if", "the module has none"}},
		"a template":         {"template <typename T> __global__ void f(T x) {}\nextern \"C\" __global__ void g() {}", nil, "f", []string{`f is a template`, `such as "f<float>"`, "the module has g"}},
		"a template's":       {blas, exports, "f<float, 4>", []string{`"f<float, 3>"`, `"ns::axpy<float>"`, "_Z4overPi (over(int*))", `list "f<float, 4>" there`}},
		"without namespace":  {blas, exports, "axpy", []string{`ask for "ns::axpy<double>" or "ns::axpy<float>", as Exports has it`}},
		"and with arguments": {blas, exports, "axpy<float>", []string{`ask for "ns::axpy<float>", as Exports has it`}},
		"and with others":    {blas, exports, "axpy<int>", []string{`list "ns::axpy<int>" there`}},
		"not exported":       {blas, exports, "one", []string{"_ZN2ns3oneEPi", `list "ns::one" in Exports`}},
		"overloaded":         {blas, exports, "over", []string{"it is overloaded", "_Z4overPi", "_Z4overPj", `"static_cast<void(*)(int*)>(over)"`, `"static_cast<void(*)(unsigned int*)>(over)"`}},
		"with parameters":    {blas, exports, "void over(unsigned int *)", []string{"_Z4overPj:", `list "static_cast<void(*)(unsigned int*)>(over)"`}},
		"misspelled":         {blas, exports, "F<float, 3>", []string{"the source has no F; the module has ", `"f<float, 3>"`}},
		"variable":           {`__device__ float g; extern "C" __global__ void k(float *x) { *x = g; }`, nil, "g", []string{"it is a variable, not a kernel: ask Module.Global for it"}},
		"constant":           {`__constant__ float g[3]; extern "C" __global__ void k() {}`, nil, "g", []string{"it is a variable, not a kernel: ask Module.Global for it"}},
		"no variable":        {"#if 0\n__device__ float g[3];\n#endif\nextern \"C\" __global__ void k() {}", nil, "g", []string{"it is a variable, not a kernel", "the compiler left it out", `list "&g" in Exports`}},
		"exported variable":  {`__device__ float g[3]; extern "C" __global__ void k() {}`, []string{"&g"}, "&g", []string{"it is a variable, not a kernel"}},
		"the same":           {`__device__ float g[3]; extern "C" __global__ void k() {}`, []string{"&g"}, "g", []string{"it is a variable, not a kernel"}},
		"of a namespace":     {blas, exports, "ns::n", []string{"it is a variable, not a kernel"}},
		"of one, by itself":  {blas, exports, "n", []string{"it is a variable, not a kernel", `by the name "ns::n"`}},
	} {
		mod := compile(t, c.source, rtc.ModuleConfig{Exports: c.exports})
		_, err := mod.Kernel(c.kernel, "float *x")
		require.Error(t, err, name)
		for _, w := range c.want {
			assert.ErrorContains(t, err, w, name)
		}
	}
	image, err := rtc.LoadModule([]byte(".version 7.0\n.target sm_52\n.address_size 64\n"), rtc.ModuleConfig{})
	require.NoError(t, err)
	_, err = image.Kernel("f", "")
	assert.ErrorContains(t, err, "no such kernel: the image has none")
}

// What errors say to write does work, on every compiler.
func TestAdviceOnNamesHolds(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	for _, c := range nvrtctest.Reals() {
		cast := "static_cast<void(*)(unsigned int*)>(over)"
		mod, err := rtc.NewModule(`__global__ void over(int *x) {} __global__ void over(unsigned int *x) {} namespace ns { template <typename T> __global__ void f(T *x) {} }`,
			rtc.ModuleConfig{Compiler: c, Exports: []string{cast, "ns::f<unsigned int>"}})
		require.NoError(t, err)
		for _, name := range []string{cast, "static_cast< void (*)( unsigned int * ) >( over )", "ns::f<unsigned  int>", " ns :: f < unsigned int > "} {
			k, err := mod.Kernel(name)
			require.NoError(t, err)
			assert.Equal(t, "unsigned int *", k.Signature().String())
			assert.Equal(t, name, k.Name())
		}
		_, err = mod.Kernel("ns::f<unsignedint>")
		assert.ErrorContains(t, err, `"ns::f<unsigned int>"`)
		require.NoError(t, mod.Close())

		_, err = rtc.NewModule(`__device__ void f(float *x) {}`, rtc.ModuleConfig{Compiler: c, Exports: []string{"f"}})
		var bad *nvrtc.ExportError
		require.ErrorAs(t, err, &bad)
		assert.Equal(t, []string{"f"}, bad.Exports)
		assert.ErrorContains(t, err, "hint: an export of a function is a kernel: declare it __global__")
	}
}

// Exports that differ in blanks alone, and a name that is none of them.
func TestExportsLikeOneAnother(t *testing.T) {
	mod := compile(t, `template <int C> __global__ void k() {} extern "C" __global__ void g() {}`,
		rtc.ModuleConfig{Exports: []string{"k<' '>", "k<'	'>", "k<3>", " k<3 >", "k< 4>"}})
	for _, name := range []string{"k<' '>", "k<'	'>", "k<3>", " k<3 >", "k<3 >", "k< 4>", "k<4>", "g", " g "} {
		_, err := mod.Kernel(name, "")
		assert.NoError(t, err, name)
	}
	_, err := mod.Kernel("k<'  '>", "")
	assert.ErrorContains(t, err, `several exports differ from it in blanks alone: ask for one of "k<' '>", "k<'\t'>"`)
}

// A kernel asked for as a variable.
func TestKernelIsNoVariable(t *testing.T) {
	r := newRig(t, plain)
	mod := compile(t, `template <typename T> __global__ void k(T *x) {} extern "C" __global__ void g() {}`, rtc.ModuleConfig{Exports: []string{"k<float>"}})
	for _, name := range []string{"g", "&g", "k<float>", "_Z1kIfEvPT_"} {
		_, err := mod.Global(r.dev, name, rtc.Float32)
		assert.ErrorContains(t, err, "it is a kernel, not a variable: ask Module.Kernel for it", name)
	}
}
