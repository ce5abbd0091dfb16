package abi

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// What NVRTC 11.2, 11.8 and 12.4 make of each type, a char standing before it.
func TestLayoutOfTypes(t *testing.T) {
	for _, c := range []struct {
		ctype       string
		size, align int
	}{
		{"bool", 1, 1}, {"char", 1, 1}, {"short", 2, 2}, {"int", 4, 4}, {"long long", 8, 8},
		{"size_t", 8, 8}, {"unsigned char", 1, 1}, {"uint16_t", 2, 2}, {"wchar_t", 4, 4},
		{"__half", 2, 2}, {"__half2", 4, 4}, {"__nv_bfloat16", 2, 2}, {"__nv_bfloat162", 4, 4},
		{"__nv_fp8_e4m3", 1, 1}, {"__nv_fp8x2_e5m2", 2, 2}, {"__nv_fp8x4_e4m3", 4, 4},
		{"float", 4, 4}, {"double", 8, 8},
		{"char3", 3, 1}, {"char4", 4, 4}, {"short3", 6, 2}, {"short4", 8, 8},
		{"float1", 4, 4}, {"float2", 8, 8}, {"float3", 12, 4}, {"float4", 16, 16}, {"int4", 16, 16},
		{"double2", 16, 16}, {"longlong3", 24, 8}, {"double4", 32, 16}, {"double4_16a", 32, 16}, {"double4_32a", 32, 32},
		{"dim3", 12, 4}, {"cuFloatComplex", 8, 8}, {"cuDoubleComplex", 16, 16}, {"thrust::complex<float>", 8, 8},
		{"cuda::std::complex<double>", 16, 16},
		{"float *", 8, 8}, {"void **", 8, 8}, {"int x[4]", 8, 8}, {"struct P *", 8, 8},
	} {
		t.Run(c.ctype, func(t *testing.T) {
			slots, err := mustParse(t, "char a, "+c.ctype+", int b").Layout(LP64)
			require.NoError(t, err)
			at := max(1, c.align)
			b := roundUp(at+c.size, 4)
			require.Equal(t, []Slot{{0, 1, 1}, {at, c.size, c.align}, {b, 4, 4}}, slots)
		})
	}
}

// long is 8 bytes on Linux and 4 on Windows, int64_t and long long are 8 everywhere.
func TestLayoutOfLong(t *testing.T) {
	sig := mustParse(t, "long a, unsigned long b, long long c, int64_t d, long2 e, ulong4 f, wchar_t g, size_t h")
	sizes := func(m DataModel) (s []int) {
		slots, err := sig.Layout(m)
		require.NoError(t, err)
		for _, slot := range slots {
			s = append(s, slot.Size)
		}
		return s
	}
	require.Equal(t, []int{8, 8, 8, 8, 16, 32, 4, 8}, sizes(LP64))
	require.Equal(t, []int{4, 4, 8, 8, 8, 16, 2, 8}, sizes(LLP64))
	require.Equal(t, sizes(HostModel()), sizes(Host))
	require.Equal(t, Int32, sig.Params[0].Type.DType(LLP64))
	require.Equal(t, 8, sig.Params[4].Type.Align(LLP64))
	require.Equal(t, 16, sig.Params[4].Type.Align(LP64))
}

func TestLayoutRefuses(t *testing.T) {
	_, err := mustParse(t, "int n, struct P p").Layout(Host)
	require.EqualError(t, err, "abi: kernel: argument 1 (p): only the compiled kernel tells the size of struct P")
	big := Signature{Params: make([]Param, MaxParamBytes/8+1)}
	for i := range big.Params {
		big.Params[i].Type = *lookup("double")
	}
	_, err = big.Layout(Host)
	require.ErrorContains(t, err, "32768 bytes of parameters, of at most 32764")
	big.Params = big.Params[1:]
	_, err = big.Layout(Host)
	require.NoError(t, err)
}

