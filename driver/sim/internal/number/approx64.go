package number

import "math"

// What the two .ftz instructions make of every NaN.
const nanApprox64 = 0x7fffffff00000000

// RcpApproxFTZF64 is rcp.approx.ftz.f64: the reciprocal of the upper word of x, of which
// again only the upper word is kept. A subnormal is taken for a zero and becomes
// one. Safe for concurrent use.
func RcpApproxFTZF64(x float64) float64 {
	x = upperWord(x)
	if x != x {
		return math.Float64frombits(nanApprox64)
	}
	return upperWord(1 / x)
}

// RsqrtApproxFTZF64 is rsqrt.approx.ftz.f64, likewise. Safe for concurrent use.
func RsqrtApproxFTZF64(x float64) float64 {
	r := 1 / math.Sqrt(upperWord(x))
	if r != r {
		return math.Float64frombits(nanApprox64)
	}
	return upperWord(r)
}

// RsqrtApproxF64 is rsqrt.approx.f64, to about an ulp. A NaN keeps its payload.
// Safe for concurrent use.
func RsqrtApproxF64(x float64) float64 {
	r := 1 / math.Sqrt(x)
	if r != r {
		return nan64(x, 0, 0)
	}
	return r
}

// upperWord clears the lower word of x, and of a subnormal all but the sign.
func upperWord(x float64) float64 {
	b := math.Float64bits(x) &^ 0xffffffff
	if b>>52&0x7ff == 0 {
		b &= 1 << 63
	}
	return math.Float64frombits(b)
}
