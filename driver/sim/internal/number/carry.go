package number

import "math/bits"

// The carry flag CC.CF is a value of 0 or 1 that goes in and comes out. add.cc and
// mad.lo.cc take 0, sub.cc takes 1: hardware adds what is subtracted inverted, so that the
// flag is 1 where nothing is borrowed. The manual calls it a borrow, which differs where an
// addition takes the flag of a subtraction or the other way round.

// AddCarry32 is addc.cc.u32 and .s32: a + b + carry, and the carry out.
// Safe for concurrent use.
func AddCarry32(a, b, carry uint32) (sum, out uint32) { return bits.Add32(a, b, carry) }

// AddCarry64 is addc.cc.u64 and .s64. Safe for concurrent use.
func AddCarry64(a, b, carry uint64) (sum, out uint64) { return bits.Add64(a, b, carry) }

// SubCarry32 is subc.cc.u32 and .s32: a - b, less one where the carry is 0, and the carry
// out. Safe for concurrent use.
func SubCarry32(a, b, carry uint32) (diff, out uint32) { return bits.Add32(a, ^b, carry) }

// SubCarry64 is subc.cc.u64 and .s64. Safe for concurrent use.
func SubCarry64(a, b, carry uint64) (diff, out uint64) { return bits.Add64(a, ^b, carry) }

// MadLoCarry32 is madc.lo.cc.u32 and .s32: the lower half of a × b, plus c and the carry.
// Safe for concurrent use.
func MadLoCarry32(a, b, c, carry uint32) (sum, out uint32) { return bits.Add32(a*b, c, carry) }

// MadHiCarryU32 is madc.hi.cc.u32. Safe for concurrent use.
func MadHiCarryU32(a, b, c, carry uint32) (sum, out uint32) {
	return bits.Add32(MulHiU32(a, b), c, carry)
}

// MadHiCarryS32 is madc.hi.cc.s32, on register bits. Safe for concurrent use.
func MadHiCarryS32(a, b, c, carry uint32) (sum, out uint32) {
	return bits.Add32(uint32(MulHiS32(int32(a), int32(b))), c, carry)
}

// MadLoCarry64 is madc.lo.cc.u64 and .s64. Safe for concurrent use.
func MadLoCarry64(a, b, c, carry uint64) (sum, out uint64) { return bits.Add64(a*b, c, carry) }

// MadHiCarryU64 is madc.hi.cc.u64. Safe for concurrent use.
func MadHiCarryU64(a, b, c, carry uint64) (sum, out uint64) {
	return bits.Add64(MulHiU64(a, b), c, carry)
}

// MadHiCarryS64 is madc.hi.cc.s64, on register bits. Safe for concurrent use.
func MadHiCarryS64(a, b, c, carry uint64) (sum, out uint64) {
	return bits.Add64(uint64(MulHiS64(int64(a), int64(b))), c, carry)
}
