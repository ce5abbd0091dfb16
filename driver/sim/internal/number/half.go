package number

import "math"

// F32FromF16 is cvt.f32.f16. Safe for concurrent use.
func F32FromF16(h uint16) float32 {
	// The bits, moved to where float32 has them, are the number times 2^-112, for
	// subnormals too.
	m := uint32(h) & 0x7fff
	v := math.Float32frombits(m<<13) * 0x1p112
	if m >= 0x7c00 {
		if m > 0x7c00 {
			return nan32()
		}
		v = math.Float32frombits(0x7f800000)
	}
	return math.Float32frombits(math.Float32bits(v) | uint32(h&0x8000)<<16)
}

// F64FromF16 is cvt.f64.f16. Unlike in cvt.f32.f16 a NaN keeps its sign and payload, and
// becomes quiet. Safe for concurrent use.
func F64FromF16(h uint16) float64 {
	if h&0x7fff > 0x7c00 {
		return math.Float64frombits(uint64(h&0x8000)<<48 | 0x7ff<<52 | quietF64 | uint64(h&0x3ff)<<42)
	}
	return float64(F32FromF16(h))
}

// F16FromF32 is cvt.rn.f16.f32. Safe for concurrent use.
func F16FromF32(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return nanF16
	case b >= 0x47800000: // 65536 and more
		return sign | 0x7c00
	case b >= 0x38800000: // a normal f16: 2^-14 and more
		// Half of what is dropped is added, less one where the last bit kept is even.
		b += 0x0fff + b>>13&1
		return sign | uint16(b>>13-112<<10)
	}
	// The last place of 0.5 is the least f16: adding it rounds.
	return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3f000000)
}

// F16FromF32RZ is cvt.rz.f16.f32. Safe for concurrent use.
func F16FromF32RZ(x float32) uint16 { return uint16(formatF16.round(float64(x), RZ)) }

// F16FromF32RM is cvt.rm.f16.f32. Safe for concurrent use.
func F16FromF32RM(x float32) uint16 { return uint16(formatF16.round(float64(x), RM)) }

// F16FromF32RP is cvt.rp.f16.f32. Safe for concurrent use.
func F16FromF32RP(x float32) uint16 { return uint16(formatF16.round(float64(x), RP)) }

// CvtF16 is cvt.f16.f16: of a NaN the canonical one. Safe for concurrent use.
func CvtF16(h uint16) uint16 {
	if h&0x7fff > 0x7c00 {
		return nanF16
	}
	return h
}

// F16FromF64 is cvt.rnd.f16.f64, rounded once. A NaN keeps its sign and the upper bits of
// its payload, and becomes quiet. Safe for concurrent use.
func F16FromF64(x float64, mode Rounding) uint16 { return uint16(formatF16.from64(x, mode)) }

// FiniteF16 is what .satfinite does to an f16 result: an infinity becomes the largest
// finite value of its sign. Safe for concurrent use.
func FiniteF16(h uint16) uint16 { return uint16(formatF16.finite(uint32(h))) }

// FTZ16 is what .ftz does to each f16 operand and to the result: a subnormal becomes
// zero with its sign. Safe for concurrent use.
func FTZ16(h uint16) uint16 {
	if h&0x7c00 == 0 {
		return h & 0x8000
	}
	return h
}

// SatF16 is what .sat does to an f16 result: it is clamped to [0, 1], and a NaN and -0
// become +0. Safe for concurrent use.
func SatF16(h uint16) uint16 {
	switch {
	case h <= 0x3c00:
		return h
	case h <= 0x7c00:
		return 0x3c00
	}
	return 0
}

// ReluF16 is what .relu does to an f16 result: what is negative becomes +0, a NaN the
// canonical one. Safe for concurrent use.
func ReluF16(h uint16) uint16 {
	switch {
	case h&0x7fff > 0x7c00:
		return nanF16
	case h&0x8000 != 0:
		return 0
	}
	return h
}
