package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A signature read from a name agrees with that name, as it is and as text.
func TestCheckMangledOfItself(t *testing.T) {
	for _, k := range readKernels(t) {
		sig, err := FromMangled(k.lowered)
		if err != nil {
			continue
		}
		require.NoError(t, sig.CheckMangled(k.expr, k.lowered, Host))
		if again, err := ParseSignature(sig.String()); err == nil {
			require.NoError(t, again.CheckMangled(k.expr, k.lowered, Host), k.expr)
		}
		if len(sig.Params) > 0 {
			short := Signature{Params: sig.Params[1:]}
			require.ErrorContains(t, short.CheckMangled(k.expr, k.lowered, Host), "the compiled kernel takes ", k.expr)
		}
		// A number of the table has the size of the name's, or is refused.
		if inner, ok := strings.CutPrefix(k.expr, "val<"); ok {
			want, err := ParseSignature(strings.TrimSuffix(inner, ">"))
			if err != nil {
				continue
			}
			for _, other := range rows {
				stated, err := ParseSignature("char, " + other.names[0] + ", void *")
				require.NoError(t, err)
				a, b := stated.Params[1].Type, want.Params[0].Type
				if a.Kind != Scalar || b.Kind != Scalar {
					continue
				}
				if stated.CheckMangled("", k.lowered, Host) == nil {
					require.Equal(t, b.Size(Host), a.Size(Host), "%s for %s", a.String(), k.expr)
				} else {
					require.NotEqual(t, b.DType(Host), a.DType(Host), "%s for %s", a.String(), k.expr)
				}
			}
		}
	}
}

