package number

import "math"

// Hardware that flushes rounds as if there were no least exponent, and then makes zero of
// what lies below 2^-126, or 2^-14 in f16. So what rounds up to that only because a
// subnormal number has fewer bits is zero, too: where products and quotients are rounded,
// FTZ32 of the result is not enough. These take the rounded result and what it is of, before
// or after flushing. Sums have no such case: one that is subnormal is exact.

// FlushMulF32 is .ftz of r, the rounded a × b. Safe for concurrent use.
func FlushMulF32(r, a, b float32, mode Rounding) float32 {
	if r > least32 || r < -least32 {
		return r
	}
	return flushMul32(r, a, b, mode)
}

// FlushFMAF32 is .ftz of r, the rounded a × b + c. Safe for concurrent use.
func FlushFMAF32(r, a, b, c float32, mode Rounding) float32 {
	if r > least32 || r < -least32 {
		return r
	}
	return flushFMA32(r, a, b, c, mode)
}

// FlushDivF32 is .ftz of r, the rounded a ÷ b. Safe for concurrent use.
func FlushDivF32(r, a, b float32, mode Rounding) float32 {
	if r > least32 || r < -least32 {
		return r
	}
	return flushDiv32(r, a, b, mode)
}

// FlushF32 is .ftz of r, the rounded x. Safe for concurrent use.
func FlushF32(r float32, x float64, mode Rounding) float32 {
	if r > least32 || r < -least32 {
		return r
	}
	return flush32(r, x, mode)
}

// least32 is the least normal number: what is greater is not flushed.
const least32 = 0x1p-126

//go:noinline
func flushMul32(r, a, b float32, mode Rounding) float32 {
	return flush32(r, float64(FTZ32(a))*float64(FTZ32(b)), mode)
}

//go:noinline
func flushDiv32(r, a, b float32, mode Rounding) float32 {
	return flush32(r, float64(FTZ32(a))/float64(FTZ32(b)), mode)
}

//go:noinline
func flushFMA32(r, a, b, c float32, mode Rounding) float32 {
	return flush32(r, oddSum(float64(FTZ32(a))*float64(FTZ32(b)), float64(FTZ32(c))), mode)
}

// flush32 returns the single-precision r, which is exact rounded in that mode, flushed. exact
// may have been rounded to odd.
//
//go:noinline
func flush32(r float32, exact float64, mode Rounding) float32 {
	const (
		half = 0x1.ffffffp-127 // half way from the number next below 2^-126 to that: the tie goes up
		next = 0x1.fffffep-127 // the number next below, were there no least exponent
	)
	x := math.Abs(exact)
	if mode == RN && x < half || mode.away(exact < 0) && x <= next {
		return math.Float32frombits(math.Float32bits(r) & (1 << 31))
	}
	return FTZ32(r)
}

// MulFTZF16 is mul.ftz.f16. Safe for concurrent use.
func MulFTZF16(a, b uint16) uint16 {
	p := float32(F32FromF16(FTZ16(a)) * F32FromF16(FTZ16(b)))
	return flush16(F16FromF32(p), p)
}

// MulFTZF16x2 is mul.ftz.f16x2. Safe for concurrent use.
func MulFTZF16x2(a, b uint32) uint32 { return Lanes2(a, b, MulFTZF16) }

// FMAFTZF16 is fma.rn.ftz.f16. Safe for concurrent use.
func FMAFTZF16(a, b, c uint16) uint16 {
	s := oddSum32(float32(F32FromF16(FTZ16(a))*F32FromF16(FTZ16(b))), F32FromF16(FTZ16(c)))
	return flush16(F16FromF32(s), s)
}

// FMAFTZF16x2 is fma.rn.ftz.f16x2. Safe for concurrent use.
func FMAFTZF16x2(a, b, c uint32) uint32 { return Lanes3(a, b, c, FMAFTZF16) }

// flush16 is flush32 in half precision and rounding to nearest.
func flush16(r uint16, exact float32) uint16 {
	const half = 0x1.ffep-15
	if exact > -half && exact < half {
		return r & 0x8000
	}
	return FTZ16(r)
}
