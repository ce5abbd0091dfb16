package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// The manual's tables of special values.
func TestApproxSpecialValues(t *testing.T) {
	const (
		zero, negZero, one, negOne = 0, 0x80000000, 0x3f800000, 0xbf800000
		inf, negInf, nan           = 0x7f800000, 0xff800000, 0x7fffffff
		tiny, negTiny              = 0x00000001, 0x80000001
	)
	for _, f := range []struct {
		name string
		f    func(float32) float32
		want map[uint32]uint32
	}{
		{"ex2", number.Ex2Approx, map[uint32]uint32{negInf: zero, negZero: one, zero: one, inf: inf, 0x7fc00000: nan, 0xc3150000: tiny, 0x43000000: inf, tiny: one}},
		{"ex2.ftz", number.Ex2ApproxFTZ, map[uint32]uint32{negInf: zero, tiny: one, 0xc2fc0000: 0x00800000, 0xc2fc0001: zero, nan: nan}},
		{"lg2", number.Lg2Approx, map[uint32]uint32{negInf: nan, negOne: nan, negTiny: nan, negZero: negInf, zero: negInf, inf: inf, 0xffc00000: nan, one: zero, tiny: 0xc3150000}},
		{"lg2.ftz", number.Lg2ApproxFTZ, map[uint32]uint32{tiny: negInf, negTiny: negInf, 0x00800000: 0xc2fc0000}},
		{"rcp", number.RcpApprox, map[uint32]uint32{negInf: negZero, negZero: negInf, zero: inf, inf: zero, 0x7fc00001: nan, 0x7f000000: 0x00400000, tiny: inf}},
		{"rcp.ftz", number.RcpApproxFTZ, map[uint32]uint32{0x7f000000: zero, 0xff000000: negZero, tiny: inf, negTiny: negInf, 0x7e800000: 0x00800000}},
		{"sqrt", number.SqrtApprox, map[uint32]uint32{negInf: nan, negOne: nan, negZero: negZero, zero: zero, inf: inf, nan: nan, 0x00000002: 0x1a800000}},
		{"sqrt.ftz", number.SqrtApproxFTZ, map[uint32]uint32{tiny: zero, negTiny: negZero, negOne: nan}},
		{"rsqrt", number.RsqrtApprox, map[uint32]uint32{negInf: nan, negOne: nan, negZero: negInf, zero: inf, inf: zero, nan: nan, 0x40800000: 0x3f000000}},
		{"rsqrt.ftz", number.RsqrtApproxFTZ, map[uint32]uint32{tiny: inf, negTiny: negInf}},
		{"sin", number.SinApprox, map[uint32]uint32{negInf: nan, inf: nan, nan: nan, 0xffc00000: nan, zero: zero, negZero: negZero, tiny: zero, negTiny: negZero}},
		{"sin.ftz", number.SinApproxFTZ, map[uint32]uint32{tiny: zero, negTiny: negZero}},
		{"cos", number.CosApprox, map[uint32]uint32{negInf: nan, inf: nan, nan: nan, zero: one, negZero: one}},
		{"cos.ftz", number.CosApproxFTZ, map[uint32]uint32{tiny: one, negInf: nan}},
		{"tanh", number.TanhApprox, map[uint32]uint32{negInf: negOne, inf: one, nan: nan, zero: zero, negZero: negZero, tiny: tiny, negTiny: negTiny}},
	} {
		for in, want := range f.want {
			assert.Equalf(t, want, math.Float32bits(f.f(f32(in))), "%s of %#x: want %#x", f.name, in, want)
		}
	}
}

// ulps is the distance of got from the exact want, in units of the last place of want in float32.
func ulps(got float32, want float64) float64 {
	_, exp := math.Frexp(want)
	unit := math.Ldexp(1, max(exp-24, -149))
	return math.Abs(float64(got)-want) / unit
}

func TestApproxBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for range 10_000 {
		x := f32(r.Uint32() & 0x7fffffff)
		if !finite(float64(x)) || x == 0 {
			continue
		}
		v := float64(x)
		require.LessOrEqual(t, math.Abs(float64(number.SqrtApprox(x))/math.Sqrt(v)-1), 0x1p-23)
		require.LessOrEqual(t, math.Abs(float64(number.RsqrtApprox(x))*math.Sqrt(v)-1), math.Exp2(-22.9))
		if want := 1 / v; want < math.MaxFloat32 {
			require.LessOrEqual(t, ulps(number.RcpApprox(x), want), 1.0)
		}
		want, got := math.Log2(v), float64(number.Lg2Approx(x))
		if v > 0.5 && v < 2 {
			require.LessOrEqual(t, math.Abs(got-want), 0x1p-22)
		} else {
			require.LessOrEqual(t, math.Abs(got/want-1), 0x1p-22)
		}
		require.LessOrEqual(t, math.Abs(float64(number.TanhApprox(x))/math.Tanh(v)-1), 0x1p-11)

		p := float32(r.Float64()*297.9 - 170)
		require.LessOrEqualf(t, ulps(number.Ex2Approx(p), math.Exp2(float64(p))), 2.0, "ex2 %v", p)

		for _, a := range []struct{ span, bound float64 }{{2 * math.Pi, math.Exp2(-20.5)}, {100 * math.Pi, math.Exp2(-14.7)}} {
			angle := float32((r.Float64()*2 - 1) * a.span)
			require.LessOrEqualf(t, math.Abs(float64(number.SinApprox(angle))-math.Sin(float64(angle))), a.bound, "sin %v", angle)
			require.LessOrEqualf(t, math.Abs(float64(number.CosApprox(angle))-math.Cos(float64(angle))), a.bound, "cos %v", angle)
		}

		a, b := f32(r.Uint32()&0x80ffffff|uint32(64+r.IntN(128))<<23), f32(r.Uint32()&0x80ffffff|uint32(64+r.IntN(128))<<23)
		quotient := float64(a) / float64(b)
		require.LessOrEqual(t, ulps(number.DivFull(a, b), quotient), 2.0)
		if math.Abs(quotient) > 0x1p-126 && math.Abs(quotient) < 0x1p127 {
			require.LessOrEqual(t, ulps(number.DivApprox(a, b), quotient), 2.0)
			require.LessOrEqual(t, ulps(number.DivApproxFTZ(a, b), quotient), 2.0)
		}
	}
}

func TestDivApproxOfLargeDivisors(t *testing.T) {
	big, inf := f32(0x7e800001), float32(math.Inf(1)) // a little more than 2^126
	assert.Equal(t, uint32(0), math.Float32bits(number.DivApprox(big, big)))
	assert.Equal(t, uint32(0x80000000), math.Float32bits(number.DivApprox(-1, big)))
	assert.Equal(t, uint32(0x7fffffff), math.Float32bits(number.DivApprox(inf, big)))
	assert.Equal(t, float32(1), number.DivApprox(f32(0x7e800000), f32(0x7e800000)))
	assert.Equal(t, float32(0), number.DivApprox(1, inf))
	assert.Equal(t, uint32(0x7fffffff), math.Float32bits(number.DivApprox(0, 0)))
	assert.Equal(t, float32(1), number.DivApprox(f32(5), f32(5))) // subnormals
	assert.Equal(t, inf, number.DivApproxFTZ(1, f32(5)))
	assert.Equal(t, float32(1), number.DivFull(big, big))
	assert.Equal(t, uint32(0), math.Float32bits(number.DivFullFTZ(f32(0x00800000), 2)))
}

