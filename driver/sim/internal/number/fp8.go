package number

// The packed forms hold two lanes; the functions of one come first.

// E4M3FromF32 is a lane of cvt.rn.satfinite.e4m3x2.f32: what is too large becomes ±448,
// a NaN 0x7f. Safe for concurrent use.
func E4M3FromF32(x float32) uint8 {
	if x != x {
		return uint8(formatE4M3.nan)
	}
	return uint8(formatE4M3.finite(formatE4M3.round(float64(x), RN)))
}

// E5M2FromF32 is a lane of cvt.rn.satfinite.e5m2x2.f32: what is too large becomes
// ±57344, a NaN 0x7f. Safe for concurrent use.
func E5M2FromF32(x float32) uint8 {
	return uint8(formatE5M2.finite(formatE5M2.round(float64(x), RN)))
}

// ReluFP8 is what .relu does to a lane of either format: what is negative becomes +0.
// Safe for concurrent use.
func ReluFP8(x uint8) uint8 {
	if x&0x80 != 0 {
		return 0
	}
	return x
}

// F16FromE4M3 is a lane of cvt.rn.f16x2.e4m3x2. Safe for concurrent use.
func F16FromE4M3(x uint8) uint16 {
	if x&0x7f == 0x7f {
		return nanF16
	}
	// The bits, moved to where f16 has them, are the number times 2^-8.
	v := F32FromF16(uint16(x&0x7f)<<7) * 0x1p8
	return F16FromF32(v) | uint16(x&0x80)<<8
}

// F16FromE5M2 is a lane of cvt.rn.f16x2.e5m2x2: an f16 without its lower half.
// Safe for concurrent use.
func F16FromE5M2(x uint8) uint16 {
	if x&0x7f > 0x7c {
		return nanF16
	}
	return uint16(x) << 8
}

// E4M3x2FromF32 is cvt.rn.satfinite.e4m3x2.f32 d, a, b: a goes to the upper byte.
// Safe for concurrent use.
func E4M3x2FromF32(a, b float32) uint16 { return uint16(E4M3FromF32(a))<<8 | uint16(E4M3FromF32(b)) }

// E5M2x2FromF32 is cvt.rn.satfinite.e5m2x2.f32 d, a, b. Safe for concurrent use.
func E5M2x2FromF32(a, b float32) uint16 { return uint16(E5M2FromF32(a))<<8 | uint16(E5M2FromF32(b)) }

// E4M3x2FromF16x2 is cvt.rn.satfinite.e4m3x2.f16x2. Safe for concurrent use.
func E4M3x2FromF16x2(a uint32) uint16 {
	return E4M3x2FromF32(F32FromF16(uint16(a>>16)), F32FromF16(uint16(a)))
}

// E5M2x2FromF16x2 is cvt.rn.satfinite.e5m2x2.f16x2. Safe for concurrent use.
func E5M2x2FromF16x2(a uint32) uint16 {
	return E5M2x2FromF32(F32FromF16(uint16(a>>16)), F32FromF16(uint16(a)))
}

// F16x2FromE4M3x2 is cvt.rn.f16x2.e4m3x2. Safe for concurrent use.
func F16x2FromE4M3x2(a uint16) uint32 {
	return uint32(F16FromE4M3(uint8(a>>8)))<<16 | uint32(F16FromE4M3(uint8(a)))
}

// F16x2FromE5M2x2 is cvt.rn.f16x2.e5m2x2. Safe for concurrent use.
func F16x2FromE5M2x2(a uint16) uint32 {
	return uint32(F16FromE5M2(uint8(a>>8)))<<16 | uint32(F16FromE5M2(uint8(a)))
}

// ReluFP8x2 is ReluFP8 for two lanes. Safe for concurrent use.
func ReluFP8x2(a uint16) uint16 {
	return uint16(ReluFP8(uint8(a>>8)))<<8 | uint16(ReluFP8(uint8(a)))
}
