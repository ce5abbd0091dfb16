package number

// The first letter after Dp4a and Dp2a is the type of a, the second that of b. The sum
// wraps; c and the result are register bits.

// Dp4aUU is dp4a.u32.u32: c plus the products of four bytes each. Safe for concurrent use.
func Dp4aUU(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		c += uint32(uint8(a>>i)) * uint32(uint8(b>>i))
	}
	return c
}

// Dp4aSS is dp4a.s32.s32. Safe for concurrent use.
func Dp4aSS(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		c += uint32(int32(int8(a>>i)) * int32(int8(b>>i)))
	}
	return c
}

// Dp4aSU is dp4a.s32.u32. Safe for concurrent use.
func Dp4aSU(a, b, c uint32) uint32 {
	for i := 0; i < 32; i += 8 {
		c += uint32(int32(int8(a>>i)) * int32(uint8(b>>i)))
	}
	return c
}

// Dp4aUS is dp4a.u32.s32. Safe for concurrent use.
func Dp4aUS(a, b, c uint32) uint32 { return Dp4aSU(b, a, c) }

// dp2a.lo uses the lower two bytes of b; dp2a.hi is the same with b>>16.

// Dp2aUU is dp2a.lo.u32.u32: c plus the products of two halves of a with two bytes of b.
// Safe for concurrent use.
func Dp2aUU(a, b, c uint32) uint32 {
	return c + a&0xffff*(b&0xff) + a>>16*(b>>8&0xff)
}

// Dp2aSS is dp2a.lo.s32.s32. Safe for concurrent use.
func Dp2aSS(a, b, c uint32) uint32 {
	return c + uint32(int32(int16(a))*int32(int8(b))) + uint32(int32(a)>>16*int32(int8(b>>8)))
}

// Dp2aSU is dp2a.lo.s32.u32. Safe for concurrent use.
func Dp2aSU(a, b, c uint32) uint32 {
	return c + uint32(int32(int16(a))*int32(uint8(b))) + uint32(int32(a)>>16*int32(uint8(b>>8)))
}

// Dp2aUS is dp2a.lo.u32.s32. Safe for concurrent use.
func Dp2aUS(a, b, c uint32) uint32 {
	return c + uint32(int32(uint16(a))*int32(int8(b))) + uint32(int32(a>>16)*int32(int8(b>>8)))
}
