package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func mustParse(t testing.TB, text string) Signature {
	t.Helper()
	sig, err := ParseSignature(text)
	require.NoError(t, err)
	return sig
}

func TestParseSignature(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "void"},
		{" \t\n", "void"},
		{"void", "void"},
		{"const float *x, float *y, float alpha", "const float *x, float *y, float alpha"},
		{"const float*x,float*y,float alpha", "const float *x, float *y, float alpha"},
		{"const float* __restrict__ x", "const float *x"},
		{"float const *x", "const float *x"},
		{"float *const __restrict x", "float *x"},
		{"const int n", "int n"},
		{"volatile int m, int const volatile", "int m, int"},
		{"volatile int *b", "volatile int *b"},
		{"const volatile short *p", "const volatile short *p"},
		{"float **pp", "float **pp"},
		{"const float *const *pp", "const float *const *pp"},
		{"float *volatile *restrict pp", "float *volatile *pp"},
		{"float *const *const*ppp", "float *const *const *ppp"},
		{"void *p, const void*", "void *p, const void *"},
		{"float x[]", "float *x"},
		{"const float x[4]", "const float *x"},
		{"float *x[N]", "float **x"},
		{"unsigned n", "unsigned int n"},
		{"unsigned", "unsigned int"},
		{"unsigned long long n", "unsigned long long n"},
		{"long unsigned int n", "unsigned long n"},
		{"long int long", "long long"},
		{"int short unsigned s", "unsigned short s"},
		{"signed c, signed char d, char signed e", "int c, signed char d, signed char e"},
		{"uint a, ushort b, uchar c, ulong d", "unsigned int a, unsigned short b, unsigned char c, unsigned long d"},
		{"half a, half2 b, nv_bfloat16 c, _Bool d", "__half a, __half2 b, __nv_bfloat16 c, bool d"},
		{"struct Params p", "struct Params p"},
		{"const struct ns::Params *p", "const struct ns::Params *p"},
		{"class A a, union B b", "struct A a, struct B b"},
		{"enum Mode m, enum class ::ns::E e", "enum Mode m, enum ns::E e"},
		{"struct Box<float,3> b", "struct Box<float, 3> b"},
		{"struct Box< unsigned  int , Arr<',' ,-1> >::In b", "struct Box<unsigned int, Arr<',', -1>>::In b"},
		{"struct float4 v", "float4 v"},
		{"float4 v, const int4 *w, double4_32a d, dim3 g", "float4 v, const int4 *w, double4_32a d, dim3 g"},
		{"cuComplex z, cuDoubleComplex w", "cuFloatComplex z, cuDoubleComplex w"},
		{"cuda::std::complex<float> z, cuda::std::__4::complex<double> w", "cuda::std::complex<float> z, cuda::std::complex<double> w"},
		{"thrust::THRUST_200302_700_NS::complex<float> *z", "thrust::complex<float> *z"},
		{"std::size_t n, cuda::std::complex<float> *", "size_t n, cuda::std::complex<float> *"},
		{"const __grid_constant__ struct P p", "struct P p"},
		{"float /* the factor */ alpha, // and\n int n", "float alpha, int n"},
		{"cudaTextureObject_t tex, CUdeviceptr p", "cudaTextureObject_t tex, CUdeviceptr p"},
		{"float *größe", "float *größe"},
		{"float *half, int float4x", "float *half, int float4x"},
	} {
		t.Run(c.text, func(t *testing.T) {
			sig := mustParse(t, c.text)
			require.Equal(t, c.want, sig.String())
			require.Equal(t, sig, mustParse(t, sig.String()))
		})
	}
}

