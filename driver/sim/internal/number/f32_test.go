package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// An op32 is an operation with its four roundings, what it gives in float64 for
// operands that aren't finite, and its exact result for those that are.
type op32 struct {
	name    string
	by      [4]func(a, b, c float32) float32
	special func(a, b, c float64) float64
	exact   func(a, b, c exact, mode number.Rounding) exact
	invalid func(a, b float64) bool // finite operands without a finite result
}

func two(f func(a, b float32) float32) func(a, b, c float32) float32 {
	return func(a, b, _ float32) float32 { return f(a, b) }
}

func one(f func(a float32) float32) func(a, b, c float32) float32 {
	return func(a, _, _ float32) float32 { return f(a) }
}

var ops32 = []op32{
	{
		name:    "add",
		by:      [4]func(a, b, c float32) float32{two(number.AddF32), two(number.AddF32RZ), two(number.AddF32RM), two(number.AddF32RP)},
		special: func(a, b, _ float64) float64 { return a + b },
		exact:   func(a, b, _ exact, m number.Rounding) exact { return a.add(b, m) },
	}, {
		name:    "sub",
		by:      [4]func(a, b, c float32) float32{two(number.SubF32), two(number.SubF32RZ), two(number.SubF32RM), two(number.SubF32RP)},
		special: func(a, b, _ float64) float64 { return a - b },
		exact: func(a, b, _ exact, m number.Rounding) exact {
			b.neg = !b.neg
			return a.add(b, m)
		},
	}, {
		name:    "mul",
		by:      [4]func(a, b, c float32) float32{two(number.MulF32), two(number.MulF32RZ), two(number.MulF32RM), two(number.MulF32RP)},
		special: func(a, b, _ float64) float64 { return a * b },
		exact:   func(a, b, _ exact, _ number.Rounding) exact { return a.mul(b) },
	}, {
		name:    "fma",
		by:      [4]func(a, b, c float32) float32{number.FMAF32, number.FMAF32RZ, number.FMAF32RM, number.FMAF32RP},
		special: math.FMA,
		exact:   func(a, b, c exact, m number.Rounding) exact { return a.mul(b).add(c, m) },
	}, {
		name:    "div",
		by:      [4]func(a, b, c float32) float32{two(number.DivF32), two(number.DivF32RZ), two(number.DivF32RM), two(number.DivF32RP)},
		special: func(a, b, _ float64) float64 { return a / b },
		exact:   func(a, b, _ exact, _ number.Rounding) exact { return a.div(b) },
		invalid: func(_, b float64) bool { return b == 0 },
	}, {
		name:    "rcp",
		by:      [4]func(a, b, c float32) float32{one(number.RcpF32), one(number.RcpF32RZ), one(number.RcpF32RM), one(number.RcpF32RP)},
		special: func(a, _, _ float64) float64 { return 1 / a },
		exact:   func(a, _, _ exact, _ number.Rounding) exact { return exactly(1).div(a) },
		invalid: func(a, _ float64) bool { return a == 0 },
	}, {
		name:    "sqrt",
		by:      [4]func(a, b, c float32) float32{one(number.SqrtF32), one(number.SqrtF32RZ), one(number.SqrtF32RM), one(number.SqrtF32RP)},
		special: func(a, _, _ float64) float64 { return math.Sqrt(a) },
		exact:   func(a, _, _ exact, _ number.Rounding) exact { return a.sqrt() },
		invalid: func(a, _ float64) bool { return a <= 0 },
	},
}

// want returns the bits that the operation must give.
func (o *op32) want(x, y, z float32, mode number.Rounding) uint32 {
	a, b, c := float64(x), float64(y), float64(z)
	if finite(a, b, c) && (o.invalid == nil || !o.invalid(a, b)) {
		return uint32(binary32.round(o.exact(exactly(a), exactly(b), exactly(c), mode), mode))
	}
	v := o.special(a, b, c)
	if math.IsNaN(v) {
		return 0x7fffffff
	}
	return math.Float32bits(float32(v))
}

func TestF32AgainstExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, op := range ops32 {
		for mode, f := range op.by {
			n := 15_000
			if op.name == "fma" {
				n = 60_000
			}
			for range n {
				a, b, c := random32(r), random32(r), random32(r)
				if op.name == "fma" && r.IntN(3) == 0 {
					c = nearProduct(r, a, b)
				}
				if op.name != "fma" {
					c = 0
				}
				x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
				if op.name == "rcp" || op.name == "sqrt" {
					y = 1
				}
				want, got := op.want(x, y, z, number.Rounding(mode)), math.Float32bits(f(x, y, z))
				if want != got {
					require.Equalf(t, want, got, "%s, rounding %d: %#x %#x %#x: want %#x, got %#x", op.name, mode, a, b, c, want, got)
				}
			}
		}
	}
}

// nearProduct returns a c that a×b nearly cancels, or that lies far below or above it.
func nearProduct(r *rand.Rand, a, b uint32) uint32 {
	p := math.Float32bits(-math.Float32frombits(a) * math.Float32frombits(b))
	switch r.IntN(3) {
	case 0:
		return p + uint32(r.IntN(5)) - 2
	case 1:
		return p + uint32(r.IntN(50)-25)<<23
	}
	return p
}

