package number_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

func TestVideoScalar(t *testing.T) {
	type video = number.Video
	for _, x := range []struct {
		name    string
		got     uint32
		want    uint32
		comment string
	}{
		{name: "vadd.u32.u32.u32", got: video{}.VAdd(3, 4, 99), want: 7},
		{name: "vadd wraps", got: video{}.VAdd(0xffffffff, 2, 0), want: 1},
		{name: "vadd.sat.u32", got: video{Sat: true}.VAdd(0xffffffff, 2, 0), want: 0xffffffff},
		{name: "vadd.sat.s32.u32.u32", got: video{Sat: true, DSigned: true}.VAdd(0xffffffff, 2, 0), want: 0x7fffffff},
		{name: "vsub.sat.u32 below 0", got: video{Sat: true}.VSub(1, 2, 0), want: 0},
		{name: "vsub.s32.u32.u32", got: video{DSigned: true}.VSub(1, 2, 0), want: 0xffffffff},
		{name: "vsub.sat.s32.u32.u32", got: video{Sat: true, DSigned: true}.VSub(0, 0xffffffff, 0), want: 0x80000000},
		{name: "vadd .b0 .h1", got: video{A: number.B0, B: number.H1}.VAdd(0x123456f8, 0x8000ffff, 0), want: 0x80f8},
		{name: "vadd .s32 .b0 .h1", got: video{ASigned: true, BSigned: true, DSigned: true, A: number.B0, B: number.H1}.VAdd(0x123456f8, 0x8000ffff, 0), want: 0xffff7ff8},
		{name: "vadd .b1 .b2", got: video{A: number.B1, B: number.B2}.VAdd(0x12345678, 0x12345678, 0), want: 0x56 + 0x34},
		{name: "vadd .b3 .h0", got: video{A: number.B3, B: number.H0}.VAdd(0x12345678, 0x12345678, 0), want: 0x12 + 0x5678},
		{name: "vabsdiff.u32.s32.s32", got: video{ASigned: true, BSigned: true}.VAbsDiff(0x80000000, 0x7fffffff, 0), want: 0xffffffff},
		{name: "vabsdiff.sat.s32.s32.s32", got: video{ASigned: true, BSigned: true, DSigned: true, Sat: true}.VAbsDiff(0x80000000, 0x7fffffff, 0), want: 0x7fffffff},
		{name: "vabsdiff.add", got: video{Second: number.SecondAdd}.VAbsDiff(3, 10, 100), want: 107},
		{name: "vmin.s32", got: video{ASigned: true, BSigned: true, DSigned: true}.VMin(0xffffffff, 1, 0), want: 0xffffffff},
		{name: "vmin.u32", got: video{}.VMin(0xffffffff, 1, 0), want: 1},
		{name: "vmin of a signed and an unsigned", got: video{ASigned: true}.VMin(0x7fffffff, 0xffffffff, 0), want: 0x7fffffff},
		{name: "vmax.s32.max", got: video{ASigned: true, BSigned: true, DSigned: true, Second: number.SecondMax}.VMax(0xfffffff0, 0xffffffff, 5), want: 5},
		{name: "vmax.u32.max", got: video{Second: number.SecondMax}.VMax(7, 8, 0xffffffff), want: 0xffffffff},
		{name: "vmin.s32.min", got: video{ASigned: true, BSigned: true, DSigned: true, Second: number.SecondMin}.VMin(7, 8, 0xffffffff), want: 0xffffffff},
		{name: "merge .b1", got: video{D: number.B1}.VAdd(0x1ff, 0x1, 0xaabbccdd), want: 0xaabb00dd},
		{name: "merge .b3 .sat", got: video{D: number.B3, Sat: true}.VAdd(0x1ff, 0x1, 0xaabbccdd), want: 0xffbbccdd},
		{name: "merge .h1 .sat .s32", got: video{D: number.H1, Sat: true, DSigned: true}.VAdd(0x9000, 0, 0xaabbccdd), want: 0x7fffccdd},
		{name: "merge .h0", got: video{D: number.H0}.VAdd(0x12345, 0, 0xaabbccdd), want: 0xaabb2345},
		{name: "vset.lt", got: video{ASigned: true, BSigned: true}.VSet(0xffffffff, 0, 0, number.LT), want: 1},
		{name: "vset.u32.lt", got: video{}.VSet(0xffffffff, 0, 0, number.LT), want: 0},
		{name: "vset.ge.add", got: video{Second: number.SecondAdd}.VSet(5, 5, 41, number.GE), want: 42},
		{name: "vshl.clamp", got: video{}.VShl(1, 33, 0), want: 0},
		{name: "vshl.wrap", got: video{Wrap: true}.VShl(1, 33, 0), want: 2},
		{name: "vshl.sat", got: video{Sat: true}.VShl(3, 31, 0), want: 0xffffffff},
		{name: "vshr.s32.clamp", got: video{ASigned: true, DSigned: true}.VShr(0x80000000, 40, 0), want: 0xffffffff},
		{name: "vshr.u32.wrap", got: video{Wrap: true}.VShr(0x80000000, 35, 0), want: 0x10000000},
		{name: "vshr.u32 by a byte, then add", got: video{B: number.B1, Second: number.SecondAdd}.VShr(0x80000000, 0x0400, 1), want: 0x08000001},
	} {
		assert.Equalf(t, x.want, x.got, "%s: want %#x, got %#x", x.name, x.want, x.got)
	}
}