func TestCheckMangled(t *testing.T) {
	for _, c := range []struct {
		name, lowered string
		fit, differ   string // signatures, one a line
	}{
		{"a template", "_Z4axpyIfEvPKT_PS0_S0_",
			`const float *x, float *y, float alpha
			 float *, float *, float
			 const float *__restrict__ x, float y[], const float alpha
			 const float2 *, float4 *, float1
			 const void *, void *, float
			 const char *, char *, float
			 const cuComplex *, thrust::complex<float> *, float
			 const struct S *, struct S *, float
			 CUdeviceptr x, unsigned long long y, float
			 uintptr_t x, uint64_t y, float`,
			`const double *x, float *y, float alpha
			 const float *x, double *y, float alpha
			 const float *x, float *y, double alpha
			 const float *x, float *y, int alpha
			 const float *x, float *y, float *alpha
			 const float *x, float *y, enum E alpha
			 const float *x, const float *y, float alpha
			 const float *x, const void *y, float alpha
			 const int *x, float *y, float alpha
			 const unsigned *x, float *y, float alpha
			 const __half *x, float *y, float alpha
			 const enum E *x, float *y, float alpha
			 const double2 *x, float *y, float alpha
			 const float **x, float *y, float alpha
			 const float *const *x, float *y, float alpha
			 const float *x, size_t y, float alpha
			 const float *x, long long y, float alpha
			 const float *x, cudaTextureObject_t y, float alpha
			 const float *x, struct S y, float alpha
			 float x, float *y, float alpha
			 const float *x, float *y
			 const float *x, float *y, float alpha, int n
			 void`},
		{"integers", "_Z1kahstijlmxycbw", // signed char … wchar_t
			`int8_t, uint8_t, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, char, bool, wchar_t
			 uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, size_t, ptrdiff_t, uint64_t, int64_t, signed char, char, wchar_t
			 bool, enum A, enum B, enum C, enum D, enum E, enum F, enum G, enum H, enum I, bool, bool, enum J
			 __nv_fp8_e4m3, __nv_fp8_e5m2, __half, __nv_bfloat16, struct S, int, intptr_t, void *, int64_t, CUdeviceptr, char, bool, wchar_t
			 char, char, short, short, int, int, long, cudaTextureObject_t, long long, float *, char, char, struct W`,
			`short, uint8_t, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, char, bool, wchar_t
			 char, char, short, short, float, unsigned, long, unsigned long, long long, unsigned long long, char, bool, wchar_t
			 char, char, short, short, int, unsigned, long, unsigned long, double, unsigned long long, char, bool, wchar_t
			 char, char, short, short, int, unsigned, long, unsigned long, float *, unsigned long long, char, bool, wchar_t
			 char, char, short, short, int, unsigned, long, unsigned long, int2 , float2, char, bool, wchar_t`},
		{"behind pointers", "_Z1kPaPhPsPtPiPjPlPmPxPyPcPbPf",
			`int8_t *, uint8_t *, short *, unsigned short *, int *, unsigned *, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *
			 uint8_t *, bool *, uint16_t *, __half *, uint32_t *, enum E *, size_t *, float **, int64_t *, void **, float *, uint8_t *, void *
			 char *, __nv_fp8_e4m3 *, int16_t *, __nv_bfloat16 *, int4 *, int *, unsigned long *, long *, uint64_t *, struct S **, struct S *, char *, struct S *`,
			`short *, uint8_t *, short *, unsigned short *, int *, unsigned *, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *
			 int8_t *, float *, short *, unsigned short *, int *, unsigned *, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *
			 int8_t *, uint8_t *, short *, unsigned short *, float *, unsigned *, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *
			 int8_t *, uint8_t *, short *, unsigned short *, int *, unsigned *, long *, unsigned long *, double *, unsigned long long *, char *, bool *, float *
			 int8_t *, uint8_t *, short *, unsigned short *, int *, unsigned *, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, int *
			 int8_t *, uint8_t *, short *, unsigned short *, int *, unsigned *, short *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *
			 int8_t *, uint8_t *, short *, unsigned short *, int *, float **, long *, unsigned long *, long long *, unsigned long long *, char *, bool *, float *`},
		{"floats of few bits", "_Z1k6__half13__nv_bfloat1613__nv_fp8_e4m37__half2P6__halfP13__nv_bfloat16P13__nv_fp8_e5m2P7__half2",
			`__half, __nv_bfloat16, __nv_fp8_e4m3, __half2, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 half, nv_bfloat16, __nv_fp8_e4m3, half2, half2 *, __nv_bfloat162 *, __nv_fp8x4_e5m2 *, half *
			 struct __half, struct My, uint8_t, unsigned, struct __half *, struct My *, uint8_t *, uint16_t *
			 unsigned short, uint16_t, int8_t, int, unsigned short *, short *, int8_t *, void *`,
			`__nv_bfloat16, __nv_bfloat16, __nv_fp8_e4m3, __half2, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __half, __nv_fp8_e4m3, __half2, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e5m2, __half2, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e4m3, __nv_bfloat162, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e4m3, float, __half *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e4m3, __half2, float *, __nv_bfloat16 *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e4m3, __half2, __half *, __half *, __nv_fp8_e5m2 *, __half2 *
			 __half, __nv_bfloat16, __nv_fp8_e4m3, __half2, __half *, unsigned *, __nv_fp8_e5m2 *, __half2 *`},
		{"vectors and complex", "_Z1k6float24int47double26uchar45uint3N6thrust20THRUST_200302_700_NS7complexIfEEPK6float4P5uint4PN6thrust20THRUST_200302_700_NS7complexIdEE",
			`float2, int4, double2, uchar4, uint3, thrust::complex<float>, const float4 *, uint4 *, thrust::complex<double> *
			 cuComplex, uint4, cuDoubleComplex, unsigned, dim3, cuFloatComplex, const float *, __half *, double *
			 cuda::std::complex<float>, struct V, struct Z, char4, int3, float2, const cuComplex *, double *, cuDoubleComplex *`,
			`float, int4, double2, uchar4, uint3, float2, const float4 *, uint4 *, double2 *
			 double, int4, double2, uchar4, uint3, float2, const float4 *, uint4 *, double2 *
			 float2, float4, double2, uchar4, uint3, float2, const float4 *, uint4 *, double2 *
			 float2, int4, float4, uchar4, uint3, float2, const float4 *, uint4 *, double2 *
			 float2, int4, double2, float, uint3, float2, const float4 *, uint4 *, double2 *
			 float2, int4, double2, uchar4, float3, float2, const float4 *, uint4 *, double2 *
			 float2, int4, double2, uchar4, uint3, int2, const float4 *, uint4 *, double2 *
			 float2, int4, double2, uchar4, uint3, float2, const double4 *, uint4 *, double2 *
			 float2, int4, double2, uchar4, uint3, float2, const float4 *, uint4 *, float2 *`},
		{"pointers to pointers", "_Z1kPPfPKPKfPPKvPA4_f",
			`float **, const float *const *, const void **, float *
			 const float **, float **, float **, float4 *
			 void **, unsigned long long *, const char **, void *
			 void *, const void *, int **, float[]
			 size_t *, const uint64_t *, unsigned long long *, char *`,
			`double **, const float *const *, const void **, float *
			 float ***, const float *const *, const void **, float *
			 float *, const float *const *, const void **, float *
			 float *const *, const float *const *, const void **, float *
			 float **, const float *const *, const void **, float **
			 float **, const int *const *, const void **, float *
			 float **, const float *const *, const void **, int *
			 unsigned *, const float *const *, const void **, float *`},
		{"void and char", "_Z1kPvPKvPcPKh",
			`float *, const double *, int *, const unsigned char *
			 void *, const struct S *, float **, const void *
			 enum E *, float *, double4 *, const char *`,
			`const float *, const double *, int *, const unsigned char *
			 float *, const double *, const int *, const unsigned char *
			 float *, const double *, int *, const float *
			 int, const double *, int *, const unsigned char *`},
		{"the program's own types", "_Z3cls6ParamsN2ns3BoxENS0_3ArrIfLi3EEE4Mode3OldNS0_1EEPS_PKNS2_IiLi2EEEP6float4Pi",
			`struct Params p, struct ns::Box b, struct ns::Arr<float, 3> a, enum Mode m, enum Old o, enum ns::E e, struct Params *pp, const struct ns::Arr<int, 2> *aa, float4 *f, int *out
			 struct Other p, struct B b, float3 a, int m, unsigned char o, short e, float *pp, void *aa, float *f, unsigned *out
			 double p, float *b, struct S a, bool m, float o, enum F e, enum E *pp, const float *aa, struct V *f, enum Mode *out`,
			`struct Params p, struct ns::Box b, struct ns::Arr<float, 3> a, enum Mode m, enum Old o, enum ns::E e, const struct Params *pp, const struct ns::Arr<int, 2> *aa, float4 *f, int *out
			 struct Params p, struct ns::Box b, struct ns::Arr<float, 3> a, enum Mode m, enum Old o, enum ns::E e, enum Params pp, const struct ns::Arr<int, 2> *aa, float4 *f, int *out
			 struct Params p, struct ns::Box b, struct ns::Arr<float, 3> a, enum Mode m, enum Old o, enum ns::E e, struct Params *pp, const struct ns::Arr<int, 2> *aa, float4 *f, float *out`},
		// A type that depends on a template argument may be anything, const too.
		{"dependent types", "_Z3depIfEvN6TraitsIT_E4typeENS2_7pointerEPNS2_4typeE",
			"float, float *, const float *\ndouble, long long, const int *", "float, float *, float\nfloat, float *"},
		{"what can't be passed", "_Z1kRiOfPFvvEM1AiRKfi",
			"int *, float *, unsigned long long, int, const float *, int\nfloat *, unsigned long long, void *, struct S, float *, unsigned", "int *, float *, int *, int *, float *, float\nint *"},
		{"a pack", "_Z4packIJifdEEvDpT_", "int, float, double", "int, float\nfloat, int, double\nint, float, double, int"},
		{"no parameters", "_Z4nonev", "void\n\n", "int"},
		{"types that only the compiler has", "_Z1kDnDF16_noe", "void *, unsigned short, struct I, struct J, double", "void *"},
		{"a clone", "_Z1kPi.kernel.1", "int *", "float *"},
		{"extern \"C\"", "axpy", "const double *\nvoid\nint, int", ""},
		{"no name at all", "_Zk", "const double *", ""},
		{"a variable's", "_ZN2ns1cE", "const double *", ""},
		{"a length that is not told", "_Z1kIJiEEvDpT0_", "const double *\nint", ""},
	} {
		if HostModel() == LLP64 && (c.name == "integers" || c.name == "behind pointers") {
			continue // they have a long of 8 bytes
		}
		for line := range strings.SplitSeq(c.fit, "\n") {
			sig, err := ParseSignature(strings.TrimSpace(line))
			if assert.NoError(t, err) {
				assert.NoError(t, sig.CheckMangled("k", c.lowered, Host), "%s: %s", c.name, line)
			}
		}
		for line := range strings.SplitSeq(c.differ, "\n") {
			if c.differ == "" {
				break
			}
			sig, err := ParseSignature(strings.TrimSpace(line))
			if assert.NoError(t, err) {
				var e *LayoutError
				assert.ErrorAs(t, sig.CheckMangled("k", c.lowered, Host), &e, "%s: %s", c.name, line)
			}
		}
	}
}

