package abi

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSetNumbers(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		ctype string
		v     any
		want  any    // little-endian bytes of this, or
		err   string // the reason for the refusal
	}{
		// Integers: exactly or refused.
		{"int", 7, int32(7), ""},
		{"int", -7, int32(-7), ""},
		{"int", int8(-7), int32(-7), ""},
		{"int", uint64(math.MaxInt32), int32(math.MaxInt32), ""},
		{"int", math.MaxInt32 + 1, nil, "2147483648 is outside -2147483648 to 2147483647"},
		{"int", int64(math.MinInt32), int32(math.MinInt32), ""},
		{"int", int64(math.MinInt32 - 1), nil, "is outside"},
		{"int", uint64(math.MaxUint64), nil, "is outside"},
		{"int", 3.0, int32(3), ""},
		{"int", float32(-3), int32(-3), ""},
		{"int", math.Copysign(0, -1), int32(0), ""},
		{"int", 3.5, nil, "3.5 is no integer"},
		{"int", nan, nil, "NaN is no integer"},
		{"int", inf, nil, "+Inf is outside"},
		{"int", 1e10, nil, "1e+10 is outside"},
		{"int", Half(0x4200), int32(3), ""},
		{"int", 'a', int32(97), ""},
		{"int", true, nil, "want int, got bool: the parameter takes an integer"},
		{"int", "3", nil, "the parameter takes an integer"},
		{"int", 3 + 0i, nil, "has an imaginary part"},
		{"unsigned int", math.MaxUint32, uint32(math.MaxUint32), ""},
		{"unsigned int", -1, nil, "-1 is outside 0 to 4294967295"},
		{"unsigned int", uint64(math.MaxUint64), nil, "is outside"},
		{"char", 127, int8(127), ""},
		{"char", 128, nil, "128 is outside -128 to 127"},
		{"int8_t", -128, int8(-128), ""},
		{"uint8_t", 255, uint8(255), ""},
		{"uint8_t", 256, nil, "256 is outside 0 to 255"},
		{"short", -32768, int16(-32768), ""},
		{"unsigned short", uint16(65535), uint16(65535), ""},
		{"int64_t", math.MinInt64, int64(math.MinInt64), ""},
		{"int64_t", uint64(1 << 63), nil, "is outside -9223372036854775808 to 9223372036854775807"},
		{"int64_t", -0x1p63, int64(math.MinInt64), ""},
		{"int64_t", 0x1p63, nil, "is outside"},
		{"size_t", uint64(math.MaxUint64), uint64(math.MaxUint64), ""},
		{"size_t", 0x1p63, uint64(1 << 63), ""},
		{"size_t", 0x1p64, nil, "is outside 0 to 18446744073709551615"},
		{"size_t", -1, nil, "is outside"},
		{"size_t", -0.5, nil, "is no integer"},
		{"size_t", uint(9), uint64(9), ""},
		{"long long", mode(7), int64(7), ""},
		{"cudaTextureObject_t", uint64(5), uint64(5), ""},

		// Floats: nearest, ties to even; nothing finite becomes infinite.
		{"float", 3.0, float32(3), ""},
		{"float", 3, float32(3), ""},
		{"float", 0.1, float32(0.1), ""},
		{"float", float32(0.1), float32(0.1), ""},
		{"float", 1<<24 + 1, float32(1 << 24), ""},
		{"float", 1<<24 + 3, float32(1<<24 + 4), ""},
		{"float", int64(1<<60 + 1<<36 + 1), float32(1<<60 + 1<<37), ""},
		{"float", uint64(math.MaxUint64), float32(0x1p64), ""},
		{"float", nan, uint32(0x7fc00000), ""},
		{"float", -inf, float32(-inf), ""},
		{"float", 1e39, nil, "1e+39 is too large, and would become infinite; the largest is 3.4028234663852886e+38"},
		{"float", 0x1.ffffffp127, nil, "too large"},
		{"float", 0x1.fffffefp127, float32(math.MaxFloat32), ""},
		{"float", 1e-50, float32(0), ""},
		{"float", meters(2.5), float32(2.5), ""},
		{"float", Half(0x3800), float32(0.5), ""},
		{"float", true, nil, "the parameter takes a number"},
		{"float", 1i, nil, "imaginary"},
		{"float", []float32{1}, nil, "want float, got []float32: the parameter takes a number"},
		{"float", new(float32), nil, "pass what the pointer points to"},
		{"double", 0.1, 0.1, ""},
		{"double", float32(0.1), float64(float32(0.1)), ""},
		{"double", int64(math.MaxInt64), 0x1p63, ""},
		{"double", int64(math.MinInt64), -0x1p63, ""},
		{"double", 1<<53 + 1, 0x1p53, ""},
		{"double", inf, inf, ""},
		{"__half", 1.0, uint16(0x3c00), ""},
		{"__half", 1, uint16(0x3c00), ""},
		{"__half", 2049, uint16(0x6800), ""},
		{"__half", 65519.0, uint16(0x7bff), ""},
		{"__half", 65520.0, nil, "the largest is 65504"},
		{"__half", -65520, nil, "-65520 is too large"},
		{"__half", inf, uint16(0x7c00), ""},
		{"__half", nan, uint16(0x7e00), ""},
		{"__half", 1 + 0x1p-11 + 0x1p-40, uint16(0x3c01), ""},
		{"__half", Half(0x7c01), uint16(0x7c01), ""},
		{"__half", BFloat16(0x3f80), uint16(0x3c00), ""},
		{"__nv_bfloat16", 1.0, uint16(0x3f80), ""},
		{"__nv_bfloat16", int64(1<<60 + 1<<52 + 1), uint16(0x5d81), ""},
		{"__nv_bfloat16", int64(-(1<<60 + 1<<52 + 1)), uint16(0xdd81), ""},
		{"__nv_bfloat16", BFloat16(0xff81), uint16(0xff81), ""},
		{"__nv_bfloat16", 3.4e38, nil, "too large"},
		{"__nv_fp8_e4m3", 448, uint8(0x7e), ""},
		{"__nv_fp8_e4m3", 464.0, uint8(0x7e), ""},
		{"__nv_fp8_e4m3", 465.0, nil, "the largest is 448"},
		{"__nv_fp8_e4m3", inf, nil, "the type has no infinity"},
		{"__nv_fp8_e4m3", nan, uint8(0x7f), ""},
		{"__nv_fp8_e4m3", E4M3(0x12), uint8(0x12), ""},
		{"__nv_fp8_e5m2", -inf, uint8(0xfc), ""},
		{"__nv_fp8_e5m2", E5M2(0x12), uint8(0x12), ""},
		{"__nv_fp8_e5m2", 1e6, nil, "the largest is 57344"},

		// bool: one byte, only 0 and 1.
		{"bool", true, uint8(1), ""},
		{"bool", false, uint8(0), ""},
		{"bool", flag(true), uint8(1), ""},
		{"bool", 1, uint8(1), ""},
		{"bool", uint8(0), uint8(0), ""},
		{"bool", 2, nil, "2 is outside 0 and 1"},
		{"bool", -1, nil, "-1 is outside 0 and 1"},
		{"bool", uint64(math.MaxUint64), nil, "outside 0 and 1"},
		{"bool", 0.5, nil, "no integer"},
		{"bool", "true", nil, "takes a bool, 0 or 1"},
		{"bool", Raw{2}, nil, "outside 0 and 1"},
		{"bool", Raw{1}, uint8(1), ""},

		// Complex numbers.
		{"thrust::complex<float>", complex64(1 + 2i), []float32{1, 2}, ""},
		{"thrust::complex<float>", 1 + 2i, []float32{1, 2}, ""},
		{"thrust::complex<float>", 3, []float32{3, 0}, ""},
		{"thrust::complex<float>", complex(1, 1e300), nil, "too large"},
		{"thrust::complex<float>", "i", nil, "takes a complex number"},
		{"cuda::std::complex<double>", complex64(1 + 2i), []float64{1, 2}, ""},
		{"cuda::std::complex<double>", 0.1i, []float64{0, 0.1}, ""},
		{"cuFloatComplex", complex64(1 + 2i), []float32{1, 2}, ""},
		{"cuFloatComplex", 1 + 2i, []float32{1, 2}, ""},
		{"float2", complex64(1 + 2i), []float32{1, 2}, ""},
		{"cuDoubleComplex", 1 + 2i, []float64{1, 2}, ""},
		{"cuFloatComplex", 1.0, nil, "takes an array of 2 numbers of type float32"},
		{"float4", 1i, nil, "takes an array of 4 numbers"},
		{"int2", 1i, nil, "takes an array of 2 numbers of type int32"},

		// Vectors.
		{"float4", [4]float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, ""},
		{"float4", struct{ X, Y, Z, W float32 }{1, 2, 3, 4}, []float32{1, 2, 3, 4}, ""},
		{"float3", [3]float32{1, 2, 3}, []float32{1, 2, 3}, ""},
		{"float4", [3]float32{1, 2, 3}, nil, "exactly its 4 numbers of type float32"},
		{"float4", [4]float64{1, 2, 3, 4}, nil, "exactly its 4 numbers of type float32"},
		{"float4", []float32{1, 2, 3, 4}, nil, "takes an array of 4 numbers"},
		{"float4", 1.0, nil, "takes an array of 4 numbers"},
		{"int4", [2][2]int32{{1, 2}, {3, 4}}, []int32{1, 2, 3, 4}, ""},
		{"int4", [4]int{1, 2, 3, 4}, nil, "the size of int depends on the platform"},
		{"uchar4", [4]uint8{1, 2, 3, 4}, []uint8{1, 2, 3, 4}, ""},
		{"char4", [4]uint8{1, 2, 3, 4}, nil, "numbers of type int8"},
		{"longlong3", [3]int64{1, -2, 3}, []int64{1, -2, 3}, ""},
		{"double2", [2]float64{1, 2}, []float64{1, 2}, ""},
		{"__half2", [2]Half{1, 2}, []uint16{1, 2}, ""},
		{"__half2", [2]uint16{1, 2}, nil, "numbers of type float16"},
		{"__nv_bfloat162", [2]BFloat16{1, 2}, []uint16{1, 2}, ""},
		{"__nv_fp8x4_e4m3", [4]E4M3{1, 2, 3, 4}, []uint8{1, 2, 3, 4}, ""},
		{"dim3", [3]uint32{1, 2, 3}, []uint32{1, 2, 3}, ""},
		{"float4", Raw(make([]byte, 16)), make([]byte, 16), ""},
		{"float4", Raw(make([]byte, 15)), nil, "it has 15 bytes, the compiled kernel takes 16"},

		// Pointers for scalars.
		{"float", nil, nil, "want float, got nil: the parameter is a value, not a pointer: pass a number"},
		{"int", &fakeArray{}, nil, "got *abi.fakeArray: the parameter is a value, not a pointer: pass an integer"},
		{"size_t", Addr(1), nil, "got abi.Addr: the parameter is a value, not a pointer: pass an integer"},
		{"size_t", uintptr(1), nil, "takes an integer"},
		{"float", Raw{1, 2, 3}, nil, "it has 3 bytes, the compiled kernel takes 4"},
	} {
		t.Run(c.ctype, func(t *testing.T) {
			b := newBuffer(t, "char before, "+c.ctype+" v, char after")
			at := uintptr(b.Pointers()[1]) - uintptr(b.Pointers()[0])
			size := b.Signature().Params[1].Type.Size(Host)
			for i := range b.Bytes() {
				b.Bytes()[i] = 0x5a
			}
			err := b.Set(1, c.v)
			want := le(c.want)
			if c.err != "" {
				var e *ArgumentError
				require.ErrorAs(t, err, &e)
				require.ErrorContains(t, err, c.err)
				require.ErrorContains(t, err, "abi: kernel k: argument 1 (v): want ")
				want = make([]byte, size) // stays as it was
				for i := range want {
					want[i] = 0x5a
				}
			} else {
				require.NoError(t, err, "%v", c.v)
			}
			require.Equal(t, want, b.Bytes()[at:at+uintptr(size)], "%v", c.v)
			for i, x := range b.Bytes() {
				if i < int(at) || i >= int(at)+size {
					require.Equal(t, byte(0x5a), x, "byte %d beside the argument", i)
				}
			}
		})
	}
}
