package number

import "math"

// AddF32RZ is add.rz.f32. Safe for concurrent use.
func AddF32RZ(a, b float32) float32 { return narrowRZ(oddSum(float64(a), float64(b))) }

// AddF32RM is add.rm.f32. Safe for concurrent use.
func AddF32RM(a, b float32) float32 { return sumRM(float64(a), float64(b)) }

// AddF32RP is add.rp.f32. Safe for concurrent use.
func AddF32RP(a, b float32) float32 { return narrowRP(oddSum(float64(a), float64(b))) }

// SubF32RZ is sub.rz.f32. Safe for concurrent use.
func SubF32RZ(a, b float32) float32 { return AddF32RZ(a, -b) }

// SubF32RM is sub.rm.f32. Safe for concurrent use.
func SubF32RM(a, b float32) float32 { return AddF32RM(a, -b) }

// SubF32RP is sub.rp.f32. Safe for concurrent use.
func SubF32RP(a, b float32) float32 { return AddF32RP(a, -b) }

// MulF32RZ is mul.rz.f32. Safe for concurrent use.
func MulF32RZ(a, b float32) float32 { return narrowRZ(float64(a) * float64(b)) }

// MulF32RM is mul.rm.f32. Safe for concurrent use.
func MulF32RM(a, b float32) float32 { return narrowRM(float64(a) * float64(b)) }

// MulF32RP is mul.rp.f32. Safe for concurrent use.
func MulF32RP(a, b float32) float32 { return narrowRP(float64(a) * float64(b)) }

// FMAF32RZ is fma.rz.f32. Safe for concurrent use.
func FMAF32RZ(a, b, c float32) float32 {
	return narrowRZ(oddSum(float64(a)*float64(b), float64(c)))
}

// FMAF32RM is fma.rm.f32. Safe for concurrent use.
func FMAF32RM(a, b, c float32) float32 { return sumRM(float64(a)*float64(b), float64(c)) }

// FMAF32RP is fma.rp.f32. Safe for concurrent use.
func FMAF32RP(a, b, c float32) float32 {
	return narrowRP(oddSum(float64(a)*float64(b), float64(c)))
}

// A quotient or root of single-precision numbers that is not exact differs from every
// such number by more than float64's rounding, so that it rounds to the same neighbour.

// DivF32RZ is div.rz.f32. Safe for concurrent use.
func DivF32RZ(a, b float32) float32 { return narrowRZ(float64(a) / float64(b)) }

// DivF32RM is div.rm.f32. Safe for concurrent use.
func DivF32RM(a, b float32) float32 { return narrowRM(float64(a) / float64(b)) }

// DivF32RP is div.rp.f32. Safe for concurrent use.
func DivF32RP(a, b float32) float32 { return narrowRP(float64(a) / float64(b)) }

// RcpF32RZ is rcp.rz.f32. Safe for concurrent use.
func RcpF32RZ(a float32) float32 { return narrowRZ(1 / float64(a)) }

// RcpF32RM is rcp.rm.f32. Safe for concurrent use.
func RcpF32RM(a float32) float32 { return narrowRM(1 / float64(a)) }

// RcpF32RP is rcp.rp.f32. Safe for concurrent use.
func RcpF32RP(a float32) float32 { return narrowRP(1 / float64(a)) }

// SqrtF32RZ is sqrt.rz.f32. Safe for concurrent use.
func SqrtF32RZ(a float32) float32 { return narrowRZ(math.Sqrt(float64(a))) }

// SqrtF32RM is sqrt.rm.f32. Safe for concurrent use.
func SqrtF32RM(a float32) float32 { return narrowRM(math.Sqrt(float64(a))) }

// SqrtF32RP is sqrt.rp.f32. Safe for concurrent use.
func SqrtF32RP(a float32) float32 { return narrowRP(math.Sqrt(float64(a))) }

// sumRM is a + b rounded down. An exact zero is -0 in this mode, unless both are +0.
func sumRM(a, b float64) float32 {
	s := oddSum(a, b)
	if s == 0 && (math.Signbit(a) || math.Signbit(b)) {
		return float32(math.Copysign(0, -1))
	}
	return narrowRM(s)
}
