package number

import "math/bits"

// mul.lo, mul.wide and the sums of mad.lo and mad.wide are Go's own operators.

// MulHiS16 is mul.hi.s16. Safe for concurrent use.
func MulHiS16(a, b int16) int16 { return int16(int32(a) * int32(b) >> 16) }

// MulHiU16 is mul.hi.u16. Safe for concurrent use.
func MulHiU16(a, b uint16) uint16 { return uint16(uint32(a) * uint32(b) >> 16) }

// MulHiS32 is mul.hi.s32. Safe for concurrent use.
func MulHiS32(a, b int32) int32 { return int32(int64(a) * int64(b) >> 32) }

// MulHiU32 is mul.hi.u32. Safe for concurrent use.
func MulHiU32(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }

// MulHiS64 is mul.hi.s64. Safe for concurrent use.
func MulHiS64(a, b int64) int64 {
	hi, _ := bits.Mul64(uint64(a), uint64(b))
	// As unsigned numbers, a negative a is 2^64 more and so adds b to the upper half.
	return int64(hi) - a>>63&b - b>>63&a
}

// MulHiU64 is mul.hi.u64. Safe for concurrent use.
func MulHiU64(a, b uint64) uint64 {
	hi, _ := bits.Mul64(a, b)
	return hi
}

// MadHiSatS32 is mad.hi.sat.s32. Safe for concurrent use.
func MadHiSatS32(a, b, c int32) int32 { return AddSatS32(MulHiS32(a, b), c) }

// Mul24LoS32 is mul24.lo.s32. The upper eight bits of the operands don't count.
// Safe for concurrent use.
func Mul24LoS32(a, b int32) int32 { return int32(mul24s(a, b)) }

// Mul24LoU32 is mul24.lo.u32. Safe for concurrent use.
func Mul24LoU32(a, b uint32) uint32 { return uint32(mul24u(a, b)) }

// Mul24HiS32 is mul24.hi.s32: bits 16 to 47 of the product. Safe for concurrent use.
func Mul24HiS32(a, b int32) int32 { return int32(mul24s(a, b) >> 16) }

// Mul24HiU32 is mul24.hi.u32. Safe for concurrent use.
func Mul24HiU32(a, b uint32) uint32 { return uint32(mul24u(a, b) >> 16) }

// Mad24HiSatS32 is mad24.hi.sat.s32. Safe for concurrent use.
func Mad24HiSatS32(a, b, c int32) int32 { return AddSatS32(Mul24HiS32(a, b), c) }

func mul24s(a, b int32) int64 { return int64(a<<8>>8) * int64(b<<8>>8) }

func mul24u(a, b uint32) uint64 { return uint64(a<<8>>8) * uint64(b<<8>>8) }
