package number

// Prmt is prmt.b32 without a mode: each nibble of c names one of the eight bytes of b and
// a, or, with its top bit, eight copies of that byte's. Safe for concurrent use.
func Prmt(a, b, c uint32) uint32 {
	pair := uint64(b)<<32 | uint64(a)
	var d uint32
	for i := uint32(0); i < 32; i += 8 {
		sel := c >> (i / 2)
		v := uint32(pair>>(sel&7*8)) & 0xff
		if sel&8 != 0 {
			v = -(v >> 7) & 0xff
		}
		d |= v << i
	}
	return d
}

// PrmtF4E is prmt.b32.f4e: four bytes upward from byte c. The modes use the last two
// bits of c. Safe for concurrent use.
func PrmtF4E(a, b, c uint32) uint32 {
	return uint32((uint64(b)<<32 | uint64(a)) >> (c & 3 * 8))
}

// PrmtB4E is prmt.b32.b4e: four bytes downward from byte c, byte 7 below byte 0.
// Safe for concurrent use.
func PrmtB4E(a, b, c uint32) uint32 {
	c &= 3
	return prmtBytes(a, b, c, (c+7)&7, (c+6)&7, (c+5)&7)
}

// PrmtRC8 is prmt.b32.rc8: four copies of byte c. Safe for concurrent use.
func PrmtRC8(a, _, c uint32) uint32 { return a >> (c & 3 * 8) & 0xff * 0x01010101 }

// PrmtECL is prmt.b32.ecl: bytes below c become byte c. Safe for concurrent use.
func PrmtECL(a, b, c uint32) uint32 {
	c &= 3
	return prmtBytes(a, b, c, max(1, c), max(2, c), 3)
}

// PrmtECR is prmt.b32.ecr: bytes above c become byte c. Safe for concurrent use.
func PrmtECR(a, b, c uint32) uint32 {
	c &= 3
	return prmtBytes(a, b, 0, min(1, c), min(2, c), c)
}

// PrmtRC16 is prmt.b32.rc16: two copies of half c. Safe for concurrent use.
func PrmtRC16(a, _, c uint32) uint32 { return a >> (c & 1 * 16) & 0xffff * 0x00010001 }

// prmtBytes picks four bytes, the lowest first.
func prmtBytes(a, b, s0, s1, s2, s3 uint32) uint32 {
	return Prmt(a, b, s3<<12|s2<<8|s1<<4|s0)
}

// ShfLClamp is shf.l.clamp.b32: the upper half of b:a shifted left. Safe for concurrent use.
func ShfLClamp(a, b, c uint32) uint32 {
	n := min(c, 32)
	return b<<n | a>>(32-n)
}

// ShfLWrap is shf.l.wrap.b32. Safe for concurrent use.
func ShfLWrap(a, b, c uint32) uint32 { return b<<(c&31) | a>>(32-c&31) }

// ShfRClamp is shf.r.clamp.b32: the lower half of b:a shifted right. Safe for concurrent use.
func ShfRClamp(a, b, c uint32) uint32 {
	n := min(c, 32)
	return b<<(32-n) | a>>n
}

// ShfRWrap is shf.r.wrap.b32. Safe for concurrent use.
func ShfRWrap(a, b, c uint32) uint32 { return b<<(32-c&31) | a>>(c&31) }
