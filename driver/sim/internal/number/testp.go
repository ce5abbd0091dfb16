package number

import "math"

// FiniteF32 is testp.finite.f32; testp.notanumber is a != a, testp.number a == a.
// Safe for concurrent use.
func FiniteF32(a float32) bool { return math.Float32bits(a)>>23&0xff != 0xff }

// FiniteF64 is testp.finite.f64. Safe for concurrent use.
func FiniteF64(a float64) bool { return finite64(a) }

// InfiniteF32 is testp.infinite.f32. Safe for concurrent use.
func InfiniteF32(a float32) bool { return math.Float32bits(a)<<1 == 0xff<<24 }

// InfiniteF64 is testp.infinite.f64. Safe for concurrent use.
func InfiniteF64(a float64) bool { return math.Float64bits(a)<<1 == 0x7ff<<53 }

// NormalF32 is testp.normal.f32. The zeros count as normal. Safe for concurrent use.
func NormalF32(a float32) bool { return FiniteF32(a) && !SubnormalF32(a) }

// NormalF64 is testp.normal.f64. The zeros count as normal. Safe for concurrent use.
func NormalF64(a float64) bool { return finite64(a) && !SubnormalF64(a) }

// SubnormalF32 is testp.subnormal.f32. Safe for concurrent use.
func SubnormalF32(a float32) bool { return math.Float32bits(a)<<1-1 < 1<<24-1 }

// SubnormalF64 is testp.subnormal.f64. Safe for concurrent use.
func SubnormalF64(a float64) bool { return math.Float64bits(a)<<1-1 < 1<<53-1 }

// CopySignF32 is copysign.f32 d, a, b: b with the sign of a, NaNs too. Safe for concurrent use.
func CopySignF32(a, b float32) float32 {
	return math.Float32frombits(math.Float32bits(a)&(1<<31) | math.Float32bits(b)&^(1<<31))
}

// CopySignF64 is copysign.f64 d, a, b. Safe for concurrent use.
func CopySignF64(a, b float64) float64 {
	return math.Float64frombits(math.Float64bits(a)&(1<<63) | math.Float64bits(b)&^(1<<63))
}
