package number

import "math"

// DivApprox is div.approx.f32: a × (1/b), each rounded. The manual allows 2 ulp for |b| from
// 2^-126 to 2^126. A larger b gives zero, or a NaN for an infinite a.
// Safe for concurrent use.
func DivApprox(a, b float32) float32 {
	switch m := math.Float32bits(b) &^ (1 << 31); {
	case m < 0x00800000 && m != 0:
		// The reciprocal of a subnormal may be too large for float32.
		return narrowRN(float64(a) / float64(b))
	case m > 0x7e800000 && m < 0x7f800000:
		return MulF32(a, math.Float32frombits(math.Float32bits(b)&(1<<31)))
	}
	return MulF32(a, 1/b)
}

// DivApproxFTZ is div.approx.ftz.f32. Safe for concurrent use.
func DivApproxFTZ(a, b float32) float32 { return FTZ32(DivApprox(FTZ32(a), FTZ32(b))) }

// DivFull is div.full.f32. The manual allows 2 ulp over the whole range; this is the
// nearest. Safe for concurrent use.
func DivFull(a, b float32) float32 { return DivF32(a, b) }

// DivFullFTZ is div.full.ftz.f32. Safe for concurrent use.
func DivFullFTZ(a, b float32) float32 { return FTZ32(DivF32(FTZ32(a), FTZ32(b))) }
