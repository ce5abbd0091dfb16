package number_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// decode returns the value of the bits x of f, which is no NaN.
func (f format) decode(x uint64) float64 {
	top := f.expBits() + f.mantissa
	exp, frac := int(x>>f.mantissa)&(1<<f.expBits()-1), x&(1<<f.mantissa-1)
	v := math.Ldexp(float64(frac), 1-f.bias-f.mantissa)
	switch {
	case exp == 1<<f.expBits()-1:
		v = math.Inf(1)
	case exp != 0:
		v = math.Ldexp(float64(frac|1<<f.mantissa), exp-f.bias-f.mantissa)
	}
	if x>>top&1 != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

// A small is a 16-bit format with its functions.
type small struct {
	name    string
	format  format
	inf     uint16
	widen   func(uint16) float32
	widen64 func(uint16) float64
	narrow  [4]func(float32) uint16
	from64  func(float64, number.Rounding) uint16
	nan32   func(uint16) uint32 // what a NaN converts to
}

var smalls = []small{
	{
		"f16", binary16, 0x7c00, number.F32FromF16, number.F64FromF16,
		[4]func(float32) uint16{number.F16FromF32, number.F16FromF32RZ, number.F16FromF32RM, number.F16FromF32RP},
		number.F16FromF64, func(uint16) uint32 { return 0x7fffffff },
	}, {
		"bf16", brain16, 0x7f80, number.F32FromBF16, number.F64FromBF16,
		[4]func(float32) uint16{number.BF16FromF32, number.BF16FromF32RZ, number.BF16FromF32RM, number.BF16FromF32RP},
		number.BF16FromF64, func(h uint16) uint32 { return uint32(h) << 16 },
	},
}

// Every 16-bit number, both ways.
func TestSmallFloatsWidenExactly(t *testing.T) {
	for _, s := range smalls {
		for i := range 1 << 16 {
			h := uint16(i)
			got := s.widen(h)
			if h&0x7fff > s.inf {
				require.Equalf(t, s.nan32(h), math.Float32bits(got), "%s %#x", s.name, h)
				for _, narrow := range s.narrow {
					require.Equalf(t, uint16(0x7fff), narrow(got), "%s %#x", s.name, h)
				}
				continue
			}
			want := s.format.decode(uint64(h))
			if bits := math.Float64bits(want); bits != math.Float64bits(float64(got)) || bits != math.Float64bits(s.widen64(h)) {
				require.Equalf(t, want, got, "%s %#x", s.name, h)
			}
			for mode, narrow := range s.narrow {
				if h != narrow(got) || h != s.from64(want, number.Rounding(mode)) {
					require.Failf(t, "a number is not itself", "%s %#x, rounding %d", s.name, h, mode)
				}
			}
		}
	}
}

// Between each two neighbours: just above the lower, around the middle, just below the upper.
func TestSmallFloatsRoundBetweenNeighbours(t *testing.T) {
	for _, s := range smalls {
		for h := uint16(0); h < s.inf; h += 3 {
			lo := s.format.decode(uint64(h))
			hi := s.format.decode(uint64(h) + 1)
			if math.IsInf(hi, 0) { // what would come next
				hi = 2*lo - s.format.decode(uint64(h)-1)
			}
			middle := float32(lo + (hi-lo)/2)
			near := func(x float32, d int32) float32 { return math.Float32frombits(math.Float32bits(x) + uint32(d)) }
			for _, v := range [...]float32{near(float32(lo), 1), near(middle, -1), middle, near(middle, 1), near(float32(hi), -1)} {
				if h&7 == 0 {
					v = -v
				}
				for mode := range s.narrow {
					want := uint16(s.format.round(exactly(float64(v)), number.Rounding(mode)))
					got := s.narrow[mode](v)
					if want != got {
						require.Equalf(t, want, got, "%s of %x, rounding %d", s.name, v, mode)
					}
				}
			}
		}
	}
}

func TestFloat64Narrows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	to32 := [4]func(float64) float32{number.F32FromF64, number.F32FromF64RZ, number.F32FromF64RM, number.F32FromF64RP}
	for i := range 15_000 {
		b := random64(r)
		switch i % 3 {
		case 0: // near the range of float32
			b = b&(1<<63|1<<52-1) | uint64(1023-152+r.IntN(300))<<52
		case 1: // near a tie
			b = math.Float64bits(float64(math.Float32frombits(random32(r)))) + uint64(r.IntN(3))<<28 + uint64(r.IntN(3)) - 1
		}
		x := math.Float64frombits(b)
		for mode := range number.Rounding(4) {
			// A NaN keeps its sign and what there is room for, and becomes quiet.
			upper := uint32(b >> 32)
			sign, payload := upper&(1<<31), upper&0xfffff|0x80000
			want32 := sign | 0x7f800000 | payload<<3 | uint32(b)>>29
			want16, wantB := uint16(sign>>16|0x7c00|payload>>10), uint16(sign>>16|0x7f80|payload>>13)
			switch {
			case finite(x):
				e := exactly(x)
				want32 = uint32(binary32.round(e, mode))
				want16 = uint16(binary16.round(e, mode))
				wantB = uint16(brain16.round(e, mode))
			case !math.IsNaN(x):
				want32 = math.Float32bits(float32(x))
				want16, wantB = uint16(want32>>16&0x8000|0x7c00), uint16(want32>>16)
			}
			require.Equalf(t, want32, math.Float32bits(to32[mode](x)), "f32 of %#x, rounding %d", b, mode)
			require.Equalf(t, want16, number.F16FromF64(x, mode), "f16 of %#x, rounding %d", b, mode)
			require.Equalf(t, wantB, number.BF16FromF64(x, mode), "bf16 of %#x, rounding %d", b, mode)
		}
	}
}