func TestVideoCompare(t *testing.T) {
	for _, x := range []struct {
		a, b                   uint32
		eq, ne, lt, le, gt, ge uint32
	}{
		{1, 2, 0, 1, 1, 1, 0, 0}, {2, 2, 1, 0, 0, 1, 0, 1}, {3, 2, 0, 1, 0, 0, 1, 1},
	} {
		for cmp, want := range []uint32{x.eq, x.ne, x.lt, x.le, x.gt, x.ge} {
			assert.Equalf(t, want, number.Video{}.VSet(x.a, x.b, 0, number.Compare(cmp)), "%d %d, comparison %d", x.a, x.b, cmp)
		}
	}
}

// The manual's definition of vmad in 128 bits.
func TestVideoMad(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	edges := []uint32{0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x8000, 0xffff}
	draw := func() uint32 {
		if r.IntN(2) == 0 {
			return edges[r.IntN(len(edges))]
		}
		return r.Uint32()
	}
	for range 40_000 {
		v := number.VideoMad{
			ASigned: r.IntN(2) == 0, BSigned: r.IntN(2) == 0, Sat: r.IntN(2) == 0,
			Shift: []uint8{0, 7, 15}[r.IntN(3)],
		}
		switch r.IntN(4) {
		case 0:
			v.Negate = true
		case 1:
			v.NegateC = true
		case 2:
			v.PlusOne = true
		}
		a, b, c := draw(), draw(), draw()
		isSigned := v.ASigned || v.BSigned || v.Negate || v.NegateC
		number33 := func(x uint32, s bool) *big.Int {
			if s {
				return big.NewInt(int64(int32(x)))
			}
			return big.NewInt(int64(x))
		}
		sum := new(big.Int).Mul(number33(a, v.ASigned), number33(b, v.BSigned))
		third := number33(c, isSigned)
		one := big.NewInt(0)
		switch {
		case v.PlusOne:
			one.SetInt64(1)
		case v.Negate:
			sum.Not(sum)
			one.SetInt64(1)
		case v.NegateC:
			third = number33(^c, isSigned)
			one.SetInt64(1)
		}
		sum.Add(sum, third).Add(sum, one).Rsh(sum, uint(v.Shift))
		if v.Sat {
			lo, hi := big.NewInt(0), big.NewInt(0xffffffff)
			if isSigned {
				lo, hi = big.NewInt(-1<<31), big.NewInt(1<<31-1)
			}
			if sum.Cmp(lo) < 0 {
				sum = lo
			} else if sum.Cmp(hi) > 0 {
				sum = hi
			}
		}
		want := uint32(new(big.Int).And(sum, big.NewInt(0xffffffff)).Uint64())
		require.Equalf(t, want, v.VMad(a, b, c), "%+v %#x %#x %#x", v, a, b, c)
	}
	parts := number.VideoMad{A: number.B1, B: number.H1, ASigned: true}
	assert.Equal(t, uint32(0x100000000-2*0x1234+10), parts.VMad(0xfe00, 0x12340000, 10))
}

