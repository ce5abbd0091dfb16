package number

import "math"

// F32FromBF16 is cvt.f32.bf16. A NaN keeps its bits. Safe for concurrent use.
func F32FromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F64FromBF16 is cvt.f64.bf16. Safe for concurrent use.
func F64FromBF16(h uint16) float64 { return F64FromF32(F32FromBF16(h)) }

// BF16FromF32 is cvt.rn.bf16.f32. Safe for concurrent use.
func BF16FromF32(x float32) uint16 {
	b := math.Float32bits(x)
	if x != x {
		return nanBF16
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// BF16FromF32RZ is cvt.rz.bf16.f32. Safe for concurrent use.
func BF16FromF32RZ(x float32) uint16 {
	if x != x {
		return nanBF16
	}
	return uint16(math.Float32bits(x) >> 16)
}

// BF16FromF32RM is cvt.rm.bf16.f32. Safe for concurrent use.
func BF16FromF32RM(x float32) uint16 { return uint16(formatBF16.round(float64(x), RM)) }

// BF16FromF32RP is cvt.rp.bf16.f32. Safe for concurrent use.
func BF16FromF32RP(x float32) uint16 { return uint16(formatBF16.round(float64(x), RP)) }

// BF16FromF64 is cvt.rnd.bf16.f64, rounded once, with F16FromF64's NaNs. Safe for concurrent use.
func BF16FromF64(x float64, mode Rounding) uint16 { return uint16(formatBF16.from64(x, mode)) }

// FiniteBF16 is what .satfinite does to a bf16 result: an infinity becomes the largest
// finite value of its sign. Safe for concurrent use.
func FiniteBF16(h uint16) uint16 { return uint16(formatBF16.finite(uint32(h))) }

// FTZBF16 makes a subnormal bf16 zero with its sign. Safe for concurrent use.
func FTZBF16(h uint16) uint16 {
	if h&0x7f80 == 0 {
		return h & 0x8000
	}
	return h
}

// ReluBF16 is what .relu does to a bf16 result: what is negative becomes +0, a NaN the
// canonical one. Safe for concurrent use.
func ReluBF16(h uint16) uint16 {
	switch {
	case h&0x7fff > 0x7f80:
		return nanBF16
	case h&0x8000 != 0:
		return 0
	}
	return h
}
