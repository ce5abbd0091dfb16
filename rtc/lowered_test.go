package rtc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// A stated signature is held against the types in the name that real compilers
// give the kernel: what the source says always fits.
func TestSignaturesAgainstNames(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	const types = `
typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short uint16_t;
typedef int int32_t; typedef unsigned int uint32_t; typedef long long int64_t; typedef unsigned long long uint64_t;
typedef unsigned long uintptr_t; typedef unsigned long long CUdeviceptr; typedef unsigned long long cudaTextureObject_t;
typedef float2 cuFloatComplex; typedef double2 cuDoubleComplex; typedef float real; typedef const float input;
struct __half { unsigned short x; }; struct __half2 { unsigned int x; }; struct __nv_bfloat16 { unsigned short x; };
struct P { float a; int n; }; enum Old { A }; enum class New : short { B };
namespace ns { struct Q { double d; }; template <class T, int N> struct Arr { T v[N]; }; }
template <class T> struct Traits { typedef T type; typedef const T *in; typedef const T value; };
template <class T, class U> using first = T;
`
	cases := []struct{ params, stated, refused string }{
		{"bool a, char b, signed char c, unsigned char d, short e, unsigned short f", "", "bool a, char b, signed char c, unsigned char d, short e, int f"},
		{"int a, unsigned b, long c, unsigned long d, long long e, unsigned long long f, size_t g", "", "int a, float b, long c, unsigned long d, long long e, unsigned long long f, size_t g"},
		{"int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, uintptr_t i", "", "int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, double g, uint64_t h, uintptr_t i"},
		{"int8_t *a, uint8_t *b, int16_t *c, uint16_t *d, int32_t *e, uint32_t *f, int64_t *g, uint64_t *h, size_t *i, bool *j, char *k", "",
			"int8_t *a, uint8_t *b, int16_t *c, uint16_t *d, float *e, uint32_t *f, int64_t *g, uint64_t *h, size_t *i, bool *j, char *k"},
		{"const float *x, float *y, real z, const real *__restrict__ w", "const float *x, float *y, float z, const float *w", "const float *x, const float *y, float z, const float *w"},
		{"input *x, float *const y, const volatile int *z, int v[4]", "const float *x, float *y, const volatile int *z, int v[]", "const double *x, float *y, const volatile int *z, int v[]"},
		{"float4 a, int2 b, dim3 c, uchar4 d, double2 *e, const float3 *f", "", "float4 a, float2 b, dim3 c, uchar4 d, double2 *e, const float3 *f"},
		{"cuFloatComplex a, cuDoubleComplex *b, cudaTextureObject_t c, CUdeviceptr d", "", "cuFloatComplex a, cuFloatComplex *b, cudaTextureObject_t c, CUdeviceptr d"},
		{"__half a, const __half *b, __half2 *c, __nv_bfloat16 d, __nv_bfloat16 *e", "", "__half a, const __nv_bfloat16 *b, __half2 *c, __nv_bfloat16 d, __nv_bfloat16 *e"},
		{"P a, ns::Q b, ns::Arr<float, 3> c, const P *d, Old e, New f, New *g", "struct P a, struct ns::Q b, struct ns::Arr<float, 3> c, const struct P *d, enum Old e, enum New f, short *g",
			"struct P a, struct ns::Q b, struct ns::Arr<float, 3> c, const struct P *d, enum Old e, enum New f, const enum New *g"},
		{"Traits<float>::type a, Traits<float>::in b, Traits<float>::value *c, first<int, float> *d", "float a, const float *b, const float *c, int *d", "float a, const float *b, const float *c, float *d"},
		{"float **a, float *const *b, void *c, const void *d, void **e", "", "float **a, float *const *b, const void *c, const void *d, void **e"},
		{"float (*a)[4], const int (*b)[2]", "float *a, const int *b", "int *a, const int *b"},
		{"int &a, const float &b, int *c", "int *a, const float *b, int *c", "int *a, const float *b, float *c"},
		{"int (*a)(int), int P::*b, int *c", "unsigned long long a, long long b, int *c", "unsigned long long a, long long b, float *c"},
		{"", "", "int a"},
		{"template <class T> const T *x, T *y, T z", "const float *x, float *y, float z", "const double *x, float *y, float z"},
		{"template <class T> typename Traits<T>::type x, typename Traits<T>::in y, typename Traits<T>::value *z", "float x, const float *y, const float *z", "float x, const float *y"},
		{"template <class... T> const T *...x", "const float *x", "float *x, int *y"},
	}
	var source strings.Builder
	var exports []string
	source.WriteString(types)
	for i := range cases {
		c := &cases[i]
		export := fmt.Sprintf("k%d", i)
		if rest, ok := strings.CutPrefix(c.params, "template "); ok {
			head, tail, _ := strings.Cut(rest, "> ")
			fmt.Fprintf(&source, "template %s> ", head)
			c.params, export = tail, export+"<float>"
		}
		fmt.Fprintf(&source, "__global__ void k%d(%s) {}\n", i, c.params)
		exports = append(exports, export)
		if c.stated == "" {
			c.stated = c.params
		}
	}
	for _, comp := range nvrtctest.Reals() {
		mod, err := rtc.NewModule(source.String(), rtc.ModuleConfig{Compiler: comp, Exports: exports})
		require.NoError(t, err)
		for i, c := range cases {
			what := fmt.Sprintf("%s, %s", c.params, comp.Version())
			_, err = mod.Kernel(exports[i], c.stated)
			assert.NoError(t, err, what)
			_, err = mod.Kernel(exports[i], c.refused)
			var e *abi.LayoutError
			assert.ErrorAs(t, err, &e, what)
			// What the name itself says, as text.
			if k, err := mod.Kernel(exports[i]); err == nil {
				if again, err := abi.ParseSignature(k.Signature().String()); err == nil {
					assert.NoError(t, again.CheckMangled("k", k.Entry(), abi.Host), what)
				}
			}
		}
		require.NoError(t, mod.Close())
	}
}

