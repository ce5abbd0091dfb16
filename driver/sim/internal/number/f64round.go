package number

import "math"

// AddF64RZ is add.rz.f64. Safe for concurrent use.
func AddF64RZ(a, b float64) float64 { return fma64(a, 1, b, RZ) }

// AddF64RM is add.rm.f64. Safe for concurrent use.
func AddF64RM(a, b float64) float64 { return fma64(a, 1, b, RM) }

// AddF64RP is add.rp.f64. Safe for concurrent use.
func AddF64RP(a, b float64) float64 { return fma64(a, 1, b, RP) }

// SubF64RZ is sub.rz.f64. Safe for concurrent use.
func SubF64RZ(a, b float64) float64 { return fma64(a, 1, NegF64(b), RZ) }

// SubF64RM is sub.rm.f64. Safe for concurrent use.
func SubF64RM(a, b float64) float64 { return fma64(a, 1, NegF64(b), RM) }

// SubF64RP is sub.rp.f64. Safe for concurrent use.
func SubF64RP(a, b float64) float64 { return fma64(a, 1, NegF64(b), RP) }

// MulF64RZ is mul.rz.f64. Safe for concurrent use.
func MulF64RZ(a, b float64) float64 { return fma64(a, b, zeroLike(a, b), RZ) }

// MulF64RM is mul.rm.f64. Safe for concurrent use.
func MulF64RM(a, b float64) float64 { return fma64(a, b, zeroLike(a, b), RM) }

// MulF64RP is mul.rp.f64. Safe for concurrent use.
func MulF64RP(a, b float64) float64 { return fma64(a, b, zeroLike(a, b), RP) }

// zeroLike is the zero with the sign of a × b: adding it changes no product, not even
// a zero.
func zeroLike(a, b float64) float64 {
	return math.Float64frombits((math.Float64bits(a) ^ math.Float64bits(b)) & (1 << 63))
}

// FMAF64RZ is fma.rz.f64. Safe for concurrent use.
func FMAF64RZ(a, b, c float64) float64 { return fma64(a, b, c, RZ) }

// FMAF64RM is fma.rm.f64. Safe for concurrent use.
func FMAF64RM(a, b, c float64) float64 { return fma64(a, b, c, RM) }

// FMAF64RP is fma.rp.f64. Safe for concurrent use.
func FMAF64RP(a, b, c float64) float64 { return fma64(a, b, c, RP) }

// DivF64RZ is div.rz.f64. Safe for concurrent use.
func DivF64RZ(a, b float64) float64 { return div64(a, b, RZ) }

// DivF64RM is div.rm.f64. Safe for concurrent use.
func DivF64RM(a, b float64) float64 { return div64(a, b, RM) }

// DivF64RP is div.rp.f64. Safe for concurrent use.
func DivF64RP(a, b float64) float64 { return div64(a, b, RP) }

// RcpF64RZ is rcp.rz.f64. Safe for concurrent use.
func RcpF64RZ(a float64) float64 { return div64(1, a, RZ) }

// RcpF64RM is rcp.rm.f64. Safe for concurrent use.
func RcpF64RM(a float64) float64 { return div64(1, a, RM) }

// RcpF64RP is rcp.rp.f64. Safe for concurrent use.
func RcpF64RP(a float64) float64 { return div64(1, a, RP) }

// SqrtF64RZ is sqrt.rz.f64. Safe for concurrent use.
func SqrtF64RZ(a float64) float64 { return sqrt64(a, RZ) }

// SqrtF64RM is sqrt.rm.f64. Safe for concurrent use.
func SqrtF64RM(a float64) float64 { return sqrt64(a, RM) }

// SqrtF64RP is sqrt.rp.f64. Safe for concurrent use.
func SqrtF64RP(a float64) float64 { return sqrt64(a, RP) }
