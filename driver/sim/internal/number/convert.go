package number

import "math"

// F32FromF64 is cvt.rn.f32.f64. A NaN keeps its sign and the upper bits of its payload,
// and becomes quiet. Safe for concurrent use.
func F32FromF64(x float64) float32 { return f32FromF64(x, RN) }

// F32FromF64RZ is cvt.rz.f32.f64. Safe for concurrent use.
func F32FromF64RZ(x float64) float32 { return f32FromF64(x, RZ) }

// F32FromF64RM is cvt.rm.f32.f64. Safe for concurrent use.
func F32FromF64RM(x float64) float32 { return f32FromF64(x, RM) }

// F32FromF64RP is cvt.rp.f32.f64. Safe for concurrent use.
func F32FromF64RP(x float64) float32 { return f32FromF64(x, RP) }

func f32FromF64(x float64, mode Rounding) float32 {
	if x != x {
		return math.Float32frombits(narrowNaN(x, 23, 1<<31, 0x7f800000))
	}
	return narrowTo(x, mode)
}

// F64FromF32 is cvt.f64.f32. A NaN keeps its sign and payload, and becomes quiet.
// Safe for concurrent use.
func F64FromF32(x float32) float64 {
	if x != x {
		b := uint64(math.Float32bits(x))
		return math.Float64frombits(b>>31<<63 | 0x7ff<<52 | quietF64 | b<<29&(1<<52-1))
	}
	return float64(x)
}

// F64FTZFromF32 is cvt.ftz.f64.f32, to which every NaN is the canonical one.
// Safe for concurrent use.
func F64FTZFromF32(x float32) float64 { return F64FromF32(F32FTZFromF32(x)) }

// F32FTZFromF32 is cvt.ftz.f32.f32. Unlike without .ftz a NaN becomes the canonical one.
// Safe for concurrent use.
func F32FTZFromF32(x float32) float32 {
	if x != x {
		return nan32()
	}
	return FTZ32(x)
}
