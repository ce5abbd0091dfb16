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

func TestDivRemAbsSad(t *testing.T) {
	assert.Equal(t, []int32{-3, math.MinInt32, -1}, []int32{number.Div[int32](-7, 2), number.Div[int32](math.MinInt32, -1), number.Div[int32](5, 0)})
	assert.Equal(t, []int32{-1, 0, -1}, []int32{number.Rem[int32](-7, 2), number.Rem[int32](math.MinInt32, -1), number.Rem[int32](5, 0)})
	assert.Equal(t, []uint64{math.MaxUint64, math.MaxUint64}, []uint64{number.Div[uint64](5, 0), number.Rem[uint64](5, 0)})
	assert.Equal(t, int16(math.MinInt16), number.Div[int16](math.MinInt16, -1))
	assert.Equal(t, []int64{5, math.MinInt64}, []int64{number.Abs[int64](-5), number.Abs[int64](math.MinInt64)})
	assert.Equal(t, uint32(12), number.Sad[uint32](3, 5, 10))
	assert.Equal(t, int32(math.MinInt32), number.Sad[int32](-1, 1, math.MaxInt32-1))
	assert.Equal(t, int32(-2), number.Sad[int32](math.MinInt32, math.MaxInt32, -1)) // 2^32-1 wraps
	assert.Equal(t, []uint32{1, 0}, []uint32{number.CNot[uint32](0), number.CNot[uint32](7)})
	assert.Equal(t, []int64{-128, 127, 5}, []int64{number.Clamp[int64](-300, -128, 127), number.Clamp[int64](300, -128, 127), number.Clamp[int64](5, -128, 127)})
	assert.Equal(t, []int32{math.MaxInt32, math.MinInt32, 3}, []int32{number.AddSatS32(math.MaxInt32, 1), number.AddSatS32(math.MinInt32, -1), number.AddSatS32(1, 2)})
	assert.Equal(t, []int32{math.MinInt32, math.MaxInt32, -1}, []int32{number.SubSatS32(math.MinInt32, 1), number.SubSatS32(0, math.MinInt32), number.SubSatS32(1, 2)})
	assert.Equal(t, []int32{0, 7}, []int32{number.Relu[int32](-7), number.Relu[int32](7)})
}

// bigHi is the upper half of a × b.
func bigHi(a, b *big.Int, bits uint) *big.Int { return new(big.Int).Rsh(new(big.Int).Mul(a, b), bits) }

func TestMultiply(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	edges := []uint64{0, 1, math.MaxUint64, 1 << 63, 1<<63 - 1, 1 << 31, 1<<31 - 1, math.MaxUint32, 1 << 32, 0x8000, 0x7fff, 0xffff, 1 << 23, 1<<24 - 1, 1 << 24}
	draw := func() uint64 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return r.Uint64()
	}
	for range 5000 {
		a, b, c := draw(), draw(), draw()
		u := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
		require.Equal(t, bigHi(u(a), u(b), 64).Uint64(), number.MulHiU64(a, b))
		require.Equal(t, bigHi(big.NewInt(int64(a)), big.NewInt(int64(b)), 64).Int64(), number.MulHiS64(int64(a), int64(b)))
		require.Equal(t, uint32(bigHi(u(uint64(uint32(a))), u(uint64(uint32(b))), 32).Uint64()), number.MulHiU32(uint32(a), uint32(b)))
		require.Equal(t, int32(bigHi(big.NewInt(int64(int32(a))), big.NewInt(int64(int32(b))), 32).Int64()), number.MulHiS32(int32(a), int32(b)))
		require.Equal(t, uint16(bigHi(u(uint64(uint16(a))), u(uint64(uint16(b))), 16).Uint64()), number.MulHiU16(uint16(a), uint16(b)))
		require.Equal(t, int16(bigHi(big.NewInt(int64(int16(a))), big.NewInt(int64(int16(b))), 16).Int64()), number.MulHiS16(int16(a), int16(b)))
		x, y := a&0xffffff, b&0xffffff
		require.Equal(t, uint32(x*y), number.Mul24LoU32(uint32(a), uint32(b)))
		require.Equal(t, uint32(x*y>>16), number.Mul24HiU32(uint32(a), uint32(b)))
		sx, sy := int64(x)-int64(x>>23<<24), int64(y)-int64(y>>23<<24)
		require.Equal(t, int32(sx*sy), number.Mul24LoS32(int32(a), int32(b)))
		require.Equal(t, int32(sx*sy>>16), number.Mul24HiS32(int32(a), int32(b)))
		sum := int64(number.MulHiS32(int32(a), int32(b))) + int64(int32(c))
		require.Equal(t, int32(min(max(sum, math.MinInt32), math.MaxInt32)), number.MadHiSatS32(int32(a), int32(b), int32(c)))
		sum = int64(number.Mul24HiS32(int32(a), int32(b))) + int64(int32(c))
		require.Equal(t, int32(min(max(sum, math.MinInt32), math.MaxInt32)), number.Mad24HiSatS32(int32(a), int32(b), int32(c)))
	}
}

