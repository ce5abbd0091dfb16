package number

import "math"

// These convert as cvt.rzi does, so after RniF32, RmiF32 or RpiF32 as that mode does. What
// lies outside the integer's range becomes the nearest end of it, with and without .sat. An
// f16 or bf16 is converted to float32 first.

// S32FromF32 is cvt.rzi.s32.f32. A NaN gives 0. Safe for concurrent use.
func S32FromF32(x float32) int32 {
	switch {
	case x != x:
		return 0
	case x >= 0x1p31:
		return math.MaxInt32
	case x < -0x1p31:
		return math.MinInt32
	}
	return int32(x)
}

// S64FromF32 is cvt.rzi.s64.f32. A NaN gives the least. Safe for concurrent use.
func S64FromF32(x float32) int64 {
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

// S16FromF32 is cvt.rzi.s16.f32. A NaN gives 0. Safe for concurrent use.
func S16FromF32(x float32) int16 {
	switch {
	case x != x:
		return 0
	case x >= 0x1p15:
		return math.MaxInt16
	case x < -0x1p15:
		return math.MinInt16
	}
	return int16(x)
}

// S8FromF32 is cvt.rzi.s8.f32. A NaN gives 0. Safe for concurrent use.
func S8FromF32(x float32) int8 {
	switch {
	case x != x:
		return 0
	case x >= 0x1p7:
		return math.MaxInt8
	case x < -0x1p7:
		return math.MinInt8
	}
	return int8(x)
}

// U32FromF32 is cvt.rzi.u32.f32. A NaN gives 0. Safe for concurrent use.
func U32FromF32(x float32) uint32 {
	switch {
	case x >= 0x1p32:
		return math.MaxUint32
	case x > 0:
		return uint32(x)
	}
	return 0
}

// U64FromF32 is cvt.rzi.u64.f32. A NaN gives 2^63. Safe for concurrent use.
func U64FromF32(x float32) uint64 {
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

// U16FromF32 is cvt.rzi.u16.f32. A NaN gives 0. Safe for concurrent use.
func U16FromF32(x float32) uint16 {
	switch {
	case x >= 0x1p16:
		return math.MaxUint16
	case x > 0:
		return uint16(x)
	}
	return 0
}

// U8FromF32 is cvt.rzi.u8.f32. A NaN gives 0. Safe for concurrent use.
func U8FromF32(x float32) uint8 {
	switch {
	case x >= 0x1p8:
		return math.MaxUint8
	case x > 0:
		return uint8(x)
	}
	return 0
}
