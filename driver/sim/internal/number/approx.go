package number

import "math"

// The .approx instructions read tables that differ between architectures. Here they are
// computed in double precision and rounded, so that they lie within the error that the
// manual allows, on special values exactly where it puts them. Each has a form with .ftz.

// Ex2Approx is ex2.approx.f32. The manual allows 2 ulp; this is within 1.
// Safe for concurrent use.
func Ex2Approx(x float32) float32 {
	if x != x {
		return nan32()
	}
	return float32(math.Exp2(float64(x)))
}

// Ex2ApproxFTZ is ex2.approx.ftz.f32. Safe for concurrent use.
func Ex2ApproxFTZ(x float32) float32 { return FTZ32(Ex2Approx(FTZ32(x))) }

// Lg2Approx is lg2.approx.f32. The manual allows an absolute error of 2^-22 in (0.5, 2) and a
// relative one of 2^-22 elsewhere. Safe for concurrent use.
func Lg2Approx(x float32) float32 {
	switch {
	case x != x || x < 0:
		return nan32()
	case x == 0:
		return float32(math.Inf(-1))
	}
	return float32(math.Log2(float64(x)))
}

// Lg2ApproxFTZ is lg2.approx.ftz.f32. Safe for concurrent use.
func Lg2ApproxFTZ(x float32) float32 { return FTZ32(Lg2Approx(FTZ32(x))) }

// RcpApprox is rcp.approx.f32. The manual allows 1 ulp; this is the nearest.
// Safe for concurrent use.
func RcpApprox(x float32) float32 { return DivF32(1, x) }

// RcpApproxFTZ is rcp.approx.ftz.f32. Safe for concurrent use.
func RcpApproxFTZ(x float32) float32 { return FTZ32(DivF32(1, FTZ32(x))) }

// SqrtApprox is sqrt.approx.f32. The manual allows a relative error of 2^-23; this is the
// nearest. Safe for concurrent use.
func SqrtApprox(x float32) float32 { return SqrtF32(x) }

// SqrtApproxFTZ is sqrt.approx.ftz.f32. Safe for concurrent use.
func SqrtApproxFTZ(x float32) float32 { return SqrtF32(FTZ32(x)) }

// RsqrtApprox is rsqrt.approx.f32. The manual allows a relative error of 2^-22.9.
// Safe for concurrent use.
func RsqrtApprox(x float32) float32 { return narrowRN(1 / math.Sqrt(float64(x))) }

// RsqrtApproxFTZ is rsqrt.approx.ftz.f32. Safe for concurrent use.
func RsqrtApproxFTZ(x float32) float32 { return RsqrtApprox(FTZ32(x)) }

// TanhApprox is tanh.approx.f32. The manual allows a relative error of 2^-11. A subnormal
// gives itself. Safe for concurrent use.
func TanhApprox(x float32) float32 { return narrowRN(math.Tanh(float64(x))) }
