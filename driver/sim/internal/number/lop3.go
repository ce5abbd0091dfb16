package number

// Lop3 is lop3.b32: bit by bit, lut has the result for the number that the bits of a, b
// and c make. Safe for concurrent use.
func Lop3(a, b, c uint32, lut uint8) uint32 {
	switch lut { // the tables that compilers use most
	case 0x96:
		return a ^ b ^ c
	case 0xc0:
		return a & b
	case 0xfc:
		return a | b
	case 0x3c:
		return a ^ b
	case 0x80:
		return a & b & c
	case 0xfe:
		return a | b | c
	case 0xe8:
		return a&b | c&(a|b)
	case 0xca:
		return a&b | ^a&c
	case 0xf8:
		return a | b&c
	case 0xea:
		return a&b | c
	case 0x78:
		return a ^ b&c
	case 0x6a:
		return a&b ^ c
	}
	return lop3(a, b, c, lut)
}

// lop3 is Lop3 for any table.
func lop3(a, b, c uint32, lut uint8) uint32 {
	// bit i of lut, spread over a word
	m := func(i int) uint32 { return -(uint32(lut) >> i & 1) }
	without := ^b&(^c&m(0)|c&m(1)) | b&(^c&m(2)|c&m(3))
	with := ^b&(^c&m(4)|c&m(5)) | b&(^c&m(6)|c&m(7))
	return ^a&without | a&with
}