// B38.cu: every kernel with its signature in text and its parameters in the PTX of
// NVRTC 11.2, 11.8 and 12.4.
var b38 = []struct {
	kernel, signature string
	slots             []Slot
}{
	{"k_bool", "bool b, int *o", []Slot{{0, 1, 1}, {8, 8, 8}}},
	{"k_half", "struct half_t h, int *o", []Slot{{0, 2, 2}, {8, 8, 8}}},
	{"k_ints", "char a, short b, int c, long d, long long e, unsigned char f, size_t g, int *o", []Slot{{0, 1, 1}, {2, 2, 2}, {4, 4, 4}, {8, 8, 8}, {16, 8, 8}, {24, 1, 1}, {32, 8, 8}, {40, 8, 8}}},
	{"k_vec3", "float3 v, int *o", []Slot{{0, 12, 4}, {16, 8, 8}}},
	{"k_vec4", "float *p, const int4 v, int *o", []Slot{{0, 8, 8}, {16, 16, 16}, {32, 8, 8}}},
	{"k_d2", "char c, double2 v, int *o", []Slot{{0, 1, 1}, {16, 16, 16}, {32, 8, 8}}},
	{"k_s1", "char c, struct S1 v, int *o", []Slot{{0, 1, 1}, {8, 24, 8}, {32, 8, 8}}},
	{"k_s3", "char c, struct S3 v, int *o", []Slot{{0, 1, 1}, {16, 16, 16}, {32, 8, 8}}},
	{"k_empty", "int a, struct E e, int b, int *o", []Slot{{0, 4, 4}, {4, 1, 1}, {8, 4, 4}, {16, 8, 8}}},
	{"k_pk", "char c, struct PK v, int *o", []Slot{{0, 1, 1}, {1, 5, 1}, {8, 8, 8}}},
	{"k_enum", "enum Mode m, int *o", []Slot{{0, 1, 1}, {8, 8, 8}}},
	{"k_cplx", "char c, struct cplx<float> a, struct cplx<double> b, float2 f, int *o", []Slot{{0, 1, 1}, {4, 8, 4}, {16, 16, 8}, {32, 8, 8}, {40, 8, 8}}},
	{"k_ptrs", "const float *__restrict__ a, volatile int *b, int **c, void *d, int f[4], int *r, int *o", []Slot{{0, 8, 8}, {8, 8, 8}, {16, 8, 8}, {24, 8, 8}, {32, 8, 8}, {40, 8, 8}, {48, 8, 8}}},
	{"k_val", "const int n, volatile int m, int *o", []Slot{{0, 4, 4}, {4, 4, 4}, {8, 8, 8}}},
	{"k_none", "", nil},
}

func TestCheckAgreesWithNVRTC(t *testing.T) {
	for _, c := range b38 {
		t.Run(c.kernel, func(t *testing.T) {
			if HostModel() == LLP64 && c.kernel == "k_ints" {
				t.Skip("the slots are those of Linux, where long has 8 bytes")
			}
			sig := mustParse(t, c.signature)
			require.NoError(t, sig.Check(c.kernel, c.slots))

			// cuFuncGetParamInfo tells no alignment.
			bare := append([]Slot(nil), c.slots...)
			for i := range bare {
				bare[i].Align = 0
			}
			require.NoError(t, sig.Check(c.kernel, bare))
		})
	}
}

// Complex numbers of libraries are placed where the compiled kernel has them.
func TestCheckComplex(t *testing.T) {
	sig := mustParse(t, "char c, thrust::complex<float> z")
	require.NoError(t, sig.Check("k", []Slot{{0, 1, 1}, {8, 8, 8}}))
	require.NoError(t, sig.Check("k", []Slot{{0, 1, 1}, {4, 8, 4}}))
	float2 := mustParse(t, "char c, cuFloatComplex z")
	require.NoError(t, float2.Check("k", []Slot{{0, 1, 1}, {8, 8, 8}}))
	require.ErrorContains(t, float2.Check("k", []Slot{{0, 1, 1}, {4, 8, 4}}), "so at byte 8), the compiled kernel takes it at byte 4")
}

