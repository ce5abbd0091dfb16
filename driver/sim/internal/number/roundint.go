package number

import "math"

// Rounding to an integer gives a NaN for a NaN, and leaves an infinity as it is.

// RniF32 is cvt.rni.f32.f32: rounds to nearest, ties to even. Safe for concurrent use.
func RniF32(x float32) float32 {
	r := float32(math.RoundToEven(float64(x)))
	if r != r {
		return nan32()
	}
	return r
}

// RniF64 is cvt.rni.f64.f64. Safe for concurrent use.
func RniF64(x float64) float64 {
	if x != x {
		return quiet64(x)
	}
	return math.RoundToEven(x)
}

// RziF32 is cvt.rzi.f32.f32: rounds toward zero. Safe for concurrent use.
func RziF32(x float32) float32 {
	r := float32(math.Trunc(float64(x)))
	if r != r {
		return nan32()
	}
	return r
}

// RziF64 is cvt.rzi.f64.f64. Safe for concurrent use.
func RziF64(x float64) float64 {
	if x != x {
		return quiet64(x)
	}
	return math.Trunc(x)
}

// RmiF32 is cvt.rmi.f32.f32: rounds down. Safe for concurrent use.
func RmiF32(x float32) float32 {
	r := float32(math.Floor(float64(x)))
	if r != r {
		return nan32()
	}
	return r
}

// RmiF64 is cvt.rmi.f64.f64. Safe for concurrent use.
func RmiF64(x float64) float64 {
	if x != x {
		return quiet64(x)
	}
	return math.Floor(x)
}

// RpiF32 is cvt.rpi.f32.f32: rounds up. Safe for concurrent use.
func RpiF32(x float32) float32 {
	r := float32(math.Ceil(float64(x)))
	if r != r {
		return nan32()
	}
	return r
}

// RpiF64 is cvt.rpi.f64.f64. Safe for concurrent use.
func RpiF64(x float64) float64 {
	if x != x {
		return quiet64(x)
	}
	return math.Ceil(x)
}

// RoundF16 is cvt.rni, .rzi, .rmi or .rpi.f16.f16 for RN, RZ, RM or RP.
// Safe for concurrent use.
func RoundF16(h uint16, mode Rounding) uint16 { return F16FromF32(RoundF32(F32FromF16(h), mode)) }

// RoundBF16 is the same for .bf16.bf16. Safe for concurrent use.
func RoundBF16(h uint16, mode Rounding) uint16 {
	return BF16FromF32(RoundF32(F32FromBF16(h), mode))
}

// RoundF32 rounds to an integer in the mode that corresponds. Safe for concurrent use.
func RoundF32(x float32, mode Rounding) float32 {
	switch mode {
	case RZ:
		return RziF32(x)
	case RM:
		return RmiF32(x)
	case RP:
		return RpiF32(x)
	}
	return RniF32(x)
}

// RoundF64 rounds to an integer in the mode that corresponds. Safe for concurrent use.
func RoundF64(x float64, mode Rounding) float64 {
	switch mode {
	case RZ:
		return RziF64(x)
	case RM:
		return RmiF64(x)
	case RP:
		return RpiF64(x)
	}
	return RniF64(x)
}
