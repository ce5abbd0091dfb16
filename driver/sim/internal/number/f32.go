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
	s := float64(float64(a)*float64(b)) + float64(c)
	if rare(s) {
		return fmaRare(a, b, c, s)
	}
	return float32(s)
}

// FMAF32Lanes is FMAF32 over 32 lanes of register bits, without a call for each.
// Safe for concurrent use on registers of its own.
func FMAF32Lanes(d, a, b, c *[32]uint32) {
	var sums [32]float64
	var some uint64 // below zero: one of them is rare
	for i := range sums {
		x, y, z := math.Float32frombits(a[i]), math.Float32frombits(b[i]), math.Float32frombits(c[i])
		s := float64(float64(x)*float64(y)) + float64(z)
		sums[i] = s
		u := math.Float64bits(s)
		e := u>>52&0x7ff - (1023 - 126)
		some |= (u&(1<<29-1) ^ 1<<28 - 1) | e | (126 + 127 - e) // one of them is below zero if s is rare
	}
	if some>>63 == 0 {
		for i, s := range sums {
			d[i] = math.Float32bits(float32(s))
		}
		return
	}
	for i, s := range sums {
		x, y, z := math.Float32frombits(a[i]), math.Float32frombits(b[i]), math.Float32frombits(c[i])
		r := float32(s)
		if rareSum(float64(float64(x)*float64(y)), float64(z), s) {
			r = fmaRare(x, y, z, s)
		}
		d[i] = math.Float32bits(r)
	}
}

// rareSum is rare for s = p + c, and false as well where s is half way between two float32s but exact, as sums of numbers of few bits often are.
// Nothing here branches on that: a processor could not guess it.
func rareSum(p, c, s float64) bool {
	t := s - p
	left := math.Float64bits((p-(s-t))+(c-t)) << 1 // what rounding left out (Knuth's two-sum), without its sign
	b := math.Float64bits(s)
	half := (b&(1<<29-1) ^ 1<<28 - 1) >> 63
	return half&((left|-left)>>63) != 0 || b>>52&0x7ff-(1023-126) > 126+127
}

// rare tells whether float32(s) may not be the exact sum rounded, s being the sum rounded
// to float64 of c and a product that float64 holds exactly. Rounding twice goes wrong
// only where s lies half way between two float32s: its last 29 bits are then a one and
// zeros, if it is not so small that a float32 has fewer bits. Zero, infinity and NaN are
// taken for rare, too.
func rare(s float64) bool {
	b := math.Float64bits(s)
	return b&(1<<29-1) == 1<<28 || b>>52&0x7ff-(1023-126) > 126+127
}

// fmaRare is FMAF32 for what rare tells.
//
//go:noinline
func fmaRare(a, b, c float32, s float64) float32 {
	if s == 0 {
		return float32(s) // a product of float32s and a float32 add to zero only exactly
	}
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
