package number

import "math/bits"

// BmskClamp is bmsk.clamp.b32: length ones from bit pos on. Safe for concurrent use.
func BmskClamp(pos, length uint32) uint32 {
	return (1<<length - 1) << pos
}

// BmskWrap is bmsk.wrap.b32, which takes both modulo 32. Safe for concurrent use.
func BmskWrap(pos, length uint32) uint32 {
	return (1<<(length&31) - 1) << (pos & 31)
}

// SzextClampU32 is szext.clamp.u32: the lowest n bits of a. Safe for concurrent use.
func SzextClampU32(a, n uint32) uint32 { return a & (1<<n - 1) }

// SzextWrapU32 is szext.wrap.u32, which takes n modulo 32. Safe for concurrent use.
func SzextWrapU32(a, n uint32) uint32 { return a & (1<<(n&31) - 1) }

// SzextClampS32 is szext.clamp.s32: the lowest n bits of a as a signed number.
// Safe for concurrent use.
func SzextClampS32(a int32, n uint32) int32 {
	n = 32 - min(n, 32)
	return a << n >> n
}

// SzextWrapS32 is szext.wrap.s32, which takes n modulo 32. Safe for concurrent use.
func SzextWrapS32(a int32, n uint32) int32 {
	n = 32 - n&31
	return a << n >> n
}

// Fns is fns.b32: the position of the n-th one of mask counted from bit base, upward, or
// downward for a negative n. Where there is none, and for a base above 31, it is all ones.
// For the least n, which has no opposite, it is 0. Safe for concurrent use.
func Fns(mask, base uint32, n int32) uint32 {
	const none = 0xffffffff
	if n == -1<<31 {
		return 0
	}
	if base > 31 {
		return none
	}
	if n == 0 {
		if mask>>base&1 != 0 {
			return base
		}
		return none
	}
	if n < 0 {
		// Downward is upward in the mirror.
		if p := Fns(bits.Reverse32(mask), 31-base, -n); p != none {
			return 31 - p
		}
		return none
	}
	for mask = mask >> base << base; mask != 0; mask &= mask - 1 {
		if n--; n == 0 {
			return uint32(bits.TrailingZeros32(mask))
		}
	}
	return none
}
