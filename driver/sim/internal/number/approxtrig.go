package number

import "math"

// The hardware takes an angle as a whole number of steps, 2^25 to the turn, after turning radians
// into turns in single precision: most of the error comes from that. In every other
// quarter it goes back from the end of the quarter by inverting the bits, so that it is a step off.

const (
	turn    = 1 << 25
	quarter = turn / 4
)

// SinApprox is sin.approx.f32. The manual allows an absolute error of 2^-20.5 within 2π of 0
// and of 2^-14.7 within 100π, beyond that any. Safe for concurrent use.
func SinApprox(x float32) float32 {
	if x-x != 0 {
		return nan32()
	}
	r := sinSteps(steps(x))
	if math.Signbit(float64(x)) {
		return -r // a zero, too
	}
	return r
}

// SinApproxFTZ is sin.approx.ftz.f32. Safe for concurrent use.
func SinApproxFTZ(x float32) float32 { return SinApprox(FTZ32(x)) }

// CosApprox is cos.approx.f32, with the errors of SinApprox. Safe for concurrent use.
func CosApprox(x float32) float32 {
	if x-x != 0 {
		return nan32()
	}
	return sinSteps(steps(x) + quarter)
}

// CosApproxFTZ is cos.approx.ftz.f32. Safe for concurrent use.
func CosApproxFTZ(x float32) float32 { return CosApprox(FTZ32(x)) }

// steps converts the magnitude of a finite x, in radians, to steps within a turn.
func steps(x float32) uint32 {
	t := float64(MulF32RZ(abs32(x), 0.15915494))
	return uint32(float64((t - math.Floor(t)) * turn))
}

// sinSteps is the sine of an angle in steps, below five quarters.
func sinSteps(n uint32) float32 {
	rest := n % quarter
	if n&quarter != 0 {
		rest = ^rest % quarter
	}
	r := float32(math.Sin(float64(rest) * (2 * math.Pi / turn)))
	if n/quarter&2 != 0 {
		return -r
	}
	return r
}
