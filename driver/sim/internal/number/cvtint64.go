package number

import "math"

// A NaN in double precision gives what only the top bit set stands for, unlike one in single
// precision with an integer of at most 32 bits.

// S32FromF64 is cvt.rzi.s32.f64. A NaN gives the least. Safe for concurrent use.
func S32FromF64(x float64) int32 {
	switch {
	case x != x:
		return math.MinInt32
	case x >= 0x1p31:
		return math.MaxInt32
	case x < -0x1p31:
		return math.MinInt32
	}
	return int32(x)
}

// S64FromF64 is cvt.rzi.s64.f64. A NaN gives the least. Safe for concurrent use.
func S64FromF64(x float64) int64 {
	switch {
	case x != x:
		return math.MinInt64
	case x >= 0x1p63:
		return math.MaxInt64
	case x < -0x1p63:
		return math.MinInt64
	}
	return int64(x)
}

// S16FromF64 is cvt.rzi.s16.f64. A NaN gives the least. Safe for concurrent use.
func S16FromF64(x float64) int16 {
	switch {
	case x != x:
		return math.MinInt16
	case x >= 0x1p15:
		return math.MaxInt16
	case x < -0x1p15:
		return math.MinInt16
	}
	return int16(x)
}

// S8FromF64 is cvt.rzi.s8.f64. A NaN gives the least. Safe for concurrent use.
func S8FromF64(x float64) int8 {
	switch {
	case x != x:
		return math.MinInt8
	case x >= 0x1p7:
		return math.MaxInt8
	case x < -0x1p7:
		return math.MinInt8
	}
	return int8(x)
}

// U32FromF64 is cvt.rzi.u32.f64. A NaN gives 2^31. Safe for concurrent use.
func U32FromF64(x float64) uint32 {
	switch {
	case x >= 0x1p32:
		return math.MaxUint32
	case x > 0:
		return uint32(x)
	case x != x:
		return 1 << 31
	}
	return 0
}

// U64FromF64 is cvt.rzi.u64.f64. A NaN gives 2^63. Safe for concurrent use.
func U64FromF64(x float64) uint64 {
	switch {
	case x >= 0x1p64:
		return math.MaxUint64
	case x > 0:
		return uint64(x)
	case x != x:
		return 1 << 63
	}
	return 0
}

// U16FromF64 is cvt.rzi.u16.f64. A NaN gives 2^15. Safe for concurrent use.
func U16FromF64(x float64) uint16 {
	switch {
	case x >= 0x1p16:
		return math.MaxUint16
	case x > 0:
		return uint16(x)
	case x != x:
		return 1 << 15
	}
	return 0
}

// U8FromF64 is cvt.rzi.u8.f64. A NaN gives 2^7. Safe for concurrent use.
func U8FromF64(x float64) uint8 {
	switch {
	case x >= 0x1p8:
		return math.MaxUint8
	case x > 0:
		return uint8(x)
	case x != x:
		return 1 << 7
	}
	return 0
}
