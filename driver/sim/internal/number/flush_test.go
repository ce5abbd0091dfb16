package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// flushed is x rounded to f as if there were no least exponent, and zero where that lies below all normal numbers.
func (f format) flushed(x exact, mode number.Rounding) uint64 {
	up := f.mantissa + 2 // so far from the least exponent that none of these is subnormal
	bits := f.round(exact{x.neg, x.m, x.exp + up, x.sticky}, mode)
	sign, rest := bits&(1<<(f.expBits()+f.mantissa)), bits&(1<<(f.expBits()+f.mantissa)-1)
	if rest>>f.mantissa <= uint64(up) {
		return sign
	}
	return sign | rest - uint64(up)<<f.mantissa
}

// Products, quotients and sums of products around 2^-126, against exact arithmetic.
func TestFlushAroundTheLeastNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	mul := [4]func(a, b float32) float32{number.MulF32, number.MulF32RZ, number.MulF32RM, number.MulF32RP}
	fma := [4]func(a, b, c float32) float32{number.FMAF32, number.FMAF32RZ, number.FMAF32RM, number.FMAF32RP}
	div := [4]func(a, b float32) float32{number.DivF32, number.DivF32RZ, number.DivF32RM, number.DivF32RP}
	cvt := [4]func(x float64) float32{number.F32FromF64, number.F32FromF64RZ, number.F32FromF64RM, number.F32FromF64RP}
	between := 0
	for i := range 12_000 {
		a := f32(r.Uint32()&0x807fffff | uint32(40+r.IntN(40))<<23)
		if i%4 == 0 {
			a = f32(0x3f7fffff - uint32(r.IntN(3)))
		}
		// b such that the product lies near 2^-126.
		q := float32(math.Ldexp(1/float64(a), -126))
		b := f32(math.Float32bits(q) + uint32(r.IntN(5)) - 2)
		if math.Abs(float64(b)) < 0x1p-126 {
			b = 0x1p-126
		}
		c := f32(math.Float32bits(0x1p-126) + uint32(r.IntN(9))<<22 + uint32(r.IntN(5)) | r.Uint32()&(1<<31))
		x := math.Ldexp(1-math.Ldexp(r.Float64(), -20-r.IntN(12)), -126)
		p := exactly(float64(a)).mul(exactly(float64(b)))
		if v := math.Abs(float64(a) * float64(b)); v > 0x1.fffffep-127 && v < 0x1p-126 {
			between++
		}
		for mode := range number.Rounding(4) {
			same := func(want uint64, got float32, what string) {
				require.Equalf(t, uint32(want), math.Float32bits(got), "%s of %x %x %x, rounding %d", what, a, b, c, mode)
			}
			same(binary32.flushed(p, mode), number.FlushMulF32(mul[mode](a, b), a, b, mode), "mul")
			same(binary32.flushed(p.add(exactly(float64(c)), mode), mode), number.FlushFMAF32(fma[mode](a, b, c), a, b, c, mode), "fma")
			if v := c * a; math.Abs(float64(v)) >= 0x1p-126 {
				same(binary32.flushed(exactly(float64(v)).div(exactly(float64(a))), mode), number.FlushDivF32(div[mode](v, a), v, a, mode), "div")
			}
			d := f32(0x7e800000 + uint32(r.IntN(5)) - 2)
			same(binary32.flushed(exactly(1).div(exactly(float64(d))), mode), number.FlushDivF32(div[mode](1, d), 1, d, mode), "rcp")
			same(binary32.flushed(exactly(x), mode), number.FlushF32(cvt[mode](x), x, mode), "cvt")
		}
	}
	require.Greater(t, between, 100, "products that only rounding brings to 2^-126")
}

// All products of half precision that lie near 2^-14, and sums of products.
func TestFlushF16(t *testing.T) {
	wide := func(h uint16) exact { return exactly(float64(number.F32FromF16(h))) }
	n := 0
	for a := uint16(0x0400); a < 0x7c00; a += 3 {
		q := number.F16FromF64(0x1p-14/float64(number.F32FromF16(a)), number.RN)
		for _, b := range []uint16{q - 1, q, q + 1, 0x8000 | q} {
			if b&0x7fff < 0x0400 || b&0x7fff >= 0x7c00 {
				continue
			}
			n++
			p := wide(a).mul(wide(b))
			require.Equalf(t, uint16(binary16.flushed(p, number.RN)), number.MulFTZF16(a, b), "mul of %#x %#x", a, b)
			for _, c := range []uint16{0x0400, 0x8401, 0x0800} {
				require.Equalf(t, uint16(binary16.flushed(p.add(wide(c), number.RN), number.RN)), number.FMAFTZF16(a, b, c), "fma of %#x %#x %#x", a, b, c)
			}
		}
	}
	require.Greater(t, n, 10_000)
	require.Equal(t, uint32(0x80000000), number.MulFTZF16x2(0x84000001, 0x3bff3c00))
	require.Equal(t, uint32(0x00003c00), number.FMAFTZF16x2(0x00013c00, 0x3c003c00, 0x03ff0001))
}

// What the H200 gives at the edge.
func TestFlushedByH200(t *testing.T) {
	below, above := f32(0x3f7fffff), f32(0x3f800001)
	require.Equal(t, float32(0), number.FlushMulF32(number.MulF32(0x1p-126, below), 0x1p-126, below, number.RN))
	require.Equal(t, uint32(0x80000000), math.Float32bits(number.FlushMulF32(number.MulF32RM(-0x1p-126, below), -0x1p-126, below, number.RM)))
	require.Equal(t, float32(0), number.FlushDivF32(number.RcpF32RP(f32(0x7e800001)), 1, f32(0x7e800001), number.RP))
	require.Equal(t, float32(0), number.FlushDivF32(number.DivF32RP(0x1p-126, above), 0x1p-126, above, number.RP))
	require.Equal(t, uint16(0), number.MulFTZF16(0x0400, 0x3bff))
	require.Equal(t, float32(0x1p-126), number.FlushF32(0x1p-126, math.Float64frombits(0x380fffffffffffff), number.RN))
}
