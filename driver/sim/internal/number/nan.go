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

// nan64 returns the NaN that a × b + c is: b where that is one, else c, else a, else the
// one that hardware makes. A sum is that of a × 1 and its second operand.
func nan64(a, b, c float64) float64 {
	switch {
	case b != b:
		return quiet64(b)
	case c != c:
		return quiet64(c)
	case a != a:
		return quiet64(a)
	}
	return math.Float64frombits(nanF64)
}

// narrowNaN is the NaN x in a smaller format of mantissa bits, with sign and inf where it
// has them: x's sign and the upper bits of its payload, quiet.
func narrowNaN(x float64, mantissa int, sign, inf uint32) uint32 {
	b := math.Float64bits(x) | quietF64
	return sign*uint32(b>>63) | inf | uint32(b&(1<<52-1)>>(52-mantissa))
}