func TestCheckErrors(t *testing.T) {
	for _, c := range []struct {
		signature string
		slots     []Slot
		want      string
	}{
		{"const float *x, float *y, double alpha", []Slot{{0, 8, 8}, {8, 8, 8}, {16, 4, 4}},
			"abi: kernel axpy: argument 2 (alpha): signature says double (8 bytes), the compiled kernel takes 4 bytes"},
		{"bool b", []Slot{{0, 4, 4}}, "abi: kernel axpy: argument 0 (b): signature says bool (1 byte), the compiled kernel takes 4 bytes"},
		{"int", []Slot{{0, 8, 8}}, "abi: kernel axpy: argument 0: signature says int (4 bytes), the compiled kernel takes 8 bytes"},
		{"int n", nil, `abi: kernel axpy: signature "int n" has 1 parameter, the compiled kernel takes 0`},
		{"", []Slot{{0, 8, 8}}, `abi: kernel axpy: signature "void" has 0 parameters, the compiled kernel takes 1`},
		{"enum E e", []Slot{{0, 12, 4}}, "abi: kernel axpy: argument 0 (e): signature says enum E, the compiled kernel takes 12 bytes, which no enum has"},
		{"char c, float4 v", []Slot{{0, 1, 1}, {4, 16, 4}}, "abi: kernel axpy: argument 1 (v): signature says float4 (aligned to 16, so at byte 16), the compiled kernel takes it at byte 4"},
		{"int a, int b", []Slot{{0, 4, 4}, {2, 4, 4}}, "abi: kernel axpy: argument 1 (b): the compiled kernel's own layout is impossible: 4 bytes at byte 2, aligned to 4, after byte 4"},
		{"struct A a", []Slot{{0, 0, 1}}, "abi: kernel axpy: argument 0 (a): the compiled kernel's own layout is impossible: 0 bytes at byte 0, aligned to 1, after byte 0"},
		{"struct A a", []Slot{{0, 8, 3}}, "abi: kernel axpy: argument 0 (a): the compiled kernel's own layout is impossible: 8 bytes at byte 0, aligned to 3, after byte 0"},
		{"struct A a", []Slot{{0, 40000, 8}}, "abi: kernel axpy: 40000 bytes of parameters, of at most 32764"},
	} {
		t.Run(c.signature, func(t *testing.T) {
			err := mustParse(t, c.signature).Check("axpy", c.slots)
			require.EqualError(t, err, c.want)
			var e *LayoutError
			require.ErrorAs(t, err, &e)
			require.Equal(t, "axpy", e.Kernel)
			_, err = NewBuffer("axpy", mustParse(t, c.signature), append([]Slot{}, c.slots...))
			require.EqualError(t, err, c.want)
		})
	}
}

// Whatever Layout makes, Check takes; each slot is aligned, and none overlap.
func TestLayoutAndCheckAgree(t *testing.T) {
	var known []Type
	for _, typ := range types {
		if typ.Size(Host) > 0 {
			known = append(known, typ)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var sig Signature
		for range random.IntN(12) {
			sig.Params = append(sig.Params, Param{Type: known[random.IntN(len(known))]})
		}
		slots, err := sig.Layout(Host)
		require.NoError(t, err)
		require.NoError(t, sig.Check("k", slots), sig.String())
		end := 0
		for i, s := range slots {
			require.Zero(t, s.Offset%s.Align)
			require.GreaterOrEqual(t, s.Offset, end)
			require.Less(t, s.Offset-end, s.Align)
			require.Equal(t, sig.Params[i].Type.Size(Host), s.Size)
			end = s.Offset + s.Size
		}
	}
}
