package number

// CvtPack is cvt.pack.sat: a and b limited to width bits (2, 4, 8 or 16), b in the lowest
// place, a above it and above them c; for 16 bits c has no place. Safe for concurrent use.
func CvtPack(a, b int32, c uint32, width uint32, signed bool) uint32 {
	lo, hi := int32(0), int32(1)<<width-1
	if signed {
		lo, hi = -1<<(width-1), 1<<(width-1)-1
	}
	mask := uint32(1)<<width - 1
	return c<<(2*width) | uint32(Clamp(a, lo, hi))&mask<<width | uint32(Clamp(b, lo, hi))&mask
}

// AddX2 is add.u16x2 and add.s16x2. Safe for concurrent use.
func AddX2(a, b uint32) uint32 { return Pack16(uint16(a)+uint16(b), uint16(a>>16)+uint16(b>>16)) }

// MinU16x2 is min.u16x2. Safe for concurrent use.
func MinU16x2(a, b uint32) uint32 {
	return Pack16(min(uint16(a), uint16(b)), min(uint16(a>>16), uint16(b>>16)))
}

// MaxU16x2 is max.u16x2. Safe for concurrent use.
func MaxU16x2(a, b uint32) uint32 {
	return Pack16(max(uint16(a), uint16(b)), max(uint16(a>>16), uint16(b>>16)))
}

// MinS16x2 is min.s16x2. Safe for concurrent use.
func MinS16x2(a, b uint32) uint32 {
	return Pack16(uint16(min(int16(a), int16(b))), uint16(min(int16(a>>16), int16(b>>16))))
}

// MaxS16x2 is max.s16x2. Safe for concurrent use.
func MaxS16x2(a, b uint32) uint32 {
	return Pack16(uint16(max(int16(a), int16(b))), uint16(max(int16(a>>16), int16(b>>16))))
}

// ReluS16x2 is .relu of min.s16x2 and max.s16x2. Safe for concurrent use.
func ReluS16x2(a uint32) uint32 {
	return Pack16(uint16(Relu(int16(a))), uint16(Relu(int16(a>>16))))
}
