package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// An op64 is op32 in double precision.
type op64 struct {
	name    string
	by      [4]func(a, b, c float64) float64
	native  func(a, b, c float64) float64
	exact   func(a, b, c exact, mode number.Rounding) exact
	invalid func(a, b float64) bool
}

func two64(f func(a, b float64) float64) func(a, b, c float64) float64 {
	return func(a, b, _ float64) float64 { return f(a, b) }
}

func one64(f func(a float64) float64) func(a, b, c float64) float64 {
	return func(a, _, _ float64) float64 { return f(a) }
}

var ops64 = []op64{
	{
		name:   "add",
		by:     [4]func(a, b, c float64) float64{two64(number.AddF64), two64(number.AddF64RZ), two64(number.AddF64RM), two64(number.AddF64RP)},
		native: func(a, b, _ float64) float64 { return a + b },
		exact:  func(a, b, _ exact, m number.Rounding) exact { return a.add(b, m) },
	}, {
		name:   "sub",
		by:     [4]func(a, b, c float64) float64{two64(number.SubF64), two64(number.SubF64RZ), two64(number.SubF64RM), two64(number.SubF64RP)},
		native: func(a, b, _ float64) float64 { return a - b },
		exact: func(a, b, _ exact, m number.Rounding) exact {
			b.neg = !b.neg
			return a.add(b, m)
		},
	}, {
		name:   "mul",
		by:     [4]func(a, b, c float64) float64{two64(number.MulF64), two64(number.MulF64RZ), two64(number.MulF64RM), two64(number.MulF64RP)},
		native: func(a, b, _ float64) float64 { return a * b },
		exact:  func(a, b, _ exact, _ number.Rounding) exact { return a.mul(b) },
	}, {
		name:   "fma",
		by:     [4]func(a, b, c float64) float64{number.FMAF64, number.FMAF64RZ, number.FMAF64RM, number.FMAF64RP},
		native: math.FMA,
		exact:  func(a, b, c exact, m number.Rounding) exact { return a.mul(b).add(c, m) },
	}, {
		name:    "div",
		by:      [4]func(a, b, c float64) float64{two64(number.DivF64), two64(number.DivF64RZ), two64(number.DivF64RM), two64(number.DivF64RP)},
		native:  func(a, b, _ float64) float64 { return a / b },
		exact:   func(a, b, _ exact, _ number.Rounding) exact { return a.div(b) },
		invalid: func(_, b float64) bool { return b == 0 },
	}, {
		name:    "rcp",
		by:      [4]func(a, b, c float64) float64{one64(number.RcpF64), one64(number.RcpF64RZ), one64(number.RcpF64RM), one64(number.RcpF64RP)},
		native:  func(a, _, _ float64) float64 { return 1 / a },
		exact:   func(a, _, _ exact, _ number.Rounding) exact { return exactly(1).div(a) },
		invalid: func(a, _ float64) bool { return a == 0 },
	}, {
		name:    "sqrt",
		by:      [4]func(a, b, c float64) float64{one64(number.SqrtF64), one64(number.SqrtF64RZ), one64(number.SqrtF64RM), one64(number.SqrtF64RP)},
		native:  func(a, _, _ float64) float64 { return math.Sqrt(a) },
		exact:   func(a, _, _ exact, _ number.Rounding) exact { return a.sqrt() },
		invalid: func(a, _ float64) bool { return a <= 0 },
	},
}

// check holds one result against exact arithmetic.
func (o *op64) check(t *testing.T, a, b, c uint64, mode number.Rounding) {
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	switch o.name {
	case "rcp", "sqrt":
		y, z = 1, 0
	case "fma":
	default:
		z = 0
	}
	var want uint64
	if finite(x, y, z) && (o.invalid == nil || !o.invalid(x, y)) {
		want = binary64.round(o.exact(exactly(x), exactly(y), exactly(z), mode), mode)
	} else {
		want = math.Float64bits(o.native(x, y, z))
		if v := math.Float64frombits(want); v != v {
			want = 0xfff8000000000000
			first := []float64{x, z, y} // the last of these that is a NaN comes out
			switch o.name {
			case "add", "sub":
				first = []float64{x, y}
			case "div", "rcp":
				first = []float64{y, x}
			}
			for _, in := range first {
				if in != in {
					want = math.Float64bits(in) | 1<<51
				}
			}
		}
	}
	got := math.Float64bits(o.by[mode](x, y, z))
	if got != want {
		require.Equalf(t, want, got, "%s, rounding %d: %#x %#x %#x: want %#x, got %#x", o.name, mode, a, b, c, want, got)
	}
}

