package number

import (
	"math"
	"math/bits"
)

// fma64 returns a × b + c in a directed mode. Both terms are 128-bit numbers whose top
// bit is set.
func fma64(a, b, c float64, mode Rounding) float64 {
	if a == 0 || b == 0 || !finite64(a) || !finite64(b) || !finite64(c) {
		return fma64Special(a, b, c, mode)
	}
	negX, ea, ma := unpack64(a)
	negB, eb, mb := unpack64(b)
	negX = negX != negB
	xh, xl := bits.Mul64(ma, mb)
	ex := ea + eb + 1
	if xh>>63 == 0 {
		xh, xl = xh<<1|xl>>63, xl<<1
		ex--
	}
	if c == 0 {
		return pack64(negX, ex, xh, xl != 0, mode)
	}
	negY, ey, yh := unpack64(c)
	var yl uint64
	if ex < ey || ex == ey && (xh < yh || xh == yh && xl < yl) {
		negX, ex, xh, xl, negY, ey, yh, yl = negY, ey, yh, yl, negX, ex, xh, xl
	}
	yh, yl, sticky := shiftRight(yh, yl, uint(ex-ey))
	var carry uint64
	if negX == negY {
		xl, carry = bits.Add64(xl, yl, 0)
		xh, carry = bits.Add64(xh, yh, carry)
		if carry != 0 {
			sticky |= xl & 1
			xh, xl = 1<<63|xh>>1, xh<<63|xl>>1
			ex++
		}
		return pack64(negX, ex, xh, xl|sticky != 0, mode)
	}
	// What was shifted out of y is borrowed from the last place of x.
	xl, carry = bits.Sub64(xl, yl, sticky)
	xh, _ = bits.Sub64(xh, yh, carry)
	if xh|xl == 0 {
		return zero64(mode == RM)
	}
	if xh == 0 {
		xh, xl = xl, 0
		ex -= 64
	}
	if n := bits.LeadingZeros64(xh); n > 0 {
		xh, xl = xh<<n|xl>>(64-n), xl<<n
		ex -= n
	}
	return pack64(negX, ex, xh, xl|sticky != 0, mode)
}

// fma64Special is fma64 where the result is exact or no number.
func fma64Special(a, b, c float64, mode Rounding) float64 {
	r := math.FMA(a, b, c)
	switch {
	case r != r:
		return nan64(a, b, c)
	case r == 0 && mode == RM && (math.Signbit(c) || math.Signbit(a) != math.Signbit(b)):
		return zero64(true)
	}
	return r
}

// div64 returns a ÷ b in a directed mode.
func div64(a, b float64, mode Rounding) float64 {
	if a == 0 || b == 0 || !finite64(a) || !finite64(b) {
		return DivF64(a, b) // exact, or no number
	}
	negA, ea, ma := unpack64(a)
	negB, eb, mb := unpack64(b)
	exp := ea - eb
	var q, rest uint64
	if ma >= mb {
		q, rest = bits.Div64(ma>>1, ma<<63, mb)
	} else {
		q, rest = bits.Div64(ma, 0, mb)
		exp--
	}
	return pack64(negA != negB, exp, q, rest != 0, mode)
}

// sqrt64 returns the root of a in a directed mode.
func sqrt64(a float64, mode Rounding) float64 {
	if !(a > 0) || a > math.MaxFloat64 {
		return SqrtF64(a)
	}
	down := 1.0
	if a < 0x1p-900 { // so that the square of the root loses nothing below
		a, down = a*0x1p200, 0x1p-100
	}
	r := math.Sqrt(a)
	switch rest := math.FMA(-r, r, a); {
	case rest < 0 && mode != RP:
		r = math.Float64frombits(math.Float64bits(r) - 1)
	case rest > 0 && mode == RP:
		r = math.Float64frombits(math.Float64bits(r) + 1)
	}
	return r * down
}