func TestApproxF64(t *testing.T) {
	for _, x := range []struct{ in, rcp, rsqrt uint64 }{
		{0x3ff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000},
		{0x4010000000000000, 0x3fd0000000000000, 0x3fe0000000000000},
		{0x40100000ffffffff, 0x3fd0000000000000, 0x3fe0000000000000}, // the lower word does not count
		{0x4008000000000000, 0x3fd5555500000000, 0x3fe279a700000000},
		{0, 0x7ff0000000000000, 0x7ff0000000000000},
		{1 << 63, 0xfff0000000000000, 0xfff0000000000000},
		{0x000fffff00000000, 0x7ff0000000000000, 0x7ff0000000000000},
		{0x800fffff00000000, 0xfff0000000000000, 0xfff0000000000000},
		{0x7ff0000000000000, 0, 0},
		{0xfff0000000000000, 1 << 63, 0x7fffffff00000000},
		{0xbff0000000000000, 0xbff0000000000000, 0x7fffffff00000000},
		{0x7fe0000000000000, 0, 0x1ff0000000000000},
		{0x7ff8000000000001, 0x7fffffff00000000, 0x7fffffff00000000},
	} {
		v := math.Float64frombits(x.in)
		if x.in == 0x7fe0000000000000 {
			x.rsqrt = math.Float64bits(1/math.Sqrt(v)) &^ 0xffffffff
		}
		assert.Equalf(t, x.rcp, math.Float64bits(number.RcpApproxFTZF64(v)), "rcp %#x", x.in)
		assert.Equalf(t, x.rsqrt, math.Float64bits(number.RsqrtApproxFTZF64(v)), "rsqrt %#x", x.in)
	}
	assert.Equal(t, 0.5, number.RsqrtApproxF64(4))
	assert.True(t, math.IsInf(number.RsqrtApproxF64(0), 1))
	assert.Equal(t, uint64(0xfff8000000000000), math.Float64bits(number.RsqrtApproxF64(-1)))
	assert.Equal(t, uint64(0x7ff8000000000005), math.Float64bits(number.RsqrtApproxF64(math.Float64frombits(0x7ff8000000000005))))
}

func TestApproxHalf(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if v := number.F64FromF16(h); finite(v) {
			require.LessOrEqual(t, math.Abs(number.F64FromF16(number.TanhApproxF16(h))-math.Tanh(v)), math.Exp2(-10.987))
			if want := math.Exp2(v); want >= 0x1p-14 && want < 65504 {
				require.LessOrEqual(t, math.Abs(number.F64FromF16(number.Ex2ApproxF16(h))/want-1), math.Exp2(-9.9))
			}
		}
		if v := number.F64FromBF16(h); finite(v) {
			require.LessOrEqual(t, math.Abs(number.F64FromBF16(number.TanhApproxBF16(h))-math.Tanh(v)), 0x1p-8)
			if want := math.Exp2(v); want >= 0x1p-126 && want < 0x1p127 {
				require.LessOrEqual(t, math.Abs(number.F64FromBF16(number.Ex2ApproxBF16(h))/want-1), 0x1p-7)
			}
		}
	}
	assert.Equal(t, uint32(0x3c00_7c00), number.Ex2ApproxF16x2(0x8000_7c00))
	assert.Equal(t, uint32(0x7fff_0000), number.Ex2ApproxF16x2(0x7e00_fc00))
	assert.Equal(t, uint32(0x3f80_0000), number.Ex2ApproxBF16x2(0x8001_c2fe))
	assert.Equal(t, uint32(0x3c00_8000), number.TanhApproxF16x2(0x7c00_8000))
	assert.Equal(t, uint32(0xbf80_7fff), number.TanhApproxBF16x2(0xff80_ffc0))
}

// What shows in the H200's results that an angle is a whole number of steps, inverted in every other quarter, and which zeros are negative.
func TestAnglesAreSteps(t *testing.T) {
	for in, want := range map[uint32]uint32{
		0x3f000000: 0x3ef57740, // no edge: within two units of the last place
		0x34420000: 0,          // 1.8e-7 is less than a step
		0x344c1206: 0x34490fdb, // 1.9e-7 is one
		0x40490fdb: 0,          // the last step before half a turn
		0xff7fffff: 0x80000000, // so many turns that there are only whole ones
		0xcb22ee41: 0,          // half a turn, and of a negative angle
	} {
		got := math.Float32bits(number.SinApprox(f32(in)))
		assert.LessOrEqualf(t, max(got, want)-min(got, want), uint32(2), "sin of %#x: %#x", in, got)
	}
	for in, want := range map[uint32]uint32{0x3fc90fdb: 0, 0xcacbef66: 0x80000000, 0x4b837bf6: 0x80000000, 0xcb900000: 0, 0x3f000000: 0x3f60a940} {
		got := math.Float32bits(number.CosApprox(f32(in)))
		assert.LessOrEqualf(t, max(got, want)-min(got, want), uint32(2), "cos of %#x: %#x", in, got)
	}
}
