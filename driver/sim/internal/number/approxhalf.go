package number

import "math"

// Ex2ApproxF16 is ex2.approx.f16. The manual allows a relative error of 2^-9.9; this is the
// nearest. Safe for concurrent use.
func Ex2ApproxF16(h uint16) uint16 {
	return uint16(formatF16.round(math.Exp2(float64(F32FromF16(h))), RN))
}

// Ex2ApproxBF16 is ex2.approx.ftz.bf16. The manual allows a relative error of 2^-7.
// Safe for concurrent use.
func Ex2ApproxBF16(h uint16) uint16 {
	return FTZBF16(uint16(formatBF16.round(math.Exp2(float64(F32FromBF16(h))), RN)))
}

// TanhApproxF16 is tanh.approx.f16. The manual allows an absolute error of 2^-10.987; this is
// the nearest. Safe for concurrent use.
func TanhApproxF16(h uint16) uint16 {
	return uint16(formatF16.round(math.Tanh(float64(F32FromF16(h))), RN))
}

// TanhApproxBF16 is tanh.approx.bf16. The manual allows an absolute error of 2^-8.
// Safe for concurrent use.
func TanhApproxBF16(h uint16) uint16 {
	return uint16(formatBF16.round(math.Tanh(float64(F32FromBF16(h))), RN))
}

// Ex2ApproxF16x2 is ex2.approx.f16x2. Safe for concurrent use.
func Ex2ApproxF16x2(a uint32) uint32 { return Lanes1(a, Ex2ApproxF16) }

// Ex2ApproxBF16x2 is ex2.approx.ftz.bf16x2. Safe for concurrent use.
func Ex2ApproxBF16x2(a uint32) uint32 { return Lanes1(a, Ex2ApproxBF16) }

// TanhApproxF16x2 is tanh.approx.f16x2. Safe for concurrent use.
func TanhApproxF16x2(a uint32) uint32 { return Lanes1(a, TanhApproxF16) }

// TanhApproxBF16x2 is tanh.approx.bf16x2. Safe for concurrent use.
func TanhApproxBF16x2(a uint32) uint32 { return Lanes1(a, TanhApproxBF16) }
