package number

import "math/bits"

// Integers of 8, 16 and 32 bits convert to float64 exactly; 64 bits may not.

// F32FromS32 is cvt.rn.f32.s32. Safe for concurrent use.
func F32FromS32(x int32) float32 { return float32(x) }

// F32FromU32 is cvt.rn.f32.u32. Safe for concurrent use.
func F32FromU32(x uint32) float32 { return float32(x) }

// F32FromS64 is cvt.rn.f32.s64. Safe for concurrent use.
func F32FromS64(x int64) float32 { return float32(x) }

// F32FromU64 is cvt.rn.f32.u64. Safe for concurrent use.
func F32FromU64(x uint64) float32 { return float32(oddU64(x)) }

// F32FromS32To is cvt.rnd.f32.s32 in any mode. Safe for concurrent use.
func F32FromS32To(x int32, mode Rounding) float32 { return narrowTo(float64(x), mode) }

// F32FromU32To is cvt.rnd.f32.u32 in any mode. Safe for concurrent use.
func F32FromU32To(x uint32, mode Rounding) float32 { return narrowTo(float64(x), mode) }

// F32FromS64To is cvt.rnd.f32.s64 in any mode. Safe for concurrent use.
func F32FromS64To(x int64, mode Rounding) float32 { return narrowTo(oddS64(x), mode) }

// F32FromU64To is cvt.rnd.f32.u64 in any mode. Safe for concurrent use.
func F32FromU64To(x uint64, mode Rounding) float32 { return narrowTo(oddU64(x), mode) }

// F64FromS64 is cvt.rn.f64.s64. Safe for concurrent use.
func F64FromS64(x int64) float64 { return float64(x) }

// F64FromU64 is cvt.rn.f64.u64. Safe for concurrent use.
func F64FromU64(x uint64) float64 { return float64(x) }

// F64FromS64To is cvt.rnd.f64.s64 in any mode. Safe for concurrent use.
func F64FromS64To(x int64, mode Rounding) float64 {
	if x >= 0 {
		return F64FromU64To(uint64(x), mode)
	}
	switch mode {
	case RM:
		mode = RP
	case RP:
		mode = RM
	}
	return -F64FromU64To(-uint64(x), mode)
}

// F64FromU64To is cvt.rnd.f64.u64 in any mode. Safe for concurrent use.
func F64FromU64To(x uint64, mode Rounding) float64 {
	if mode == RN || x == 0 {
		return float64(x)
	}
	n := bits.LeadingZeros64(x)
	return pack64(false, 63-n, x<<n, false, mode)
}

// F16FromS64 is cvt.rnd.f16 of any signed integer. Safe for concurrent use.
func F16FromS64(x int64, mode Rounding) uint16 { return F16FromF64(oddS64(x), mode) }

// F16FromU64 is cvt.rnd.f16 of any unsigned integer. Safe for concurrent use.
func F16FromU64(x uint64, mode Rounding) uint16 { return F16FromF64(oddU64(x), mode) }

// BF16FromS64 is cvt.rnd.bf16 of any signed integer. Safe for concurrent use.
func BF16FromS64(x int64, mode Rounding) uint16 { return BF16FromF64(oddS64(x), mode) }

// BF16FromU64 is cvt.rnd.bf16 of any unsigned integer. Safe for concurrent use.
func BF16FromU64(x uint64, mode Rounding) uint16 { return BF16FromF64(oddU64(x), mode) }

// oddU64 converts x to float64, rounded to odd.
func oddU64(x uint64) float64 {
	if n := bits.Len64(x) - 53; n > 0 {
		if low := uint64(1)<<n - 1; x&low != 0 {
			x = x&^low | 1<<n
		}
	}
	return float64(x)
}

// oddS64 is oddU64 with a sign.
func oddS64(x int64) float64 {
	if x < 0 {
		return -oddU64(-uint64(x))
	}
	return oddU64(uint64(x))
}
