package number

import "math"

// A smallFloat is a binary floating-point format of at most 16 bits.
type smallFloat struct {
	mantissa int    // explicit bits of the significand
	bias     int    // of the exponent
	sign     uint32 // the sign bit
	max      uint32 // the largest finite value
	inf      uint32 // infinity; what lies above max in e4m3, which has none
	nan      uint32 // the canonical NaN
}

var (
	formatF16  = smallFloat{mantissa: 10, bias: 15, sign: 0x8000, max: 0x7bff, inf: 0x7c00, nan: nanF16}
	formatBF16 = smallFloat{mantissa: 7, bias: 127, sign: 0x8000, max: 0x7f7f, inf: 0x7f80, nan: nanBF16}
	formatE5M2 = smallFloat{mantissa: 2, bias: 15, sign: 0x80, max: 0x7b, inf: 0x7c, nan: 0x7f}
	formatE4M3 = smallFloat{mantissa: 3, bias: 7, sign: 0x80, max: 0x7e, inf: 0x7f, nan: 0x7f}
)

// from64 returns the bits of x converted to f. A NaN keeps what it can of its payload.
func (f *smallFloat) from64(x float64, mode Rounding) uint32 {
	if x != x {
		return narrowNaN(x, f.mantissa, f.sign, f.inf)
	}
	return f.round(x, mode)
}

// round returns the bits of x rounded to f, in one step. A NaN becomes the canonical one.
func (f *smallFloat) round(x float64, mode Rounding) uint32 {
	b := math.Float64bits(x)
	var sign uint32
	if b>>63 != 0 {
		sign = f.sign
	}
	exp := int(b >> 52 & 0x7ff)
	m := b & (1<<52 - 1)
	switch {
	case exp == 0x7ff && m != 0:
		return f.nan
	case exp == 0x7ff:
		return sign | f.inf
	case exp != 0:
		m |= 1 << 52
	case m == 0:
		return sign
	default:
		exp = 1
	}
	exp -= 1023
	e := max(exp, 1-f.bias) // the exponent of the result
	drop := min(52-f.mantissa+e-exp, 63)
	r, rest := m>>drop, m&(1<<drop-1)
	if rest != 0 {
		half := uint64(1) << (drop - 1)
		if mode == RN && (rest > half || rest == half && r&1 != 0) || mode.away(b>>63 != 0) {
			r++
		}
	}
	// The leading one of r, where it has one, counts the exponent up by one.
	r += uint64(e+f.bias-1) << f.mantissa
	if r > uint64(f.max) {
		if mode == RN || mode.away(b>>63 != 0) {
			return sign | f.inf
		}
		return sign | f.max
	}
	return sign | uint32(r)
}

// finite returns the bits x of f with an infinity replaced by the largest finite value
// of its sign, which is what .satfinite does.
func (f *smallFloat) finite(x uint32) uint32 {
	if x&^f.sign == f.inf {
		return x&f.sign | f.max
	}
	return x
}