// Chains of 32-bit words against whole numbers.
func TestCarryChains(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for range 3000 {
		a, b, c := r.Uint64()|-uint64(r.IntN(2)), r.Uint64(), r.Uint64()|-uint64(r.IntN(2))
		al, ah, bl, bh, cl, ch := uint32(a), uint32(a>>32), uint32(b), uint32(b>>32), uint32(c), uint32(c>>32)
		lo, carry := number.AddCarry32(al, bl, 0)
		hi, _ := number.AddCarry32(ah, bh, carry)
		require.Equal(t, a+b, uint64(hi)<<32|uint64(lo))
		lo, carry = number.SubCarry32(al, bl, 1)
		hi, _ = number.SubCarry32(ah, bh, carry)
		require.Equal(t, a-b, uint64(hi)<<32|uint64(lo))
		// al × bl + c in 64 bits, and the carry out of it.
		lo, carry = number.MadLoCarry32(al, bl, cl, 0)
		hi, carry = number.MadHiCarryU32(al, bl, ch, carry)
		want := new(big.Int).Add(new(big.Int).SetUint64(uint64(al)*uint64(bl)), new(big.Int).SetUint64(c))
		got := new(big.Int).Lsh(big.NewInt(int64(carry)), 64)
		require.Zero(t, want.Cmp(got.Add(got, new(big.Int).SetUint64(uint64(hi)<<32|uint64(lo)))))
		// The same with signs, modulo 2^64.
		lo, carry = number.MadLoCarry32(al, bl, cl, 0)
		hi, _ = number.MadHiCarryS32(al, bl, ch, carry)
		require.Equal(t, uint64(int64(int32(al))*int64(int32(bl)))+c, uint64(hi)<<32|uint64(lo))
		// 128 bits.
		l64, c64 := number.AddCarry64(a, b, 0)
		h64, _ := number.AddCarry64(b, c, c64)
		whole := new(big.Int).Add(join(b, a), join(c, b))
		require.Equal(t, split(whole), [2]uint64{h64, l64})
		l64, c64 = number.SubCarry64(a, b, 1)
		h64, _ = number.SubCarry64(b, c, c64)
		require.Equal(t, split(new(big.Int).Sub(join(b, a), join(c, b))), [2]uint64{h64, l64})
		l64, c64 = number.MadLoCarry64(a, b, c, 0)
		h64, _ = number.MadHiCarryU64(a, b, a, c64)
		whole = new(big.Int).Mul(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
		require.Equal(t, split(whole.Add(whole, join(a, c))), [2]uint64{h64, l64})
		l64, c64 = number.MadLoCarry64(a, b, c, 0)
		h64, _ = number.MadHiCarryS64(a, b, a, c64)
		whole = new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(b)))
		require.Equal(t, split(whole.Add(whole, join(a, c))), [2]uint64{h64, l64})
	}
}