func TestF64AgainstExactArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, op := range ops64 {
		for mode := range op.by {
			for range 12_000 {
				a, b, c := random64(r), random64(r), random64(r)
				if op.name == "fma" && r.IntN(2) == 0 {
					p := math.Float64bits(-math.Float64frombits(a) * math.Float64frombits(b))
					c = p + uint64(r.IntN(5)) - 2 + uint64(r.IntN(120)-60)<<52*uint64(r.IntN(2))
				}
				op.check(t, a, b, c, number.Rounding(mode))
			}
		}
	}
}

func TestF64Edges(t *testing.T) {
	for _, op := range ops64 {
		for mode := range op.by {
			for i, a := range edges64 {
				for j, b := range edges64 {
					op.check(t, a, b, edges64[(i*7+j*11)%len(edges64)], number.Rounding(mode))
				}
			}
		}
	}
}

// The product of these two is 2^105+1: beside a power of two, or a row of ones that it makes
// overflow, everything hangs on its last bit.
func TestFMAF64KeepsTheLastBit(t *testing.T) {
	a, b := math.Float64bits(5634663596278459), math.Float64bits(7199155462287987)
	fma := &ops64[3]
	for mode := range number.Rounding(4) {
		for k := range 260 {
			for _, c := range []float64{math.Ldexp(1, k), math.Ldexp(1<<23-1, k), math.Ldexp(1<<53-1, k), math.Ldexp(1<<40-1, k)} {
				fma.check(t, a, b, math.Float64bits(c), mode)
				fma.check(t, a, b, math.Float64bits(-c), mode)
				fma.check(t, a, b|1<<63, math.Float64bits(c), mode)
			}
		}
	}
}

func TestF64AbsNegSat(t *testing.T) {
	for _, x := range []struct{ in, abs, neg, sat uint64 }{
		{0, 0, 1 << 63, 0},
		{1 << 63, 0, 0, 0},
		{0xbff0000000000000, 0x3ff0000000000000, 0x3ff0000000000000, 0},
		{0x4000000000000000, 0x4000000000000000, 0xc000000000000000, 0x3ff0000000000000},
		{0x0000000000000001, 1, 0x8000000000000001, 1},
		{0xfff0000000000000, 0x7ff0000000000000, 0x7ff0000000000000, 0},
		{0xfff8000000000123, 0xfff8000000000123, 0xfff8000000000123, 0},
		{0x7ff0000000000123, 0x7ff8000000000123, 0x7ff8000000000123, 0},
	} {
		v := math.Float64frombits(x.in)
		assert.Equalf(t, x.abs, math.Float64bits(number.AbsF64(v)), "abs %#x", x.in)
		assert.Equalf(t, x.neg, math.Float64bits(number.NegF64(v)), "neg %#x", x.in)
		assert.Equalf(t, x.sat, math.Float64bits(number.SatF64(v)), "sat %#x", x.in)
	}
}

// Where NaNs meet in double precision, as the H200 does: of a × b + c it gives b, else c, else a.
func TestF64NaNs(t *testing.T) {
	nan := func(payload uint64) float64 { return math.Float64frombits(0x7ff0000000000000 | payload) }
	const quiet = 0x7ff8000000000000
	a, b, c := nan(1), nan(2), nan(1<<51|3)
	for i, x := range []struct {
		want uint64
		got  float64
	}{
		{quiet | 2, number.AddF64(a, b)},
		{quiet | 1, number.AddF64(a, 1)},
		{quiet | 2, number.SubF64(a, b)},
		{quiet | 2, number.SubF64RZ(a, b)},
		{quiet | 2, number.MulF64(a, b)},
		{quiet | 2, number.MulF64RP(a, b)},
		{quiet | 2, number.FMAF64(a, b, c)},
		{quiet | 3, number.FMAF64(a, 1, c)},
		{quiet | 3, number.FMAF64RM(a, 1, c)},
		{quiet | 1, number.FMAF64(a, 1, 1)},
		{quiet | 1, number.DivF64(a, b)},
		{0x7ff0000000000002, number.AtomAddF64(a, b)},
		{0x7ff0000000000001, number.AtomAddF64(a, 1)},
		{0xfff8000000000000, number.AtomAddF64(math.Inf(1), math.Inf(-1))},
		{math.Float64bits(3), number.AtomAddF64(1, 2)},
	} {
		assert.Equal(t, x.want, math.Float64bits(x.got), i)
	}
}