func TestParseSignatureRefuses(t *testing.T) {
	for _, c := range []struct {
		text  string
		index int
		name  string
		msg   string
	}{
		{"const float *x, flot alpha", 1, "alpha", "unknown type flot: did you mean float? Else write struct flot or enum flot"},
		{"foo", 0, "", "unknown type foo"},
		{"ns::foo *x", 0, "x", "unknown type ns::foo"},
		{"float &x", 0, "x", "reference"},
		{"const float &&", 0, "", "reference"},
		{"int *&p", 0, "p", "pass a pointer (int **)"},
		{"void (*f)(int), int n", 0, "", "pointer to one from the host"},
		{"int f(int)", 0, "", "pointer to one from the host"},
		{"int n, ...", 1, "", "no variable arguments"},
		{"int n = 3", 0, "n", "default argument"},
		{"int a,", 1, "", "a comma too many"},
		{",int a", 0, "", "a comma too many"},
		{"void v", 0, "v", "void is no value"},
		{"int a, void", 1, "", "void is no value"},
		{"void v[]", 0, "v", "array of void"},
		{"float x[][4]", 0, "x", "write float *x"},
		{"float x[2", 0, "x", "length of an array"},
		{"unsigned float x", 0, "x", `"unsigned float" is not a type`},
		{"long long long x", 0, "x", "is not a type"},
		{"short long", 0, "", "is not a type"},
		{"signed unsigned x", 0, "x", "is not a type"},
		{"int int", 0, "", "is not a type"},
		{"char int c", 0, "c", "is not a type"},
		{"long double d", 0, "d", "no long double"},
		{"const", 0, "", "it has no type"},
		{"auto x", 0, "x", "auto is no type of a parameter"},
		{"const __int128 x", 0, "x", "pass the halves, as unsigned long long"},
		{"unsigned __int128 *x", 0, "x", "a pointer to some is void *"},
		{"*x", 0, "x", "a type must come first"},
		{"3", 0, "", "a type must come first"},
		{"float x y", 0, "y", `"y" does not belong after "float x"`},
		{"float * x 3", 0, "x", `"3" does not belong`},
		{"int struct", 0, "", "does not belong"},
		{"struct", 0, "", "a type's name must follow"},
		{"struct int x", 0, "x", "a type's name must follow"},
		{"struct A<int x", 0, "x", "a < has no partner"},
		{"struct A<x=3> a", 0, "a", "no place among template arguments"},
		{"typename T x", 0, "x", "unknown type T"},
		{"int if @", -1, "", `'@' at byte 7`},
		{"int \xff", -1, "", "byte 0xff at byte 4"},
		{"int 'a", -1, "", "no partner"},
		{"int /* a", -1, "", "does not end"},
		{"__global__ void k(int a)", -1, "", "parameters alone"},
		{"int a;", -1, "", `parameters alone, without the kernel's name, its parentheses or a semicolon: "int a"`},
		{"(float a, int b)", -1, "", `: "float a, int b"`},
		{"(float a, int b);", -1, "", `: "float a, int b"`},
		{"()", -1, "", "parameters alone"},
		{"(float a", -1, "", "parameters alone"},
		{"void f(const float *a)", -1, "", `: "const float *a"`},
		{"f(float a, int b)", -1, "", `: "float a, int b"`},
		{"extern \"C\" __global__ void f( float a,\nint b ) {", -1, "", `: "float a,\nint b"`},
		{"__global__ void __launch_bounds__(256, 2) f(float a) {}", -1, "", `: "float a"`},
		{"template <typename T, int N> __global__ void f(T *a)", -1, "", `: "T *a"`},
		{"void f(void (*g)(int), int n)", -1, "", `: "void (*g)(int), int n"`},
		{"void f(float a) { g(a); }", -1, "", "parentheses or a semicolon"},
		{"float a; int b", 0, "b", `";" does not belong`},
		{"float a, int b)", 1, "b", `")" does not belong`},
		{"float a, void f(int)", 1, "", "pointer to one from the host"},
		{";", -1, "", "parameters alone"},
		{"float32 a", 0, "a", "unknown type float32: in C it is float"},
		{"const u8 *a", 0, "a", "unknown type u8: in C it is uint8_t"},
		{"int n, x []float32", 1, "x", "in C the type comes first: float *x"},
		{"x *float", 0, "x", "in C the type comes first: float *x"},
		{"n int64", 0, "n", "in C the type comes first: int64_t n"},
		{"alpha double", 0, "alpha", "in C the type comes first: double alpha"},
		{"x & float", 0, "", "unknown type x"},
		{"int *********p", 0, "p", "levels of pointers"},
	} {
		t.Run(c.text, func(t *testing.T) {
			_, err := ParseSignature(c.text)
			var e *SignatureError
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.index, e.Index)
			require.Equal(t, c.name, e.Name)
			require.Equal(t, c.text, e.Signature)
			require.ErrorContains(t, err, c.msg)
			require.NotContains(t, err.Error(), "syntax error")
			require.NotContains(t, err.Error(), `semicolon: "a"`)
		})
	}
}

// The error for an unknown type lists the type table, mx.rtc's nine types among it.
func TestUnknownTypeListsTheTable(t *testing.T) {
	_, err := ParseSignature("quux x")
	for _, name := range []string{"float", "double", "__half", "uint8_t", "int", "int32_t", "int8_t", "char", "int64_t", "float4", "__nv_bfloat16", "cuda::std::complex<float>"} {
		require.ErrorContains(t, err, name)
	}
	for name := range strings.SplitSeq(strings.Split(typeList, ";")[0], ", ") {
		require.NotNil(t, lookup(name), name)
	}
}

func TestReadsAndWrites(t *testing.T) {
	sig := mustParse(t, "const float *x, float *y, float alpha, float *const *p, volatile int *v, const int n, const void *q")
	require.Equal(t, []int{0, 3, 6}, sig.Reads())
	require.Equal(t, []int{1, 4}, sig.Writes())
	require.True(t, sig.Params[0].ReadOnly())
	require.False(t, sig.Params[1].ReadOnly())
	require.False(t, sig.Params[5].ReadOnly(), "const by value reads no memory")
	require.Nil(t, Signature{}.Reads())
}

// What is offered for another language's name is a type.
func TestForeignNamesAreOfTypes(t *testing.T) {
	for name, c := range foreign {
		require.Nil(t, lookup(name), name)
		require.Equal(t, c+" x", mustParse(t, c+" x").String())
	}
}
