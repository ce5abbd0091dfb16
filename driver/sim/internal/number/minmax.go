package number

import "math"

// MinF32 is min.f32: of a number and a NaN the number; -0 is less than +0.
// Safe for concurrent use.
func MinF32(a, b float32) float32 {
	r := min(a, b)
	if r != r {
		return other32(a, b)
	}
	return r
}

// MaxF32 is max.f32. Safe for concurrent use.
func MaxF32(a, b float32) float32 {
	r := max(a, b)
	if r != r {
		return other32(a, b)
	}
	return r
}

// other32 returns the number among a and b, if any.
func other32(a, b float32) float32 {
	switch {
	case a == a:
		return a
	case b == b:
		return b
	}
	return nan32()
}

// MinNaNF32 is min.NaN.f32: a NaN among the operands gives the canonical NaN.
// Safe for concurrent use.
func MinNaNF32(a, b float32) float32 {
	r := min(a, b)
	if r != r {
		return nan32()
	}
	return r
}

// MaxNaNF32 is max.NaN.f32. Safe for concurrent use.
func MaxNaNF32(a, b float32) float32 {
	r := max(a, b)
	if r != r {
		return nan32()
	}
	return r
}

// MinXorSignF32 is min.xorsign.abs.f32: the lesser magnitude with the product's sign.
// Safe for concurrent use.
func MinXorSignF32(a, b float32) float32 {
	return xorSign32(a, b, MinF32(abs32(a), abs32(b)))
}

// MaxXorSignF32 is max.xorsign.abs.f32. Safe for concurrent use.
func MaxXorSignF32(a, b float32) float32 {
	return xorSign32(a, b, MaxF32(abs32(a), abs32(b)))
}

// MinNaNXorSignF32 is min.NaN.xorsign.abs.f32. Safe for concurrent use.
func MinNaNXorSignF32(a, b float32) float32 {
	return xorSign32(a, b, MinNaNF32(abs32(a), abs32(b)))
}

// MaxNaNXorSignF32 is max.NaN.xorsign.abs.f32. Safe for concurrent use.
func MaxNaNXorSignF32(a, b float32) float32 {
	return xorSign32(a, b, MaxNaNF32(abs32(a), abs32(b)))
}

func abs32(a float32) float32 { return math.Float32frombits(math.Float32bits(a) &^ (1 << 31)) }

// xorSign32 gives r, the result for the magnitudes, its sign.
func xorSign32(a, b, r float32) float32 {
	if r != r {
		return nan32()
	}
	sign := (math.Float32bits(a) ^ math.Float32bits(b)) & (1 << 31)
	return math.Float32frombits(math.Float32bits(r) | sign)
}

// MinF64 is min.f64. Two NaNs give the second, made quiet. Safe for concurrent use.
func MinF64(a, b float64) float64 {
	r := min(a, b)
	if r != r {
		return other64(a, b)
	}
	return r
}

// MaxF64 is max.f64. Two NaNs give the second, made quiet. Safe for concurrent use.
func MaxF64(a, b float64) float64 {
	r := max(a, b)
	if r != r {
		return other64(a, b)
	}
	return r
}

func other64(a, b float64) float64 {
	switch {
	case a == a:
		return a
	case b == b:
		return b
	}
	return quiet64(b)
}
