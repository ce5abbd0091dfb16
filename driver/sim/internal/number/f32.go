package number

import "math"

// AddF32 is add.rn.f32. Safe for concurrent use.
func AddF32(a, b float32) float32 {
	r := a + b
	if r != r {
		return nan32()
	}
	return r
}

// SubF32 is sub.rn.f32. Safe for concurrent use.
func SubF32(a, b float32) float32 {
	r := a - b
	if r != r {
		return nan32()
	}
	return r
}

// MulF32 is mul.rn.f32. Safe for concurrent use.
func MulF32(a, b float32) float32 {
	// The conversion keeps the compiler from fusing this product with a sum that
	// inlining brings beside it.
	r := float32(a * b)
	if r != r {
		return nan32()
	}
	return r
}

// FMAF32 is fma.rn.f32 and mad.rn.f32: a × b + c, rounded once. Safe for concurrent use.
func FMAF32(a, b, c float32) float32 {
	// The product is exact in float64, and the sum, rounded to float64, rounds to the
	// same float32 as the exact sum, unless it lies half way between two of them. Then
	// its last 28 bits are zero, as they are in every NaN.
	s := float64(float64(a)*float64(b)) + float64(c)
	r := float32(s)
	if math.Float64bits(s)<<36 != 0 || float64(r) == s {
		return r
	}
	return fmaTie(a, b, c)
}

// FMAF32Lanes is FMAF32 over 32 lanes of register bits, without a call for each.
// Safe for concurrent use on registers of its own.
func FMAF32Lanes(d, a, b, c *[32]uint32) {
	// Two lanes at a time: they don't wait for each other's conversions.
	for i := 0; i < len(d); i += 2 {
		x0, y0, z0 := math.Float32frombits(a[i]), math.Float32frombits(b[i]), math.Float32frombits(c[i])
		x1, y1, z1 := math.Float32frombits(a[i+1]), math.Float32frombits(b[i+1]), math.Float32frombits(c[i+1])
		s0 := float64(float64(x0)*float64(y0)) + float64(z0)
		s1 := float64(float64(x1)*float64(y1)) + float64(z1)
		r0, r1 := float32(s0), float32(s1)
		if math.Float64bits(s0)<<36 == 0 && float64(r0) != s0 {
			r0 = fmaTie(x0, y0, z0)
		}
		if math.Float64bits(s1)<<36 == 0 && float64(r1) != s1 {
			r1 = fmaTie(x1, y1, z1)
		}
		d[i], d[i+1] = math.Float32bits(r0), math.Float32bits(r1)
	}
}

// fmaTie is FMAF32 where the sum in float64 may have become a tie by rounding.
//
//go:noinline
func fmaTie(a, b, c float32) float32 {
	r := float32(oddSum(float64(a)*float64(b), float64(c)))
	if r != r {
		return nan32()
	}
	return r
}

// DivF32 is div.rn.f32. Safe for concurrent use.
func DivF32(a, b float32) float32 {
	r := a / b
	if r != r {
		return nan32()
	}
	return r
}

// RcpF32 is rcp.rn.f32. Safe for concurrent use.
func RcpF32(a float32) float32 { return DivF32(1, a) }

// SqrtF32 is sqrt.rn.f32. Safe for concurrent use.
func SqrtF32(a float32) float32 {
	// 53 bits are more than twice 24 and two, so that rounding twice is rounding once.
	r := float32(math.Sqrt(float64(a)))
	if r != r {
		return nan32()
	}
	return r
}

// AbsF32 is abs.f32. Safe for concurrent use.
func AbsF32(a float32) float32 {
	if a != a {
		return nan32()
	}
	return math.Float32frombits(math.Float32bits(a) &^ (1 << 31))
}

// NegF32 is neg.f32. Safe for concurrent use.
func NegF32(a float32) float32 {
	if a != a {
		return nan32()
	}
	return -a
}

// FTZ32 is what .ftz does to each operand and to the result: a subnormal becomes zero
// with its sign. Safe for concurrent use.
func FTZ32(a float32) float32 {
	b := math.Float32bits(a)
	if b&(0xff<<23) == 0 {
		return math.Float32frombits(b & (1 << 31))
	}
	return a
}

// SatF32 is what .sat does to a single-precision result: it is clamped to [0, 1], and a
// NaN and -0 become +0. Safe for concurrent use.
func SatF32(a float32) float32 {
	switch {
	case a >= 1:
		return 1
	case a > 0:
		return a
	}
	return 0
}