func TestF32Edges(t *testing.T) {
	for _, op := range ops32 {
		for mode, f := range op.by {
			for _, a := range edges32 {
				for _, b := range edges32 {
					third := edges32[:1]
					if op.name == "fma" {
						third = edges32[:20]
					}
					for _, c := range third {
						x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
						if op.name == "rcp" || op.name == "sqrt" {
							y = 1
						}
						want, got := op.want(x, y, z, number.Rounding(mode)), math.Float32bits(f(x, y, z))
						if want != got {
							require.Equalf(t, want, got, "%s, rounding %d: %#x %#x %#x: want %#x, got %#x", op.name, mode, a, b, c, want, got)
						}
					}
				}
			}
		}
	}
}

func TestFMAF32Lanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		var d, a, b, c [32]uint32
		for i := range d {
			a[i], b[i], c[i] = random32(r), random32(r), random32(r)
		}
		number.FMAF32Lanes(&d, &a, &b, &c)
		for i := range d {
			if want := math.Float32bits(number.FMAF32(f32(a[i]), f32(b[i]), f32(c[i]))); want != d[i] {
				require.Equal(t, want, d[i])
			}
		}
	}
}

// The sum in float64 becomes a tie by rounding, in the normal and in the subnormal range.
func TestFMAF32RoundsOnce(t *testing.T) {
	for _, x := range []struct{ a, b, c, want uint32 }{
		{0xad400000, 0x7ae59b8a, 0x3cfffffd, 0xe8ac34a7},
		{0xba400000, 0x566a465a, 0x101db979, 0xd12fb4c3},
		{0x1a000001, 0x19fffffe, 0x00400001, 0x00400001},
	} {
		twice := float32(float64(f32(x.a))*float64(f32(x.b)) + float64(f32(x.c)))
		require.NotEqual(t, x.want, math.Float32bits(twice))
		require.Equal(t, x.want, math.Float32bits(number.FMAF32(f32(x.a), f32(x.b), f32(x.c))))
	}
}

func TestFlushSaturateAbsNeg(t *testing.T) {
	for _, x := range []struct{ in, ftz, sat, abs, neg uint32 }{
		{0, 0, 0, 0, 0x80000000},
		{0x80000000, 0x80000000, 0, 0, 0},
		{0x007fffff, 0, 0x007fffff, 0x007fffff, 0x807fffff},
		{0x80000001, 0x80000000, 0, 1, 1},
		{0x00800000, 0x00800000, 0x00800000, 0x00800000, 0x80800000},
		{0x3f000000, 0x3f000000, 0x3f000000, 0x3f000000, 0xbf000000},
		{0x3f800001, 0x3f800001, 0x3f800000, 0x3f800001, 0xbf800001},
		{0xbf800000, 0xbf800000, 0, 0x3f800000, 0x3f800000},
		{0x7f800000, 0x7f800000, 0x3f800000, 0x7f800000, 0xff800000},
		{0xff800000, 0xff800000, 0, 0x7f800000, 0x7f800000},
		{0xffc00001, 0xffc00001, 0, 0x7fffffff, 0x7fffffff},
	} {
		v := f32(x.in)
		assert.Equalf(t, x.ftz, math.Float32bits(number.FTZ32(v)), "ftz %#x", x.in)
		assert.Equalf(t, x.sat, math.Float32bits(number.SatF32(v)), "sat %#x", x.in)
		assert.Equalf(t, x.abs, math.Float32bits(number.AbsF32(v)), "abs %#x", x.in)
		assert.Equalf(t, x.neg, math.Float32bits(number.NegF32(v)), "neg %#x", x.in)
	}
}

// The lanes give what one alone gives, in whatever company.
func TestFMAF32LanesInCompany(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	edges := []float32{0, 1, -1, 0x1p-126, 0x1p-149, 0x1.fffffep127, 3, 0x1.000002p0, 0x1.8p-127, 0x1p-75, float32(math.Inf(1)), float32(math.NaN())}
	draw := func(kind int) float32 {
		switch kind {
		case 0:
			return float32(dice.IntN(1<<24)) * 0x1p-24 // sums of which often lie half way
		case 1:
			return math.Float32frombits(dice.Uint32())
		case 2:
			return edges[dice.IntN(len(edges))]
		case 3:
			return float32(dice.NormFloat64()) * 0x1p-70 // products are subnormal
		}
		return dice.Float32()
	}
	for round := range 20000 {
		var d, a, b, c, want [32]uint32
		for i := range a {
			kind := round % 5
			if dice.IntN(8) == 0 {
				kind = dice.IntN(5)
			}
			x, y, z := draw(kind), draw(kind), draw(kind)
			a[i], b[i], c[i] = math.Float32bits(x), math.Float32bits(y), math.Float32bits(z)
			want[i] = math.Float32bits(number.FMAF32(x, y, z))
		}
		number.FMAF32Lanes(&d, &a, &b, &c)
		require.Equal(t, want, d)
		number.FMAF32Lanes(&c, &a, &b, &c)
		require.Equal(t, want, c, "in place")
	}
}
