package abi

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A format is one of the four types, as the tests see it.
type format struct {
	name   string
	s      *smallFloat
	bits   int
	from64 func(float64) uint16
	from32 func(float32) uint16
	to32   func(uint16) float32
	to64   func(uint16) float64
	max    float64
	least  float64
	finite int // values, both zeros and both signs counted
	nans   int
}

var formats = []format{
	{"half", &half, 16,
		func(f float64) uint16 { return uint16(HalfFromFloat64(f)) }, func(f float32) uint16 { return uint16(HalfFromFloat32(f)) },
		func(b uint16) float32 { return Half(b).Float32() }, func(b uint16) float64 { return Half(b).Float64() },
		65504, 0x1p-24, 2 * 31 * 1024, 2 * 1023},
	{"bfloat16", &bf16, 16,
		func(f float64) uint16 { return uint16(BFloat16FromFloat64(f)) }, func(f float32) uint16 { return uint16(BFloat16FromFloat32(f)) },
		func(b uint16) float32 { return BFloat16(b).Float32() }, func(b uint16) float64 { return BFloat16(b).Float64() },
		0x1.fep127, 0x1p-133, 2 * 255 * 128, 2 * 127},
	{"e4m3", &e4m3, 8,
		func(f float64) uint16 { return uint16(E4M3FromFloat64(f)) }, func(f float32) uint16 { return uint16(E4M3FromFloat32(f)) },
		func(b uint16) float32 { return E4M3(b).Float32() }, func(b uint16) float64 { return E4M3(b).Float64() },
		448, 0x1p-9, 254, 2},
	{"e5m2", &e5m2, 8,
		func(f float64) uint16 { return uint16(E5M2FromFloat64(f)) }, func(f float32) uint16 { return uint16(E5M2FromFloat32(f)) },
		func(b uint16) float32 { return E5M2(b).Float32() }, func(b uint16) float64 { return E5M2(b).Float64() },
		57344, 0x1p-16, 2 * 31 * 4, 6},
}

// value decodes a finite number from its fields by the formula, with big numbers.
func (f *format) value(b uint16) float64 {
	exp := int(b&(f.s.sign-1)) >> f.s.mantissa
	frac := int64(b) & (1<<f.s.mantissa - 1)
	if exp == 0 {
		exp = 1
	} else {
		frac += 1 << f.s.mantissa
	}
	x := new(big.Float).SetInt64(frac)
	x.SetMantExp(x, exp-f.s.bias-f.s.mantissa)
	v, accuracy := x.Float64()
	if accuracy != big.Exact {
		panic("not exact")
	}
	if b&f.s.sign != 0 {
		v = math.Copysign(v, -1)
	}
	return v
}

// Every value of every format there and back.
func TestEveryValue(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			finite, nans, infs := 0, 0, 0
			for i := range 1 << f.bits {
				b := uint16(i)
				wide, narrow := f.to64(b), f.to32(b)
				switch {
				case wide != wide:
					nans++
					quiet := b
					if f.s.inf != 0 { // a conversion makes a NaN quiet, as IEEE 754 has it
						quiet |= 1 << (f.s.mantissa - 1)
					}
					if got := f.from64(wide); got != quiet {
						t.Fatalf("%#x: from64(to64) = %#x", b, got)
					}
					if got := f.from32(narrow); narrow == narrow || got != quiet {
						t.Fatalf("%#x: from32(to32) = %#x", b, got)
					}
					continue
				case math.IsInf(wide, 0):
					infs++
				default:
					finite++
					if want := f.value(b); math.Float64bits(wide) != math.Float64bits(want) {
						t.Fatalf("%#x is %v, not %v", b, want, wide)
					}
				}
				if float64(narrow) != wide || math.Signbit(float64(narrow)) != math.Signbit(wide) {
					t.Fatalf("%#x: float32 %v, float64 %v", b, narrow, wide)
				}
				if got := f.from64(wide); got != b && !(f.s.inf == 0 && math.IsInf(wide, 0)) {
					t.Fatalf("%#x: from64(%v) = %#x", b, wide, got)
				}
				if got := f.from32(narrow); got != b && !(f.s.inf == 0 && math.IsInf(wide, 0)) {
					t.Fatalf("%#x: from32(%v) = %#x", b, narrow, got)
				}
			}
			require.Equal(t, f.finite, finite)
			require.Equal(t, f.nans, nans)
			require.Equal(t, 1<<f.bits, finite+nans+infs)
			require.Equal(t, f.max, f.to64(f.s.max))
			require.Equal(t, f.least, f.to64(1))
		})
	}
}

