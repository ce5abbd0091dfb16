package number_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// Each integer type: its ends as they are in float64 or the nearest below, and the conversions.
var intTypes = []struct {
	name    string
	bits    int
	signed  bool
	fromF32 func(float32) uint64
	fromF64 func(float64) uint64
}{
	{"s8", 8, true, func(x float32) uint64 { return uint64(number.S8FromF32(x)) }, func(x float64) uint64 { return uint64(number.S8FromF64(x)) }},
	{"s16", 16, true, func(x float32) uint64 { return uint64(number.S16FromF32(x)) }, func(x float64) uint64 { return uint64(number.S16FromF64(x)) }},
	{"s32", 32, true, func(x float32) uint64 { return uint64(number.S32FromF32(x)) }, func(x float64) uint64 { return uint64(number.S32FromF64(x)) }},
	{"s64", 64, true, func(x float32) uint64 { return uint64(number.S64FromF32(x)) }, func(x float64) uint64 { return uint64(number.S64FromF64(x)) }},
	{"u8", 8, false, func(x float32) uint64 { return uint64(number.U8FromF32(x)) }, func(x float64) uint64 { return uint64(number.U8FromF64(x)) }},
	{"u16", 16, false, func(x float32) uint64 { return uint64(number.U16FromF32(x)) }, func(x float64) uint64 { return uint64(number.U16FromF64(x)) }},
	{"u32", 32, false, func(x float32) uint64 { return uint64(number.U32FromF32(x)) }, func(x float64) uint64 { return uint64(number.U32FromF64(x)) }},
	{"u64", 64, false, func(x float32) uint64 { return uint64(number.U64FromF32(x)) }, func(x float64) uint64 { return uint64(number.U64FromF64(x)) }},
}

func TestFloatsToIntegers(t *testing.T) {
	for _, ty := range intTypes {
		lo, hi := uint64(0), uint64(math.MaxUint64)>>(64-ty.bits)
		end := math.Ldexp(1, ty.bits)
		start := 0.0
		if ty.signed {
			lo, hi = -(uint64(1) << (ty.bits - 1)), hi>>1
			end, start = end/2, -end/2
		}
		want := func(x float64) uint64 {
			switch v := math.Trunc(x); {
			case v >= end:
				return hi
			case v <= start:
				return lo
			case v < 0:
				return uint64(int64(v))
			default:
				return uint64(v)
			}
		}
		for _, x := range []float64{
			0, math.Copysign(0, -1), 0.5, -0.5, 0.999999, 1, 1.5, -1, -1.5, 2.5, 100, -100, 127, 127.9, 128, -128, -128.9, -129,
			255, 255.5, 256, 32767, 32767.5, 32768, -32768, -32769, 65535, 65536, 1e9, -1e9, 2147483520, 2147483647, 2147483648,
			-2147483648, -2147483904, 4294967040, 4294967295, 4294967296, 1e15, -1e15, 9223371487098961920, 9223372036854774784,
			9223372036854775808, -9223372036854775808, -9223373136366403584, 18446742974197923840, 18446744073709549568,
			18446744073709551616, 1e30, -1e30, math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64,
		} {
			require.Equalf(t, want(x), ty.fromF64(x), "%s from %v", ty.name, x)
			f := float32(x)
			require.Equalf(t, want(float64(f)), ty.fromF32(f), "%s from %v", ty.name, f)
		}
		top := uint64(1) << (ty.bits - 1)
		if ty.signed {
			top = -top
		}
		assert.Equalf(t, top, ty.fromF64(math.NaN()), "%s of an f64 NaN", ty.name)
		if ty.bits < 64 {
			top = 0
		}
		assert.Equalf(t, top, ty.fromF32(float32(math.NaN())), "%s of an f32 NaN", ty.name)
	}
}

func TestRoundToInteger(t *testing.T) {
	for _, x := range []struct{ in, rni, rzi, rmi, rpi float64 }{
		{0.5, 0, 0, 0, 1},
		{1.5, 2, 1, 1, 2},
		{2.5, 2, 2, 2, 3},
		{-0.5, math.Copysign(0, -1), math.Copysign(0, -1), -1, math.Copysign(0, -1)},
		{-2.5, -2, -2, -3, -2},
		{-1.25, -1, -1, -2, -1},
		{1 << 23, 1 << 23, 1 << 23, 1 << 23, 1 << 23},
		{math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)},
		{0x1p-149, 0, 0, 0, 1},
	} {
		for mode, want := range []float64{x.rni, x.rzi, x.rmi, x.rpi} {
			m := number.Rounding(mode)
			assert.Equalf(t, math.Float64bits(want), math.Float64bits(number.RoundF64(x.in, m)), "f64 %v, mode %d", x.in, mode)
			assert.Equalf(t, math.Float32bits(float32(want)), math.Float32bits(number.RoundF32(float32(x.in), m)), "f32 %v, mode %d", x.in, mode)
			if math.Abs(x.in) < 1000 && x.in != 0x1p-149 {
				h, b := number.F16FromF64(x.in, number.RN), number.BF16FromF64(x.in, number.RN)
				assert.Equalf(t, want, number.F64FromF16(number.RoundF16(h, m)), "f16 %v, mode %d", x.in, mode)
				assert.Equalf(t, want, number.F64FromBF16(number.RoundBF16(b, m)), "bf16 %v, mode %d", x.in, mode)
			}
		}
	}
	assert.Equal(t, uint32(0x7fffffff), math.Float32bits(number.RmiF32(f32(0xffc00000))))
	assert.Equal(t, uint64(0xfff8000000000001), math.Float64bits(number.RpiF64(math.Float64frombits(0xfff0000000000001))))
}
