package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

var picks = []struct {
	name           string
	min, nan, sign bool // nan: one NaN is enough for the result; sign: .xorsign.abs
	f32            func(a, b float32) float32
	f16, bf16      func(a, b uint16) uint16
}{
	{"min", true, false, false, number.MinF32, number.MinF16, number.MinBF16},
	{"max", false, false, false, number.MaxF32, number.MaxF16, number.MaxBF16},
	{"min.NaN", true, true, false, number.MinNaNF32, number.MinNaNF16, number.MinNaNBF16},
	{"max.NaN", false, true, false, number.MaxNaNF32, number.MaxNaNF16, number.MaxNaNBF16},
	{"min.xorsign.abs", true, false, true, number.MinXorSignF32, number.MinXorSignF16, number.MinXorSignBF16},
	{"max.xorsign.abs", false, false, true, number.MaxXorSignF32, number.MaxXorSignF16, number.MaxXorSignBF16},
	{"min.NaN.xorsign.abs", true, true, true, number.MinNaNXorSignF32, number.MinNaNXorSignF16, number.MinNaNXorSignBF16},
	{"max.NaN.xorsign.abs", false, true, true, number.MaxNaNXorSignF32, number.MaxNaNXorSignF16, number.MaxNaNXorSignBF16},
}

// picked is the manual's rule on the bits of a format with a sign bit and an infinity.
func picked(a, b, sign, inf, canonical uint32, least, nan, xor bool) uint32 {
	flip := uint32(0)
	if xor {
		flip = (a ^ b) & sign
		a, b = a&^sign, b&^sign
	}
	nanA, nanB := a&^sign > inf, b&^sign > inf
	key := func(x uint32) int64 { // in the order of the numbers, -0 below +0
		if x&sign != 0 {
			return -int64(x&^sign) - 1
		}
		return int64(x)
	}
	switch {
	case nanA && nanB, nan && (nanA || nanB):
		return canonical
	case nanA:
		return b | flip
	case nanB || (key(a) < key(b)) == least:
		return a | flip
	}
	return b | flip
}

func TestMinMax(t *testing.T) {
	edges16 := []uint16{
		0, 1, 0x03ff, 0x0400, 0x3c00, 0x3f80, 0x4000, 0x7bff, 0x7c00, 0x7c01, 0x7e00, 0x7f7f, 0x7f80, 0x7f81, 0x7fff,
		0x8000, 0x8001, 0xbc00, 0xc000, 0xfbff, 0xfc00, 0xfe00, 0xff7f, 0xff80, 0xffc0, 0xffff,
	}
	for _, p := range picks {
		for _, a := range edges32 {
			for _, b := range edges32 {
				want := picked(a, b, 1<<31, 0x7f800000, 0x7fffffff, p.min, p.nan, p.sign)
				require.Equalf(t, want, math.Float32bits(p.f32(f32(a), f32(b))), "%s.f32 %#x %#x", p.name, a, b)
			}
		}
		for _, a := range edges16 {
			for _, b := range edges16 {
				want := picked(uint32(a), uint32(b), 0x8000, 0x7c00, 0x7fff, p.min, p.nan, p.sign)
				require.Equalf(t, uint16(want), p.f16(a, b), "%s.f16 %#x %#x", p.name, a, b)
				want = picked(uint32(a), uint32(b), 0x8000, 0x7f80, 0x7fff, p.min, p.nan, p.sign)
				require.Equalf(t, uint16(want), p.bf16(a, b), "%s.bf16 %#x %#x", p.name, a, b)
			}
		}
	}
}

func TestMinMaxF64(t *testing.T) {
	for _, a := range edges64 {
		for _, b := range edges64 {
			x, y := math.Float64frombits(a), math.Float64frombits(b)
			lo, hi := x, y
			switch {
			case x != x && y != y:
				lo = math.Float64frombits(b | 1<<51)
				hi = lo
			case x != x:
				lo = y
			case y != y:
				hi = x
			case y < x || y == x && a>>63 == 0:
				lo, hi = y, x
			}
			require.Equalf(t, math.Float64bits(lo), math.Float64bits(number.MinF64(x, y)), "min %#x %#x", a, b)
			require.Equalf(t, math.Float64bits(hi), math.Float64bits(number.MaxF64(x, y)), "max %#x %#x", a, b)
		}
	}
}

