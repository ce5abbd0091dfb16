package number

import "math/bits"

// BfeU32 is bfe.u32: length bits of a from bit pos. Only the last eight bits of pos
// and length count. Safe for concurrent use.
func BfeU32(a, pos, length uint32) uint32 {
	return a >> (pos & 0xff) & (1<<(length&0xff) - 1)
}

// BfeU64 is bfe.u64. Unlike in 32 bits, and other than the manual says, all bits of pos and
// length count. Safe for concurrent use.
func BfeU64(a uint64, pos, length uint32) uint64 {
	return a >> pos & (1<<length - 1)
}

// BfeS32 is bfe.s32: the field's top bit fills up, or that of a where the field
// reaches beyond it. Safe for concurrent use.
func BfeS32(a int32, pos, length uint32) int32 {
	pos, length = pos&0xff, length&0xff
	switch {
	case length == 0:
		return 0
	case pos+length >= 32:
		return a >> min(pos, 31)
	}
	return a << (32 - pos - length) >> (32 - length)
}

// BfeS64 is bfe.s64. All bits of pos and length count. Safe for concurrent use.
func BfeS64(a int64, pos, length uint32) int64 {
	switch {
	case length == 0:
		return 0
	case pos >= 64 || length >= 64-pos:
		return a >> min(pos, 63)
	}
	return a << (64 - pos - length) >> (64 - length)
}

// BfiB32 is bfi.b32: b with length bits from pos on replaced by the lowest of a.
// Safe for concurrent use.
func BfiB32(a, b, pos, length uint32) uint32 {
	pos &= 0xff
	mask := (uint32(1)<<(length&0xff) - 1) << pos
	return b&^mask | a<<pos&mask
}

// BfiB64 is bfi.b64. All bits of pos and length count. Safe for concurrent use.
func BfiB64(a, b uint64, pos, length uint32) uint64 {
	mask := (uint64(1)<<length - 1) << pos
	return b&^mask | a<<pos&mask
}

// BfindU32 is bfind.u32: the position of the topmost one, or all ones.
// Safe for concurrent use.
func BfindU32(a uint32) uint32 { return uint32(bits.Len32(a) - 1) }

// BfindU64 is bfind.u64. Safe for concurrent use.
func BfindU64(a uint64) uint32 { return uint32(bits.Len64(a) - 1) }

// BfindS32 is bfind.s32: the position of the topmost bit unlike the sign.
// Safe for concurrent use.
func BfindS32(a int32) uint32 { return BfindU32(uint32(a ^ a>>31)) }

// BfindS64 is bfind.s64. Safe for concurrent use.
func BfindS64(a int64) uint32 { return BfindU64(uint64(a ^ a>>63)) }

// BfindShift is bfind.shiftamt: from the position that bfind found among width bits, the
// shift that would bring the bit to the top. Safe for concurrent use.
func BfindShift(found, width uint32) uint32 {
	if found == 0xffffffff {
		return found
	}
	return width - 1 - found
}

// Brev32 is brev.b32. Safe for concurrent use.
func Brev32(a uint32) uint32 { return bits.Reverse32(a) }

// Brev64 is brev.b64. Safe for concurrent use.
func Brev64(a uint64) uint64 { return bits.Reverse64(a) }

// Clz32 is clz.b32. Safe for concurrent use.
func Clz32(a uint32) uint32 { return uint32(bits.LeadingZeros32(a)) }

// Clz64 is clz.b64. Safe for concurrent use.
func Clz64(a uint64) uint32 { return uint32(bits.LeadingZeros64(a)) }

// Popc32 is popc.b32. Safe for concurrent use.
func Popc32(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }

// Popc64 is popc.b64. Safe for concurrent use.
func Popc64(a uint64) uint32 { return uint32(bits.OnesCount64(a)) }
