package number

import (
	"math"
	"math/bits"
)

// finite64 tells whether x is neither infinite nor a NaN.
func finite64(x float64) bool { return math.Float64bits(x)>>52&0x7ff != 0x7ff }

// zero64 returns a zero with a sign.
func zero64(negative bool) float64 {
	if negative {
		return math.Float64frombits(1 << 63)
	}
	return 0
}

// unpack64 splits a finite x that is not 0 into sign, exponent and a significand whose
// top bit is set: |x| = m / 2^63 × 2^exp.
func unpack64(x float64) (negative bool, exp int, m uint64) {
	b := math.Float64bits(x)
	m = b << 11
	exp = int(b>>52&0x7ff) - 1023
	if exp == -1023 {
		n := bits.LeadingZeros64(m)
		return b>>63 != 0, -1022 - n, m << n
	}
	return b>>63 != 0, exp, m | 1<<63
}

// pack64 rounds m / 2^63 × 2^exp, and something more where sticky, in a directed mode.
// The top bit of m is set.
func pack64(negative bool, exp int, m uint64, sticky bool, mode Rounding) float64 {
	drop := 11
	if exp < -1022 {
		drop += -1022 - exp // subnormal
		exp = -1022
	}
	r := m >> drop
	inexact := sticky || r<<drop != m
	if inexact && mode.away(negative) {
		r++
	}
	// The leading one of r, where it has one, counts the exponent up by one.
	r += uint64(exp+1022) << 52
	if r >= 0x7ff<<52 || exp > 1023 {
		r = 0x7ff << 52
		if !mode.away(negative) {
			r--
		}
	}
	if negative {
		r |= 1 << 63
	}
	return math.Float64frombits(r)
}

// shiftRight shifts a 128-bit number; sticky is 1 where that lost bits.
func shiftRight(hi, lo uint64, n uint) (h, l, sticky uint64) {
	lost := lo
	switch {
	case n < 64:
		lost = lo << (64 - n)
		h, l = hi>>n, hi<<(64-n)|lo>>n
	case n < 128:
		lost |= hi << (128 - n)
		l = hi >> (n - 64)
	default:
		lost |= hi
	}
	if lost != 0 {
		sticky = 1
	}
	return h, l, sticky
}