func TestCompare(t *testing.T) {
	nan := math.NaN()
	for _, x := range []struct {
		a, b                                          float64
		ne, equ, neu, ltu, leu, gtu, geu, number, nan bool
	}{
		{1, 2, true, false, true, true, true, false, false, true, false},
		{2, 1, true, false, true, false, false, true, true, true, false},
		{1, 1, false, true, false, false, true, false, true, true, false},
		{0, math.Copysign(0, -1), false, true, false, false, true, false, true, true, false},
		{math.Inf(-1), math.Inf(1), true, false, true, true, true, false, false, true, false},
		{nan, 1, false, true, true, true, true, true, true, false, true},
		{1, nan, false, true, true, true, true, true, true, false, true},
		{nan, nan, false, true, true, true, true, true, true, false, true},
	} {
		a, b := float32(x.a), float32(x.b)
		want := []bool{x.ne, x.equ, x.neu, x.ltu, x.leu, x.gtu, x.geu, x.number, x.nan}
		assert.Equalf(t, want, []bool{
			number.Ne(a, b), number.Equ(a, b), number.Neu(a, b), number.Ltu(a, b), number.Leu(a, b),
			number.Gtu(a, b), number.Geu(a, b), number.Num(a, b), number.Nan(a, b),
		}, "f32 %v %v", a, b)
		assert.Equalf(t, want, []bool{
			number.Ne(x.a, x.b), number.Equ(x.a, x.b), number.Neu(x.a, x.b), number.Ltu(x.a, x.b), number.Leu(x.a, x.b),
			number.Gtu(x.a, x.b), number.Geu(x.a, x.b), number.Num(x.a, x.b), number.Nan(x.a, x.b),
		}, "f64 %v %v", x.a, x.b)
	}
}

func TestSetAndSelect(t *testing.T) {
	assert.Equal(t, []uint32{0xffffffff, 0x3f800000, 0, 0},
		[]uint32{number.SetB32(true), number.SetF32(true), number.SetB32(false), number.SetF32(false)})
	assert.Equal(t, []uint16{0xffff, 0x3c00, 0x3f80, 0}, []uint16{number.SetB16(true), number.SetF16(true), number.SetBF16(true), number.SetBF16(false)})
	negZero, nan := float32(math.Copysign(0, -1)), float32(math.NaN())
	assert.Equal(t, []uint32{1, 1, 2, 2}, []uint32{
		number.SlctF32[uint32](1, 2, negZero), number.SlctF32[uint32](1, 2, 3),
		number.SlctF32[uint32](1, 2, -1), number.SlctF32[uint32](1, 2, nan),
	})
	assert.Equal(t, []uint64{1, 2}, []uint64{number.SlctS32[uint64](1, 2, 0), number.SlctS32[uint64](1, 2, -1)})
}

func TestTestp(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for range 20_000 {
		a, b := random32(r), random64(r)
		x, y := f32(a), math.Float64frombits(b)
		mag, mag64 := a&^(1<<31), b&^(1<<63)
		require.Equal(t, mag < 0x7f800000, number.FiniteF32(x))
		require.Equal(t, mag == 0x7f800000, number.InfiniteF32(x))
		require.Equal(t, mag > 0 && mag < 0x00800000, number.SubnormalF32(x))
		require.Equal(t, mag == 0 || mag >= 0x00800000 && mag < 0x7f800000, number.NormalF32(x))
		require.Equal(t, mag64 < 0x7ff<<52, number.FiniteF64(y))
		require.Equal(t, mag64 == 0x7ff<<52, number.InfiniteF64(y))
		require.Equal(t, mag64 > 0 && mag64 < 1<<52, number.SubnormalF64(y))
		require.Equal(t, mag64 == 0 || mag64 >= 1<<52 && mag64 < 0x7ff<<52, number.NormalF64(y))
	}
	assert.Equal(t, uint32(0xff800001), math.Float32bits(number.CopySignF32(-1, f32(0x7f800001))))
	assert.Equal(t, uint64(0x3ff0000000000000), math.Float64bits(number.CopySignF64(0, -1)))
}
