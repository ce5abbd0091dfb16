package number

import "math"

// F32FromF64 is cvt.rn.f32.f64. Safe for concurrent use.
func F32FromF64(x float64) float32 {
	if x != x {
		return nan32()
	}
	return float32(x)
}

// F32FromF64RZ is cvt.rz.f32.f64. Safe for concurrent use.
func F32FromF64RZ(x float64) float32 { return narrowRZ(x) }

// F32FromF64RM is cvt.rm.f32.f64. Safe for concurrent use.
func F32FromF64RM(x float64) float32 { return narrowRM(x) }

// F32FromF64RP is cvt.rp.f32.f64. Safe for concurrent use.
func F32FromF64RP(x float64) float32 { return narrowRP(x) }

// F64FromF32 is cvt.f64.f32. A NaN keeps its sign and payload, and becomes quiet.
// Safe for concurrent use.
func F64FromF32(x float32) float64 {
	if x != x {
		b := uint64(math.Float32bits(x))
		return math.Float64frombits(b>>31<<63 | 0x7ff<<52 | quietF64 | b<<29&(1<<52-1))
	}
	return float64(x)
}

// narrowTo rounds x to single precision.
func narrowTo(x float64, mode Rounding) float32 {
	switch mode {
	case RZ:
		return narrowRZ(x)
	case RM:
		return narrowRM(x)
	case RP:
		return narrowRP(x)
	}
	return F32FromF64(x)
}
