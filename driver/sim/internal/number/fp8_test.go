package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// valueE4M3 is the value of the bits x, which are no NaN.
func valueE4M3(x uint8) float64 {
	v := math.Ldexp(float64(x&7), -9)
	if e := int(x >> 3 & 15); e != 0 {
		v = math.Ldexp(float64(8|x&7), e-10)
	}
	if x>>7 != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

func TestFP8Widens(t *testing.T) {
	for i := range 256 {
		x := uint8(i)
		if x&0x7f == 0x7f {
			require.Equal(t, uint16(0x7fff), number.F16FromE4M3(x))
		} else {
			require.Equalf(t, math.Float64bits(valueE4M3(x)), math.Float64bits(number.F64FromF16(number.F16FromE4M3(x))), "%#x", x)
		}
		if x&0x7f > 0x7c {
			require.Equal(t, uint16(0x7fff), number.F16FromE5M2(x))
		} else {
			require.Equalf(t, math.Float64bits(e5m2.decode(uint64(x))), math.Float64bits(number.F64FromF16(number.F16FromE5M2(x))), "%#x", x)
		}
	}
	assert.Equal(t, uint32(0x3c00_c000), number.F16x2FromE5M2x2(0x3cc0))
	assert.Equal(t, uint32(0x3c00_c000), number.F16x2FromE4M3x2(0x38c0))
}

// nearestE4M3 looks through all numbers for the nearest, the even one of two.
func nearestE4M3(v float64) uint8 {
	var best uint8
	for x := range uint8(0x7f) {
		d, least := math.Abs(math.Abs(v)-valueE4M3(x)), math.Abs(math.Abs(v)-valueE4M3(best))
		if d < least || d == least && x&1 == 0 {
			best = x
		}
	}
	if math.Signbit(v) {
		best |= 0x80
	}
	return best
}

func TestFP8Narrows(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for i := range 20_000 {
		x := math.Float32frombits(r.Uint32()&0x80ffffff | uint32(100+r.IntN(45))<<23)
		if i < 1<<15 && i&1 == 0 { // f16 has all the ties
			x = number.F32FromF16(uint16(r.Uint32()))
		}
		if !finite(float64(x)) {
			continue
		}
		want := uint8(e5m2.round(exactly(float64(x)), number.RN))
		if want&0x7f == 0x7c {
			want--
		}
		require.Equalf(t, want, number.E5M2FromF32(x), "%x", x)
		require.Equalf(t, nearestE4M3(float64(x)), number.E4M3FromF32(x), "%x", x)
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	assert.Equal(t, uint16(0x7efe), number.E4M3x2FromF32(inf, -inf))
	assert.Equal(t, uint16(0x7bfb), number.E5M2x2FromF32(inf, -inf))
	assert.Equal(t, uint16(0x7f7f), number.E4M3x2FromF32(nan, -nan))
	assert.Equal(t, uint16(0x7f7f), number.E5M2x2FromF32(nan, -nan))
	assert.Equal(t, uint16(0x38c0), number.E4M3x2FromF16x2(0x3c00_c000))
	assert.Equal(t, uint16(0x3cc0), number.E5M2x2FromF16x2(0x3c00_c000))
	assert.Equal(t, uint16(0x7f00), number.ReluFP8x2(0x7f80))
}
