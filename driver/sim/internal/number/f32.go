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
	// A sum that lies half way between two float32s is rare only if float64 had to round it, and sums of numbers of few bits lie there often. So it
	// is asked whether the sum gives both its numbers back, which an exact one does and one that was rounded does not (Dekker). Nothing branches
	// on that, lane by lane: a processor could not guess it.
	var some uint64 // below zero: one of them is rare
	var r [32]uint32
	for i := range r {
		x, y, z := math.Float32frombits(a[i]), math.Float32frombits(b[i]), math.Float32frombits(c[i])
		p := float64(float64(x) * float64(y))
		s := p + float64(z)
		r[i] = math.Float32bits(float32(s))
		off := math.Float64bits(s-p) ^ math.Float64bits(float64(z)) | math.Float64bits(s-float64(z)) ^ math.Float64bits(p)
		u := math.Float64bits(s)
		e := u>>52&0x7ff - (1023 - 126)
		some |= (u&(1<<29-1)^1<<28-1)&(off|-off) | e | (126 + 127 - e)
	}
	if some>>63 != 0 {
		fmaRareLanes(&r, a, b, c)
	}
	*d = r
}

//go:noinline
func fmaRareLanes(d, a, b, c *[32]uint32) {
	for i := range d {
		d[i] = math.Float32bits(FMAF32(math.Float32frombits(a[i]), math.Float32frombits(b[i]), math.Float32frombits(c[i])))
	}
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