func TestCheckMangledSays(t *testing.T) {
	const axpy = "_Z4axpyIfEvPKT_PS0_S0_"
	for signature, want := range map[string]string{
		"const double *x, float *y, float alpha":      "abi: kernel axpy<float>: argument 0 (x): signature says const double *, the compiled kernel takes const float *; void * takes an array of any type",
		"const float *x, const float *y, float alpha": "abi: kernel axpy<float>: argument 1 (y): signature says const float *, the compiled kernel takes float *; const says that the kernel only reads what is there",
		"const float *, float *, float *":             "abi: kernel axpy<float>: argument 2: signature says float *, the compiled kernel takes float",
		"const float *x, int y, float alpha":          "abi: kernel axpy<float>: argument 1 (y): signature says int, the compiled kernel takes float *; an address that is a number is a CUdeviceptr",
		"const float *x, float *y":                    `abi: kernel axpy<float>: signature "const float *x, float *y" has 2 parameters, the compiled kernel takes 3: "const float *, float *, float"`,
	} {
		sig, err := ParseSignature(signature)
		require.NoError(t, err)
		assert.EqualError(t, sig.CheckMangled("axpy<float>", axpy, Host), want)
	}
}

// long is as wide as it is where the code was compiled.
func TestCheckMangledModels(t *testing.T) {
	for _, c := range []struct {
		signature   string
		lp64, llp64 bool
	}{
		{"long long n, long long *p", true, false},
		{"int64_t n, uint64_t *p", true, false},
		{"int n, int *p", false, true},
		{"float n, float *p", false, false},
	} {
		sig, err := ParseSignature(c.signature)
		require.NoError(t, err)
		assert.Equal(t, c.lp64, sig.CheckMangled("k", "_Z1klPl", LP64) == nil, c.signature)
		assert.Equal(t, c.llp64, sig.CheckMangled("k", "_Z1klPl", LLP64) == nil, c.signature)
	}
}