func TestF64FromF32KeepsPayload(t *testing.T) {
	for in, want := range map[uint32]uint64{
		0x3f800000: 0x3ff0000000000000,
		0x80000001: 0xb6a0000000000000,
		0xff800000: 0xfff0000000000000,
		0x7fffffff: 0x7fffffffe0000000,
		0xffc00001: 0xfff8000020000000,
		0x7f800001: 0x7ff8000020000000,
	} {
		assert.Equalf(t, want, math.Float64bits(number.F64FromF32(math.Float32frombits(in))), "%#x", in)
	}
}

// What .ftz and a conversion to the own type make of NaNs, and that cvt.f64.f16 keeps their payload where cvt.f32.f16 does not: as the H200 does.
func TestConvertedNaNs(t *testing.T) {
	for _, x := range []struct{ in, flushed uint32 }{{0xffc12345, 0x7fffffff}, {0x7f800001, 0x7fffffff}, {0x807fffff, 0x80000000}, {0xc0000000, 0xc0000000}} {
		assert.Equal(t, x.flushed, math.Float32bits(number.F32FTZFromF32(f32(x.in))))
		assert.Equal(t, math.Float64bits(number.F64FromF32(f32(x.flushed))), math.Float64bits(number.F64FTZFromF32(f32(x.in))))
	}
	for in, want := range map[uint16]uint64{0x7c01: 0x7ff8040000000000, 0xfe12: 0xfff8480000000000, 0xffff: 0xfffffc0000000000, 0xfc00: 0xfff0000000000000, 0x8001: 0xbe70000000000000} {
		assert.Equalf(t, want, math.Float64bits(number.F64FromF16(in)), "%#x", in)
	}
	for in, want := range map[uint16]uint16{0x7c01: 0x7fff, 0xfe12: 0x7fff, 0xfc00: 0xfc00, 0x8001: 0x8001} {
		assert.Equalf(t, want, number.CvtF16(in), "%#x", in)
	}
}

