package number

import "math"

// Rounding to odd keeps, when a result is not exact, the neighbour whose last bit is
// one. Rounding that again, in any mode, to a format with at least two bits less gives what
// rounding the exact result once would have given.

// oddSum returns a + b rounded to odd.
func oddSum(a, b float64) float64 {
	s := a + b
	// The two-sum of Knuth: err is what rounding left out of s, exactly. For an
	// infinite or NaN s it is a NaN.
	t := s - a
	err := (a - (s - t)) + (b - t)
	if err == 0 || err != err {
		return s
	}
	bits := math.Float64bits(s)
	if bits&1 == 0 {
		if (err > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return math.Float64frombits(bits)
}

// oddSum32 is oddSum in single precision.
func oddSum32(a, b float32) float32 {
	s := a + b
	t := s - a
	err := (a - (s - t)) + (b - t)
	if err == 0 || err != err {
		return s
	}
	bits := math.Float32bits(s)
	if bits&1 == 0 {
		if (err > 0) == (s > 0) {
			bits++
		} else {
			bits--
		}
	}
	return math.Float32frombits(bits)
}
