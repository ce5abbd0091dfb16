package number

import "math"

// AddF64 is add.rn.f64. Safe for concurrent use.
func AddF64(a, b float64) float64 {
	r := a + b
	if r != r {
		return nan64(a, 1, b)
	}
	return r
}

// AtomAddF64 is the sum of atom.add.f64 in global memory, where old is, and x: a NaN comes
// out as it went in, x if both are NaNs. Safe for concurrent use.
func AtomAddF64(old, x float64) float64 {
	switch {
	case x != x:
		return x
	case old != old:
		return old
	}
	return AddF64(old, x)
}

// SubF64 is sub.rn.f64. Safe for concurrent use.
func SubF64(a, b float64) float64 {
	r := a - b
	if r != r {
		return nan64(a, 1, b)
	}
	return r
}

// MulF64 is mul.rn.f64. Safe for concurrent use.
func MulF64(a, b float64) float64 {
	r := float64(a * b) // never part of a fused operation
	if r != r {
		return nan64(a, b, 0)
	}
	return r
}

// FMAF64 is fma.rn.f64 and mad.rn.f64. Safe for concurrent use.
func FMAF64(a, b, c float64) float64 {
	r := math.FMA(a, b, c)
	if r != r {
		return nan64(a, b, c)
	}
	return r
}

// DivF64 is div.rn.f64. Of two NaNs it gives the first: it is no instruction of the
// hardware but a sequence. Safe for concurrent use.
func DivF64(a, b float64) float64 {
	r := a / b
	if r != r {
		return nan64(0, a, b)
	}
	return r
}

// RcpF64 is rcp.rn.f64. Safe for concurrent use.
func RcpF64(a float64) float64 { return DivF64(1, a) }

// SqrtF64 is sqrt.rn.f64. Safe for concurrent use.
func SqrtF64(a float64) float64 {
	r := math.Sqrt(a)
	if r != r {
		return nan64(a, 0, 0)
	}
	return r
}

// AbsF64 is abs.f64. A NaN keeps its sign and becomes quiet. Safe for concurrent use.
func AbsF64(a float64) float64 {
	if a != a {
		return quiet64(a)
	}
	return math.Abs(a)
}

// NegF64 is neg.f64. A NaN keeps its sign and becomes quiet. Safe for concurrent use.
func NegF64(a float64) float64 {
	if a != a {
		return quiet64(a)
	}
	return -a
}

// SatF64 is what .sat does to a double-precision result of cvt: it is clamped to
// [0, 1], and a NaN and -0 become +0. Safe for concurrent use.
func SatF64(a float64) float64 {
	switch {
	case a >= 1:
		return 1
	case a > 0:
		return a
	}
	return 0
}