func TestStatedForATemplate(t *testing.T) {
	mod := compile(t, "template <typename T> __global__ void axpy(const T *x, T *y, T alpha) {}", rtc.ModuleConfig{Exports: []string{"axpy<float>", "axpy<long>"}})
	for _, c := range []struct{ name, signature, want string }{
		{"axpy<float>", "const double *x, float *y, float alpha",
			"rtc: kernel axpy<float> of kernel.cu: abi: argument 0 (x): signature says const double *, the compiled kernel takes const float *; void * takes an array of any type"},
		{"axpy<float>", "const float *x, const float *y, float alpha", "argument 1 (y): signature says const float *, the compiled kernel takes float *; const says that the kernel only reads"},
		{"axpy<float>", "const float *x, float *y, double alpha", "argument 2 (alpha): signature says double, the compiled kernel takes float"},
		{"_Z4axpyIfEvPKT_PS0_S0_", "const int *x, float *y, float alpha", "argument 0 (x)"},
		{"axpy<float>", "const void *x, float *y, float alpha", ""},
		{"axpy<float>", "float *x, float *y, float alpha", ""},
	} {
		_, err := mod.Kernel(c.name, c.signature)
		if c.want == "" {
			assert.NoError(t, err, c.signature)
		} else {
			assert.ErrorContains(t, err, c.want)
		}
	}
}

// Code that was compiled elsewhere may have another long.
func TestLoadedLong(t *testing.T) {
	const head = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry _Z1klPl(\n"
	for _, c := range []struct{ param, fits, differs string }{
		{".u32", "int n, int *p", "int n, float *p"},
		{".u64", "long long n, long long *p", "long long n, double *p"},
	} {
		mod, err := rtc.LoadModule([]byte(head+"\t.param "+c.param+" n,\n\t.param .u64 p\n)\n{\n\tret;\n}\n"), rtc.ModuleConfig{})
		require.NoError(t, err)
		_, err = mod.Kernel("_Z1klPl", c.fits)
		assert.NoError(t, err)
		_, err = mod.Kernel("_Z1klPl", c.differs)
		var e *abi.LayoutError
		assert.ErrorAs(t, err, &e)
		require.NoError(t, mod.Close())
	}
}
