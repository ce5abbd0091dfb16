package number

import "math"

// Every NaN that a single-precision instruction makes is this one, whatever NaN went
// in; f16 and bf16 have their own.
const (
	nanF32  = 0x7fffffff
	nanF16  = 0x7fff
	nanBF16 = 0x7fff
)

// nanF64 is what a double-precision instruction makes of operands that are no NaNs,
// such as inf - inf. A NaN that goes in comes out, made quiet.
const (
	nanF64   = 0xfff8000000000000
	quietF64 = 0x0008000000000000
)

// nan32 returns the canonical single-precision NaN.
func nan32() float32 { return math.Float32frombits(nanF32) }

// quiet64 returns the NaN x with its quiet bit set.
func quiet64(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) | quietF64)
}

// nan64 returns the NaN that an instruction with the operands a and b gives: the
// first NaN among them, else the one that hardware makes.
func nan64(a, b float64) float64 {
	switch {
	case a != a:
		return quiet64(a)
	case b != b:
		return quiet64(b)
	}
	return math.Float64frombits(nanF64)
}

// nan64of3 is nan64 for three operands.
func nan64of3(a, b, c float64) float64 {
	if a == a && b == b && c != c {
		return quiet64(c)
	}
	return nan64(a, b)
}
