package number

import "math"

// Hardware that flushes rounds as if there were no least exponent, and then makes zero of
// what lies below 2^-126, or 2^-14 in f16. So what rounds up to that only because a
// subnormal number has fewer bits is zero, too, and .ftz is part of these operations, not
// only around them. Sums have no such case: one that is subnormal is exact.

// MulFTZF32 is mul.rn.ftz.f32. Safe for concurrent use.
func MulFTZF32(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := MulF32(a, b)
	if least32(r) {
		return flush32(r, float64(a)*float64(b), RN)
	}
	return r
}

// MulFTZF32RZ is mul.rz.ftz.f32. Safe for concurrent use.
func MulFTZF32RZ(a, b float32) float32 { return FTZ32(MulF32RZ(FTZ32(a), FTZ32(b))) }

// MulFTZF32RM is mul.rm.ftz.f32. Safe for concurrent use.
func MulFTZF32RM(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := MulF32RM(a, b)
	if least32(r) {
		return flush32(r, float64(a)*float64(b), RM)
	}
	return r
}

// MulFTZF32RP is mul.rp.ftz.f32. Safe for concurrent use.
func MulFTZF32RP(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := MulF32RP(a, b)
	if least32(r) {
		return flush32(r, float64(a)*float64(b), RP)
	}
	return r
}

// FMAFTZF32 is fma.rn.ftz.f32. Safe for concurrent use.
func FMAFTZF32(a, b, c float32) float32 {
	a, b, c = FTZ32(a), FTZ32(b), FTZ32(c)
	r := FMAF32(a, b, c)
	if least32(r) {
		return flush32(r, oddSum(float64(a)*float64(b), float64(c)), RN)
	}
	return r
}

// FMAFTZF32RZ is fma.rz.ftz.f32. Safe for concurrent use.
func FMAFTZF32RZ(a, b, c float32) float32 { return FTZ32(FMAF32RZ(FTZ32(a), FTZ32(b), FTZ32(c))) }

// FMAFTZF32RM is fma.rm.ftz.f32. Safe for concurrent use.
func FMAFTZF32RM(a, b, c float32) float32 {
	a, b, c = FTZ32(a), FTZ32(b), FTZ32(c)
	r := FMAF32RM(a, b, c)
	if least32(r) {
		return flush32(r, oddSum(float64(a)*float64(b), float64(c)), RM)
	}
	return r
}

// FMAFTZF32RP is fma.rp.ftz.f32. Safe for concurrent use.
func FMAFTZF32RP(a, b, c float32) float32 {
	a, b, c = FTZ32(a), FTZ32(b), FTZ32(c)
	r := FMAF32RP(a, b, c)
	if least32(r) {
		return flush32(r, oddSum(float64(a)*float64(b), float64(c)), RP)
	}
	return r
}

// DivFTZF32 is div.rn.ftz.f32. Safe for concurrent use.
func DivFTZF32(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := DivF32(a, b)
	if least32(r) {
		return flush32(r, float64(a)/float64(b), RN)
	}
	return r
}

// DivFTZF32RZ is div.rz.ftz.f32. Safe for concurrent use.
func DivFTZF32RZ(a, b float32) float32 { return FTZ32(DivF32RZ(FTZ32(a), FTZ32(b))) }

// DivFTZF32RM is div.rm.ftz.f32. Safe for concurrent use.
func DivFTZF32RM(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := DivF32RM(a, b)
	if least32(r) {
		return flush32(r, float64(a)/float64(b), RM)
	}
	return r
}

// DivFTZF32RP is div.rp.ftz.f32. Safe for concurrent use.
func DivFTZF32RP(a, b float32) float32 {
	a, b = FTZ32(a), FTZ32(b)
	r := DivF32RP(a, b)
	if least32(r) {
		return flush32(r, float64(a)/float64(b), RP)
	}
	return r
}

// RcpFTZF32 is rcp.rn.ftz.f32. Safe for concurrent use.
func RcpFTZF32(a float32) float32 {
	a = FTZ32(a)
	r := RcpF32(a)
	if least32(r) {
		return flush32(r, 1/float64(a), RN)
	}
	return r
}

// RcpFTZF32RZ is rcp.rz.ftz.f32. Safe for concurrent use.
func RcpFTZF32RZ(a float32) float32 { return FTZ32(RcpF32RZ(FTZ32(a))) }

// RcpFTZF32RM is rcp.rm.ftz.f32. Safe for concurrent use.
func RcpFTZF32RM(a float32) float32 {
	a = FTZ32(a)
	r := RcpF32RM(a)
	if least32(r) {
		return flush32(r, 1/float64(a), RM)
	}
	return r
}

// RcpFTZF32RP is rcp.rp.ftz.f32. Safe for concurrent use.
func RcpFTZF32RP(a float32) float32 {
	a = FTZ32(a)
	r := RcpF32RP(a)
	if least32(r) {
		return flush32(r, 1/float64(a), RP)
	}
	return r
}

// least32 tells whether r is subnormal, zero or the least number that is neither: where
// flushing may change it.
func least32(r float32) bool { return math.Float32bits(r)&0x7fffffff <= 0x00800000 }

// flush32 returns the single-precision r, which is exact rounded in that mode, flushed. The
// sum of an fma is exact enough where it was rounded to odd.
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
	p := F32FromF16(FTZ16(a)) * F32FromF16(FTZ16(b))
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
