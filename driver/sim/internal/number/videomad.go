package number

import "math/bits"

// A VideoMad holds the modifiers of vmad. The zero value is .u32.u32.u32 on whole
// registers. Safe for concurrent use after it is made; its fields must not change.
type VideoMad struct {
	ASigned, BSigned bool
	A, B             Part
	Negate           bool  // a or b has a minus sign, and not both
	NegateC          bool  // c has one
	PlusOne          bool  // .po
	Shift            uint8 // 7 or 15 for .shr7 and .shr15
	Sat              bool
}

// VMad is vmad: a × b + c with signs, scaled. Safe for concurrent use.
func (v VideoMad) VMad(a, b, c uint32) uint32 {
	signed := v.ASigned || v.BSigned || v.Negate || v.NegateC
	hi, lo := mul128(v.A.extract(a, v.ASigned), v.B.extract(b, v.BSigned))
	third := Whole.extract(c, signed)
	var one uint64
	switch {
	case v.PlusOne:
		one = 1
	case v.Negate:
		hi, lo, one = ^hi, ^lo, 1
	case v.NegateC:
		third, one = ^third, 1
	}
	var carry uint64
	lo, carry = bits.Add64(lo, uint64(third), one)
	hi += uint64(third>>63) + carry
	// Bits of the scaled sum, and the rest of it for saturation.
	r := lo>>v.Shift | hi<<(64-v.Shift)
	if !v.Sat {
		return uint32(r)
	}
	over := int64(hi) >> v.Shift // what lies above r, with the sign
	switch {
	case signed:
		if over != int64(r)>>63 {
			return uint32(0x7fffffff + over>>63&1)
		}
		return uint32(Clamp(int64(r), -1<<31, 1<<31-1))
	case over != 0 || r > 0xffffffff:
		return 0xffffffff
	}
	return uint32(r)
}

// mul128 returns the product of two numbers of at most 33 bits, in two's complement.
func mul128(a, b int64) (hi, lo uint64) {
	hi, lo = bits.Mul64(uint64(a), uint64(b))
	return hi - uint64(a>>63&b) - uint64(b>>63&a), lo
}
