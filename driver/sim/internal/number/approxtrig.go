package number

import "math"

// SinApprox is sin.approx.f32. The manual allows an absolute error of 2^-20.5 within 2π of 0
// and of 2^-14.7 within 100π, beyond that any. As on hardware most of it comes from
// turning radians into turns in single precision. Safe for concurrent use.
func SinApprox(x float32) float32 {
	if x > -0x1p-60 && x < 0x1p-60 {
		return x
	}
	r := sinTurns(turns(x))
	if x < 0 && r == r {
		return -r // a zero, too
	}
	return r
}

// SinApproxFTZ is sin.approx.ftz.f32. Safe for concurrent use.
func SinApproxFTZ(x float32) float32 { return FTZ32(SinApprox(FTZ32(x))) }

// CosApprox is cos.approx.f32, with the errors of SinApprox. Safe for concurrent use.
func CosApprox(x float32) float32 { return sinTurns(turns(x) + 0.25) }

// CosApproxFTZ is cos.approx.ftz.f32. Safe for concurrent use.
func CosApproxFTZ(x float32) float32 { return FTZ32(CosApprox(FTZ32(x))) }

// turns converts the magnitude of x, in radians, to a fraction of a turn, between -1/2 and 1/2.
func turns(x float32) float64 {
	t := float64(MulF32RZ(abs32(x), 0.15915494))
	return t - math.RoundToEven(t)
}

// sinTurns is the sine of an angle in turns, exact at each quarter.
func sinTurns(t float64) float32 {
	quarter := math.RoundToEven(t * 4)
	rest := (t - quarter/4) * (2 * math.Pi)
	var r float64
	switch int(quarter) & 3 {
	case 0:
		r = math.Sin(rest)
	case 1:
		r = math.Cos(rest)
	case 2:
		r = -math.Sin(rest)
	default:
		r = -math.Cos(rest)
	}
	return narrowRN(r)
}