func TestVideoLanes(t *testing.T) {
	two, four := number.DefaultLanes(2), number.DefaultLanes(4)
	sTwo, sFour := two, four
	sTwo.ASigned, sTwo.BSigned, sTwo.DSigned = true, true, true
	sFour.ASigned, sFour.BSigned, sFour.DSigned = true, true, true
	sat2, sat4, add4 := sTwo, four, four
	sat2.Sat, sat4.Sat, add4.Add = true, true, true
	top, swapped := four, two
	top.Mask = 0b1010
	swapped.A, swapped.B = [4]uint8{3, 0}, [4]uint8{1, 1} // a.h03, b.h11
	for _, x := range []struct {
		name      string
		got, want uint32
	}{
		{"vadd4", four.VAdd(0x01ff7f80, 0x01020304, 0), 0x02018284},
		{"vadd4.sat", sat4.VAdd(0x01ff7f80, 0x01020304, 0), 0x02ff8284},
		{"vadd2", two.VAdd(0x7fffffff, 0x00010002, 0), 0x80000001},
		{"vadd2.s32.sat", sat2.VAdd(0x7fff8000, 0x0001ffff, 0), 0x7fff8000},
		{"vsub4.sat", sat4.VSub(0x01ff0180, 0x02010101, 0), 0x00fe007f},
		{"vsub2", two.VSub(0x00000001, 0x00010002, 0), 0xffffffff},
		{"vavrg4", four.VAvrg(0x00ff0301, 0x01ff0402, 0), 0x01ff0402},
		{"vavrg4.s32", sFour.VAvrg(0xff00fe01, 0x0000ff02, 0), 0xff00fe02},
		{"vabsdiff4", four.VAbsDiff(0x00ff8001, 0xff00017f, 0), 0xffff7f7e},
		{"vabsdiff4.s32", sFour.VAbsDiff(0x00ff8001, 0xff00017f, 0), 0x0101817e},
		{"vabsdiff4.add", add4.VAbsDiff(0x00ff8001, 0xff00017f, 1000), 1000 + 0xff + 0xff + 0x7f + 0x7e},
		{"vmin2.s32", sTwo.VMin(0xffff0001, 0x00018000, 0), 0xffff8000},
		{"vmin2", two.VMin(0xffff0001, 0x00018000, 0), 0x00010001},
		{"vmax4.s32", sFour.VMax(0xff01807f, 0x00ff7f80, 0), 0x00017f7f},
		{"vmax4", four.VMax(0xff01807f, 0x00ff7f80, 0), 0xffff8080},
		{"vset4.lt", four.VSet(0x01ff0200, 0x02000200, 0, number.LT), 0x01000000},
		{"vset4.s32.lt", sFour.VSet(0x01ff0200, 0x02000200, 0, number.LT), 0x01010000},
		{"vset4.eq.add", add4.VSet(0x01ff0200, 0x01000200, 7, number.EQ), 10},
		{"vadd4 .b31 merges with c", top.VAdd(0x01020304, 0x10203040, 0xaabbccdd), 0x11bb33dd},
		{"vadd2 .h03 .h11", swapped.VAdd(0x00010002, 0x00030004, 0), 0x0003_0004},
	} {
		assert.Equalf(t, x.want, x.got, "%s: want %#x, got %#x", x.name, x.want, x.got)
	}
}
