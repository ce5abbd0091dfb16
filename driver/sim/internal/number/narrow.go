package number

import "math"

// A NaN becomes the canonical one here: it is that of a sum, a product or a quotient.

// narrowTo converts x to single precision.
func narrowTo(x float64, mode Rounding) float32 {
	switch mode {
	case RZ:
		return narrowRZ(x)
	case RM:
		return narrowRM(x)
	case RP:
		return narrowRP(x)
	}
	return narrowRN(x)
}

// narrowRN converts x to single precision, rounding to nearest.
func narrowRN(x float64) float32 {
	if x != x {
		return nan32()
	}
	return float32(x)
}

// narrowRZ converts x to single precision, rounding toward zero. What is too large
// becomes the largest finite number; an infinity stays one.
func narrowRZ(x float64) float32 {
	r := float32(x)
	if w := float64(r); w != x {
		if x != x {
			return nan32()
		}
		if math.Abs(w) > math.Abs(x) {
			return math.Float32frombits(math.Float32bits(r) - 1)
		}
	}
	return r
}

// narrowRM converts x to single precision, rounding down.
func narrowRM(x float64) float32 {
	r := float32(x)
	if w := float64(r); w != x {
		if x != x {
			return nan32()
		}
		if w > x {
			return below32(r)
		}
	}
	return r
}

// narrowRP converts x to single precision, rounding up.
func narrowRP(x float64) float32 {
	r := float32(x)
	if w := float64(r); w != x {
		if x != x {
			return nan32()
		}
		if w < x {
			return -below32(-r)
		}
	}
	return r
}

// below32 returns the number next below r, which is not +0, -Inf or a NaN.
func below32(r float32) float32 {
	b := math.Float32bits(r)
	if b>>31 != 0 {
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}
