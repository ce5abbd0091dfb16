package abi

import (
	"math"
	"math/bits"
)

// A smallFloat describes a binary floating-point format of at most 16 bits.
type smallFloat struct {
	mantissa int    // explicit bits of the significand
	bias     int    // of the exponent
	sign     uint16 // the sign bit
	max      uint16 // the largest finite value
	inf      uint16 // infinity; 0 where the format has none
	nan      uint16 // the quiet NaN without a payload
	payload  uint16 // the bits of a NaN that carry its payload
}

var (
	half = smallFloat{mantissa: 10, bias: 15, sign: 0x8000, max: 0x7bff, inf: 0x7c00, nan: 0x7e00, payload: 0x01ff}
	bf16 = smallFloat{mantissa: 7, bias: 127, sign: 0x8000, max: 0x7f7f, inf: 0x7f80, nan: 0x7fc0, payload: 0x003f}
	e5m2 = smallFloat{mantissa: 2, bias: 15, sign: 0x80, max: 0x7b, inf: 0x7c, nan: 0x7e, payload: 0x01}
	e4m3 = smallFloat{mantissa: 3, bias: 7, sign: 0x80, max: 0x7e, nan: 0x7f}
)

const (
	f64Mantissa = 52
	f64Bias     = 1023
	f64Quiet    = 1 << 51
)

// round returns the bits of the value of s nearest to v, ties to even, in one step
// from the 53 bits of v. A finite v beyond the largest value of s gives infinity, or NaN
// where s has no infinity, and so does an infinite v.
func (s *smallFloat) round(v float64) uint16 {
	b := math.Float64bits(v)
	var sign uint16
	if b>>63 != 0 {
		sign = s.sign
	}
	exp := int(b>>f64Mantissa) & 0x7ff
	frac := b & (1<<f64Mantissa - 1)
	if exp == 0x7ff {
		if frac != 0 {
			return sign | s.nan | s.topPayload(frac)
		}
		return sign | s.overflow()
	}
	if exp == 0 { // zero, or a subnormal float64: far below half the least value
		return sign
	}
	// v is frac × 2^(exp-52); the result is r × 2^(e-mantissa).
	frac |= 1 << f64Mantissa
	exp -= f64Bias
	e := max(exp, 1-s.bias)
	drop := f64Mantissa - s.mantissa + e - exp
	if drop > f64Mantissa+1 { // less than half of the least value
		return sign
	}
	r := frac >> drop
	rest, tie := frac&(1<<drop-1), uint64(1)<<(drop-1)
	if rest > tie || rest == tie && r&1 != 0 {
		r++
	}
	// A carry out of r moves into the exponent, as it should.
	r += uint64(e+s.bias-1) << s.mantissa
	if r > uint64(s.max) {
		return sign | s.overflow()
	}
	return sign | uint16(r)
}

// overflow is what stands for a value too large for s.
func (s *smallFloat) overflow() uint16 {
	if s.inf == 0 {
		return s.nan
	}
	return s.inf
}

// topPayload moves the upper bits of a float64's NaN payload into a NaN of s.
func (s *smallFloat) topPayload(frac uint64) uint16 {
	return uint16(frac>>(f64Mantissa-s.mantissa)) & s.payload
}

// widen returns the value of the bits x. Every value of s is a float32, and of
// a NaN the sign and the payload stay.
func (s *smallFloat) widen(x uint16) float64 {
	var sign uint64
	if x&s.sign != 0 {
		sign = 1 << 63
	}
	x &= s.sign - 1
	switch {
	case x > s.max && x == s.inf:
		return math.Float64frombits(sign | 0x7ff<<f64Mantissa)
	case x > s.max:
		payload := uint64(x&s.payload) << (f64Mantissa - s.mantissa)
		return math.Float64frombits(sign | 0x7ff<<f64Mantissa | f64Quiet | payload)
	}
	exp := int(x >> s.mantissa)
	frac := uint64(x) & (1<<s.mantissa - 1)
	if exp == 0 {
		if frac == 0 {
			return math.Float64frombits(sign)
		}
		// Shift the leading one of a subnormal to where the implicit bit stands.
		up := s.mantissa + 1 - bits.Len64(frac)
		frac = frac << up & (1<<s.mantissa - 1)
		exp = 1 - up
	}
	return math.Float64frombits(sign | uint64(exp-s.bias+f64Bias)<<f64Mantissa | frac<<(f64Mantissa-s.mantissa))
}

// widen32 converts as hardware does, the payload of a NaN included.
// Going through float64 first is exact, but a conversion of a NaN by the CPU is
// not the same everywhere, so that case is done by hand.
func widen32(f float32) float64 {
	if f == f {
		return float64(f)
	}
	b := math.Float32bits(f)
	return math.Float64frombits(uint64(b>>31)<<63 | 0x7ff<<f64Mantissa | f64Quiet | uint64(b&(1<<23-1))<<29)
}

// narrow32 is widen32 backwards, for a value that a float32 holds.
func narrow32(f float64) float32 {
	if f == f {
		return float32(f)
	}
	b := math.Float64bits(f)
	return math.Float32frombits(uint32(b>>63)<<31 | 0x7fc00000 | uint32(b>>29)&(1<<23-1))
}

// oddFloat converts u to a float64 rounded to odd: where bits are lost, the last
// bit kept is set. Rounding that again to a narrower format gives what
// rounding u once would have given.
func oddFloat(u uint64) float64 {
	n := bits.Len64(u)
	if n <= f64Mantissa+1 {
		return float64(u)
	}
	shift := n - f64Mantissa - 1
	kept := u >> shift
	if u&(1<<shift-1) != 0 {
		kept |= 1
	}
	return math.Ldexp(float64(kept), shift)
}