func TestTF32(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for i := range 40_000 {
		b := random32(r)
		if i&1 == 0 {
			b = b&^0x1fff | 0x1000 + uint32(r.IntN(3)) - 1
		}
		x := f32(b)
		away := (b + 0x1000) &^ 0x1fff // to nearest, ties away, carrying into the exponent
		if math.IsNaN(float64(x)) {
			require.Equal(t, uint32(0x7fffe000), number.TF32FromF32(x))
			require.Equal(t, uint32(0x7fffe000), number.TF32FromF32RZ(x))
			require.Equal(t, b&^0x1fff, number.TF32FromF32RNA(x))
			continue
		}
		if finite(float64(x)) {
			e := exactly(float64(x))
			require.Equalf(t, uint32(tensor32.round(e, number.RN))<<13, number.TF32FromF32(x), "%#x", b)
			require.Equalf(t, uint32(tensor32.round(e, number.RZ))<<13, number.TF32FromF32RZ(x), "%#x", b)
		}
		require.Equalf(t, away, number.TF32FromF32RNA(x), "%#x", b)
	}
	assert.Equal(t, uint32(0x7f800000), number.TF32FromF32RNA(math.MaxFloat32))
	assert.Equal(t, uint32(0x7f7fe000), number.FiniteTF32(0x7f800000))
	assert.Equal(t, uint32(0xff7fe000), number.FiniteTF32(0xff800000))
	assert.Equal(t, uint32(0x3f800000), number.FiniteTF32(0x3f800000))
	assert.Equal(t, uint32(0), number.ReluTF32(0xbf800000))
	assert.Equal(t, uint32(0x7fffe000), number.ReluTF32(0xffc00000))
}

func TestIntegersToFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for i := range 6_000 {
		u := r.Uint64() >> r.IntN(64)
		switch i % 4 {
		case 0: // around powers of two, and around ties
			u = 1<<r.IntN(64) + uint64(r.IntN(5)) - 2
		case 1:
			u = r.Uint64()>>r.IntN(40) | 1<<r.IntN(64)
			u &^= 1<<r.IntN(40) - 1
		}
		e := exact{false, new(big.Int).SetUint64(u), 0, false}
		s := exact{int64(u) < 0, new(big.Int).Abs(big.NewInt(int64(u))), 0, false}
		n := exact{int32(u) < 0, new(big.Int).Abs(big.NewInt(int64(int32(u)))), 0, false}
		w := exact{false, big.NewInt(int64(uint32(u))), 0, false}
		for mode := range number.Rounding(4) {
			require.Equalf(t, binary64.round(e, mode), math.Float64bits(number.F64FromU64To(u, mode)), "%d, rounding %d", u, mode)
			require.Equalf(t, binary64.round(s, mode), math.Float64bits(number.F64FromS64To(int64(u), mode)), "%d, rounding %d", int64(u), mode)
			require.Equalf(t, uint32(binary32.round(e, mode)), math.Float32bits(number.F32FromU64To(u, mode)), "%d, rounding %d", u, mode)
			require.Equalf(t, uint32(binary32.round(s, mode)), math.Float32bits(number.F32FromS64To(int64(u), mode)), "%d, rounding %d", int64(u), mode)
			require.Equalf(t, uint32(binary32.round(n, mode)), math.Float32bits(number.F32FromS32To(int32(u), mode)), "%d, rounding %d", int32(u), mode)
			require.Equalf(t, uint32(binary32.round(w, mode)), math.Float32bits(number.F32FromU32To(uint32(u), mode)), "%d, rounding %d", uint32(u), mode)
			require.Equal(t, uint16(binary16.round(e, mode)), number.F16FromU64(u, mode))
			require.Equal(t, uint16(binary16.round(s, mode)), number.F16FromS64(int64(u), mode))
			require.Equal(t, uint16(brain16.round(e, mode)), number.BF16FromU64(u, mode))
			require.Equal(t, uint16(brain16.round(s, mode)), number.BF16FromS64(int64(u), mode))
		}
		require.Equal(t, number.F32FromS32To(int32(u), number.RN), number.F32FromS32(int32(u)))
		require.Equal(t, number.F32FromU32To(uint32(u), number.RN), number.F32FromU32(uint32(u)))
		require.Equal(t, number.F32FromS64To(int64(u), number.RN), number.F32FromS64(int64(u)))
		require.Equal(t, number.F32FromU64To(u, number.RN), number.F32FromU64(u))
		require.Equal(t, number.F64FromS64To(int64(u), number.RN), number.F64FromS64(int64(u)))
		require.Equal(t, number.F64FromU64To(u, number.RN), number.F64FromU64(u))
	}
}