// At and beside the middle between every two neighbours, from float64 and from float32
// where it holds the number: all the places at which rounding can go wrong.
func TestRoundingAtEveryBoundary(t *testing.T) {
	for _, f := range formats {
		t.Run(f.name, func(t *testing.T) {
			check := func(v float64, want uint16) {
				for _, s := range []struct {
					v    float64
					want uint16
				}{{v, want}, {-v, want | f.s.sign}} {
					if got := f.from64(s.v); got != s.want {
						t.Fatalf("from64(%x) = %#x, not %#x", s.v, got, s.want)
					}
					if narrow := float32(s.v); float64(narrow) == s.v {
						if got := f.from32(narrow); got != s.want {
							t.Fatalf("from32(%x) = %#x, not %#x", narrow, got, s.want)
						}
					}
				}
			}
			for b := uint16(0); b < f.s.max; b++ {
				low, high := f.value(b), f.value(b+1)
				middle := (low + high) / 2 // exact: both have few bits
				even := b + b&1
				check(middle, even)
				check(math.Nextafter(middle, 0), b)
				check(math.Nextafter(middle, math.Inf(1)), b+1)
				check(float64(math.Nextafter32(float32(middle), 0)), b)
				check(float64(math.Nextafter32(float32(middle), float32(math.Inf(1)))), b+1)
			}
			// The middle between the largest and the value that would follow it.
			step := f.max - f.value(f.s.max-1)
			limit := f.max + step/2
			over := f.s.inf
			if over == 0 {
				over = f.s.nan
			}
			atLimit := over
			if f.s.max&1 == 0 {
				atLimit = f.s.max
			}
			check(limit, atLimit)
			check(math.Nextafter(limit, 0), f.s.max)
			check(math.Nextafter(limit, math.Inf(1)), over)
			check(math.MaxFloat32, over)
			check(math.MaxFloat64, over)
			check(math.Inf(1), over)
			check(math.SmallestNonzeroFloat64, 0)
			check(math.SmallestNonzeroFloat32, 0)
			check(0, 0)
		})
	}
}

// Rounding to float32 first, as a careless conversion does, gives another result.
func TestNoDoubleRounding(t *testing.T) {
	v := 1 + 0x1p-11 + 0x1p-40 // just above the middle of 1 and 1+2^-10; float32 drops the last term
	require.Equal(t, Half(0x3c01), HalfFromFloat64(v))
	require.Equal(t, Half(0x3c00), HalfFromFloat32(float32(v)))
	v = 1 + 0x1p-8 + 0x1p-40
	require.Equal(t, BFloat16(0x3f81), BFloat16FromFloat64(v))
	require.Equal(t, BFloat16(0x3f80), BFloat16FromFloat32(float32(v)))
}

func TestNaNPayload(t *testing.T) {
	require.Equal(t, Half(0xfe00|0x155), HalfFromFloat64(math.Float64frombits(0xfff8000000000000|0x155<<42)))
	require.Equal(t, Half(0x7e00|0x155), HalfFromFloat32(math.Float32frombits(0x7f800000|0x155<<13)), "signalling becomes quiet")
	require.Equal(t, Half(0x7e00), HalfFromFloat64(math.Float64frombits(0x7ff0000000000001)), "no payload becomes infinity")
	require.Equal(t, BFloat16(0xffe5), BFloat16FromFloat32(math.Float32frombits(0xffe5abcd)))
	require.Equal(t, uint32(0xffe50000), math.Float32bits(BFloat16(0xffe5).Float32()))
	require.Equal(t, E4M3(0xff), E4M3FromFloat64(math.Copysign(math.NaN(), -1)))
	require.Equal(t, E4M3(0x7f), E4M3FromFloat32(float32(math.Inf(1))))
	require.Equal(t, E5M2(0x7c), E5M2FromFloat32(float32(math.Inf(1))))
	require.Equal(t, math.Inf(-1), E5M2(0xfc).Float64())
}

// oddFloat followed by a rounding is the rounding of the integer itself.
func TestOddFloat(t *testing.T) {
	require.Equal(t, 0.0, oddFloat(0))
	require.Equal(t, 0x1p53, oddFloat(1<<53))
	require.NotEqual(t, 0x1p63, oddFloat(1<<63+1))
	// 2^60 + 2^52 is the middle of two BFloat16; one more must round up.
	require.Equal(t, BFloat16FromFloat64(0x1p60), BFloat16FromFloat64(oddFloat(1<<60+1<<52)))
	require.Equal(t, BFloat16FromFloat64(0x1p60+0x1p53), BFloat16FromFloat64(oddFloat(1<<60+1<<52+1)))
	random := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		u := random.Uint64() >> random.IntN(64)
		if random.IntN(2) == 0 && u > 1<<20 { // near a middle of two float16-like values
			u = u&^(u>>9) | u>>9&^(u>>10) + uint64(random.IntN(3)) - 1
		}
		want, _ := new(big.Float).SetPrec(8).SetMode(big.ToNearestEven).SetUint64(u).Float64()
		if got := bf16.widen(bf16.round(oddFloat(u))); got != want {
			t.Fatalf("%d: %v, not %v", u, got, want)
		}
	}
}

func BenchmarkHalfFromFloat32(b *testing.B) {
	for i := range b.N {
		sinkHalf = HalfFromFloat32(float32(i))
	}
}

func BenchmarkHalfFloat32(b *testing.B) {
	for i := range b.N {
		sinkFloat = Half(i).Float32()
	}
}

var (
	sinkHalf  Half
	sinkFloat float32
)
