package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

var halfOps = []struct {
	name      string
	f16, bf16 func(a, b, c uint16) uint16
	special   func(a, b, c float64) float64
	exact     func(a, b, c exact) exact
}{
	{
		"add", two16(number.AddF16), two16(number.AddBF16),
		func(a, b, _ float64) float64 { return a + b },
		func(a, b, _ exact) exact { return a.add(b, number.RN) },
	}, {
		"sub", two16(number.SubF16), two16(number.SubBF16),
		func(a, b, _ float64) float64 { return a - b },
		func(a, b, _ exact) exact {
			b.neg = !b.neg
			return a.add(b, number.RN)
		},
	}, {
		"mul", two16(number.MulF16), two16(number.MulBF16),
		func(a, b, _ float64) float64 { return a * b },
		func(a, b, _ exact) exact { return a.mul(b) },
	}, {
		"fma", number.FMAF16, number.FMABF16,
		math.FMA,
		func(a, b, c exact) exact { return a.mul(b).add(c, number.RN) },
	},
}

func two16(f func(a, b uint16) uint16) func(a, b, c uint16) uint16 {
	return func(a, b, _ uint16) uint16 { return f(a, b) }
}

func TestHalfArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, op := range halfOps {
		for _, s := range smalls {
			f := op.f16
			if s.name == "bf16" {
				f = op.bf16
			}
			for i := range 25_000 {
				a, b, c := uint16(r.Uint32()), uint16(r.Uint32()), uint16(r.Uint32())
				switch i % 4 {
				case 0: // exponents near to each other
					e := uint16(r.IntN(int(s.inf)))
					a, b = a&0x83ff|e&0x7c00, b&0x83ff|e&0x7c00
				case 1: // c near to the product, and its distance a power of two
					c = f(a^0x8000, b, 0) + uint16(r.IntN(12))*s.inf&-s.inf
				case 2: // few bits
					b, c = b&0xfc00|1<<r.IntN(11), c&0xfc00|1<<r.IntN(11)
				}
				x, y, z := s.widen64(a), s.widen64(b), s.widen64(c)
				if op.name != "fma" {
					z = 0
				}
				var want uint16
				v := op.special(x, y, z)
				switch {
				case finite(x, y, z):
					want = uint16(s.format.round(op.exact(exactly(x), exactly(y), exactly(z)), number.RN))
				case math.IsNaN(v):
					want = 0x7fff
				default:
					want = s.from64(v, number.RN)
				}
				if got := f(a, b, c); want != got {
					require.Equalf(t, want, got, "%s.%s %#x %#x %#x: want %#x, got %#x", op.name, s.name, a, b, c, want, got)
				}
			}
		}
	}
}

func TestPackedHalves(t *testing.T) {
	assert.Equal(t, uint32(0x4000_4200), number.AddF16x2(0x3c00_3c00, 0x3c00_4000))
	assert.Equal(t, uint32(0x4040_4000), number.AddBF16x2(0x3f80_3f80, 0x4000_3f80))
	assert.Equal(t, uint32(0x0000_bc00), number.SubF16x2(0x3c00_3c00, 0x3c00_4000))
	assert.Equal(t, uint32(0x4600_c000), number.MulF16x2(0x4000_3c00, 0x4200_c000))
	assert.Equal(t, uint32(0x4700_bc00), number.FMAF16x2(0x4000_3c00, 0x4200_c000, 0x3c00_3c00))
	assert.Equal(t, uint32(0xbc00_7fff), number.NegF16x2(0x3c00_7e00))
	assert.Equal(t, uint32(0x3c00_0001), number.AbsF16x2(0xbc00_8001))
	assert.Equal(t, uint32(0x3c00_bc00), number.MinF16x2(0x3c00_3c00, 0x4000_bc00))
	assert.Equal(t, uint32(0x4000_3f80), number.MaxBF16x2(0x3f80_3f80, 0x4000_bf80))
	assert.Equal(t, uint32(0x8000_0400), number.FTZ16x2(0x83ff_0400))
	assert.Equal(t, uint32(0x3c00_0000), number.SatF16x2(0x4000_8001))
	assert.Equal(t, uint32(0x7fff_0000), number.ReluF16x2(0xfe00_8000))
	assert.Equal(t, uint32(0x7f80_0000), number.ReluBF16x2(0x7f80_ff80))
}

func TestHalfModifiers(t *testing.T) {
	for _, x := range []struct{ in, ftz, sat, relu, finite uint16 }{
		{0x0000, 0x0000, 0x0000, 0x0000, 0x0000},
		{0x8000, 0x8000, 0x0000, 0x0000, 0x8000},
		{0x83ff, 0x8000, 0x0000, 0x0000, 0x83ff},
		{0x03ff, 0x0000, 0x03ff, 0x03ff, 0x03ff},
		{0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3c00},
		{0x3c01, 0x3c01, 0x3c00, 0x3c01, 0x3c01},
		{0xbc00, 0xbc00, 0x0000, 0x0000, 0xbc00},
		{0x7c00, 0x7c00, 0x3c00, 0x7c00, 0x7bff},
		{0xfc00, 0xfc00, 0x0000, 0x0000, 0xfbff},
		{0x7e00, 0x7e00, 0x0000, 0x7fff, 0x7e00},
		{0xfe01, 0xfe01, 0x0000, 0x7fff, 0xfe01},
	} {
		assert.Equalf(t, x.ftz, number.FTZ16(x.in), "ftz %#x", x.in)
		assert.Equalf(t, x.sat, number.SatF16(x.in), "sat %#x", x.in)
		assert.Equalf(t, x.relu, number.ReluF16(x.in), "relu %#x", x.in)
		assert.Equalf(t, x.finite, number.FiniteF16(x.in), "satfinite %#x", x.in)
	}
	assert.Equal(t, uint16(0x7f7f), number.FiniteBF16(0x7f80))
	assert.Equal(t, uint16(0x8000), number.FTZBF16(0x807f))
	assert.Equal(t, uint16(0x0080), number.FTZBF16(0x0080))
	assert.Equal(t, uint16(0x7fff), number.ReluBF16(0xffc0))
	assert.Equal(t, uint16(0x7fff), number.NegBF16(0x7fc0))
	assert.Equal(t, uint16(0x7f80), number.AbsBF16(0xff80))
}