// The flag of a subtraction, taken by an addition, and the other way round, as the H200 does.
func TestCarryIsNoBorrow(t *testing.T) {
	_, flag := number.SubCarry32(5, 5, 1)
	assert.Equal(t, uint32(1), flag, "nothing is borrowed")
	_, flag = number.SubCarry32(5, 6, 1)
	assert.Equal(t, uint32(0), flag)
	_, flag = number.SubCarry32(5, 5, 0)
	assert.Equal(t, uint32(0), flag, "one more was taken away")
	_, flag = number.AddCarry32(1, 1, 0)
	diff, _ := number.SubCarry32(7, 2, flag)
	assert.Equal(t, uint32(4), diff)
	_, wide := number.SubCarry64(5, 5, 1)
	sum, _ := number.AddCarry64(1, 1, wide)
	assert.Equal(t, uint64(3), sum)
}

func join(hi, lo uint64) *big.Int {
	v := new(big.Int).Lsh(new(big.Int).SetUint64(hi), 64)
	return v.Or(v, new(big.Int).SetUint64(lo))
}

// split returns the lowest 128 bits, in two's complement.
func split(v *big.Int) [2]uint64 {
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	v = new(big.Int).And(v, mask)
	lo := new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64))
	return [2]uint64{new(big.Int).Rsh(v, 64).Uint64(), lo.Uint64()}
}

func TestDotProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	byteOf := func(x uint32, i int, signed bool) int64 {
		if v := int64(x >> (8 * i) & 0xff); !signed || v < 128 {
			return v
		} else {
			return v - 256
		}
	}
	halfOf := func(x uint32, i int, signed bool) int64 {
		if v := int64(x >> (16 * i) & 0xffff); !signed || v < 0x8000 {
			return v
		} else {
			return v - 0x10000
		}
	}
	for _, f := range []struct {
		name       string
		sa, sb     bool
		dp4a, dp2a func(a, b, c uint32) uint32
	}{
		{"u32.u32", false, false, number.Dp4aUU, number.Dp2aUU},
		{"s32.s32", true, true, number.Dp4aSS, number.Dp2aSS},
		{"s32.u32", true, false, number.Dp4aSU, number.Dp2aSU},
		{"u32.s32", false, true, number.Dp4aUS, number.Dp2aUS},
	} {
		for range 2000 {
			a, b, c := r.Uint32(), r.Uint32(), r.Uint32()
			four, two := int64(c), int64(c)
			for i := range 4 {
				four += byteOf(a, i, f.sa) * byteOf(b, i, f.sb)
			}
			for i := range 2 {
				two += halfOf(a, i, f.sa) * byteOf(b, i, f.sb)
			}
			require.Equalf(t, uint32(four), f.dp4a(a, b, c), "dp4a.%s %#x %#x %#x", f.name, a, b, c)
			require.Equalf(t, uint32(two), f.dp2a(a, b, c), "dp2a.lo.%s %#x %#x %#x", f.name, a, b, c)
		}
	}
}

func TestPackedIntegers(t *testing.T) {
	assert.Equal(t, uint32(0x80007fff), number.CvtPack(-40000, 40000, 0xffff, 16, true))
	assert.Equal(t, uint32(0x00009c40), number.CvtPack(-40000, 40000, 0, 16, false))
	assert.Equal(t, uint32(0x1234ff00), number.CvtPack(300, -1, 0xabcd1234, 8, false))
	assert.Equal(t, uint32(0x1234807f), number.CvtPack(-300, 300, 0x1234, 8, true))
	assert.Equal(t, uint32(0x00000187), number.CvtPack(-20, 15, 1, 4, true))
	assert.Equal(t, uint32(0x0000010f), number.CvtPack(-20, 15, 1, 4, false))
	assert.Equal(t, uint32(0x0000001b), number.CvtPack(2, 3, 1, 2, false))
	assert.Equal(t, uint32(0x0000_8000), number.AddX2(0xffff_7fff, 0x0001_0001))
	assert.Equal(t, uint32(0x0001_7fff), number.MinU16x2(0xffff_7fff, 0x0001_8000))
	assert.Equal(t, uint32(0xffff_8000), number.MaxU16x2(0xffff_7fff, 0x0001_8000))
	assert.Equal(t, uint32(0xffff_8000), number.MinS16x2(0xffff_7fff, 0x0001_8000))
	assert.Equal(t, uint32(0x0001_7fff), number.MaxS16x2(0xffff_7fff, 0x0001_8000))
	assert.Equal(t, uint32(0x0000_7fff), number.ReluS16x2(0xffff_7fff))
}
