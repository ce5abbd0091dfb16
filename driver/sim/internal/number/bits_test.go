package number_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// The manual's pseudo code, bit by bit, for a register of width bits. Of positions and lengths
// only eight bits count in 32 bits, as it says, and all in 64, as the H200 does.

func slowBfe(a uint64, pos, length uint32, width int, signed bool) uint64 {
	if width == 32 {
		pos, length = pos&0xff, length&0xff
	}
	msb := width - 1
	var fill uint64
	if signed && length != 0 {
		fill = a >> min(int(pos)+int(length)-1, msb) & 1
	}
	var d uint64
	for i := range width {
		bit := fill
		if i < int(length) && int(pos)+i <= msb {
			bit = a >> (int(pos) + i) & 1
		}
		d |= bit << i
	}
	return d
}

func slowBfi(a, b uint64, pos, length uint32, width int) uint64 {
	if width == 32 {
		pos, length = pos&0xff, length&0xff
	}
	for i := 0; i < int(length) && int(pos)+i < width; i++ {
		b = b&^(1<<(int(pos)+i)) | a>>i&1<<(int(pos)+i)
	}
	return b
}

func slowBfind(a uint64, width int, signed, shift bool) uint32 {
	if signed && a>>(width-1)&1 != 0 {
		a = ^a
	}
	for i := width - 1; i >= 0; i-- {
		if a>>i&1 != 0 {
			if shift {
				return uint32(width - 1 - i)
			}
			return uint32(i)
		}
	}
	return 0xffffffff
}

func slowFns(mask, base uint32, offset int32) uint32 {
	if offset == 0 {
		if mask>>base&1 == 1 {
			return base
		}
		return 0xffffffff
	}
	count, step := int64(offset), int64(1)
	if offset < 0 {
		count, step = -count, -1
	}
	for pos := int64(base); pos >= 0 && pos < 32; pos += step {
		if mask>>pos&1 == 1 {
			if count--; count == 0 {
				return uint32(pos)
			}
		}
	}
	return 0xffffffff
}

func TestBitFields(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	amounts := []uint32{0, 1, 7, 8, 15, 16, 30, 31, 32, 33, 62, 63, 64, 65, 127, 128, 200, 255, 256, 257, 0x1f20, 0xffffffff}
	for range 300 {
		a, b := r.Uint64()>>r.IntN(64), r.Uint64()
		if r.IntN(2) == 0 {
			a = ^a
		}
		lo, lob := uint32(a), uint32(b)
		for _, pos := range amounts {
			for _, n := range amounts {
				require.Equal(t, uint32(slowBfe(uint64(lo), pos, n, 32, false)), number.BfeU32(lo, pos, n))
				if want, got := slowBfe(uint64(lo), pos, n, 32, true), number.BfeS32(int32(lo), pos, n); uint32(want) != uint32(got) {
					require.Equalf(t, uint32(want), uint32(got), "bfe.s32 %#x %d %d", lo, pos, n)
				}
				if slowBfe(a, pos, n, 64, false) != number.BfeU64(a, pos, n) || slowBfe(a, pos, n, 64, true) != uint64(number.BfeS64(int64(a), pos, n)) {
					require.Failf(t, "bfe of 64 bits", "%#x %d %d", a, pos, n)
				}
				if uint32(slowBfi(uint64(lo), uint64(lob), pos, n, 32)) != number.BfiB32(lo, lob, pos, n) || slowBfi(a, b, pos, n, 64) != number.BfiB64(a, b, pos, n) {
					require.Failf(t, "bfi", "%#x %#x %d %d", a, b, pos, n)
				}
			}
		}
	}
}

func TestFindBits(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for i := range 3000 {
		a := r.Uint64() >> r.IntN(65)
		if i&1 == 0 {
			a = ^a
		}
		lo := uint32(a)
		require.Equal(t, slowBfind(uint64(lo), 32, false, false), number.BfindU32(lo))
		require.Equal(t, slowBfind(uint64(lo), 32, true, false), number.BfindS32(int32(lo)))
		require.Equal(t, slowBfind(a, 64, false, false), number.BfindU64(a))
		require.Equal(t, slowBfind(a, 64, true, false), number.BfindS64(int64(a)))
		require.Equal(t, slowBfind(uint64(lo), 32, true, true), number.BfindShift(number.BfindS32(int32(lo)), 32))
		require.Equal(t, slowBfind(a, 64, false, true), number.BfindShift(number.BfindU64(a), 64))
		base, n := uint32(r.IntN(32)), int32(r.IntN(40)-20)
		require.Equalf(t, slowFns(lo, base, n), number.Fns(lo, base, n), "fns %#x %d %d", lo, base, n)
	}
	// The manual's examples.
	assert.Equal(t, uint32(3), number.Fns(0xaaaaaaaa, 3, 1))
	assert.Equal(t, uint32(3), number.Fns(0xaaaaaaaa, 3, -1))
	assert.Equal(t, uint32(3), number.Fns(0xaaaaaaaa, 2, 1))
	assert.Equal(t, uint32(1), number.Fns(0xaaaaaaaa, 2, -1))
	assert.Equal(t, uint32(0xffffffff), number.Fns(1, 0, -1<<31+1))
	assert.Equal(t, uint32(0), number.Fns(1, 0, -1<<31), "what the H200 does")
	assert.Equal(t, uint32(0), number.Fns(2, 99, -1<<31))
	assert.Equal(t, uint32(0xffffffff), number.Fns(0xffffffff, 32, 0))

	assert.Equal(t, []uint32{32, 0, 64, 0, 32, 0, 64}, []uint32{
		number.Clz32(0), number.Clz32(1 << 31), number.Clz64(0), number.Popc32(0), number.Popc32(0xffffffff), number.Popc64(0), number.Popc64(1<<64 - 1),
	})
	assert.Equal(t, uint32(0x80000000), number.Brev32(1))
	assert.Equal(t, uint64(1<<62), number.Brev64(2))
}

func TestMasksAndExtensions(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, x := range []uint32{0, 1, 2, 15, 31, 32, 33, 63, 64, 0xffffffff} {
		for _, n := range []uint32{0, 1, 2, 8, 31, 32, 33, 40, 64, 0xffffffff} {
			var clamp, wrap uint32
			for i := range uint64(32) {
				if i >= uint64(x) && i < uint64(x)+min(uint64(n), 32) {
					clamp |= 1 << i
				}
				if i >= uint64(x&31) && i < uint64(x&31)+uint64(n&31) {
					wrap |= 1 << i
				}
			}
			assert.Equalf(t, clamp, number.BmskClamp(x, n), "bmsk.clamp %d %d", x, n)
			assert.Equalf(t, wrap, number.BmskWrap(x, n), "bmsk.wrap %d %d", x, n)
			a := r.Uint32()
			assert.Equalf(t, uint32(slowBfe(uint64(a), 0, min(n, 32), 32, false)), number.SzextClampU32(a, n), "%#x %d", a, n)
			assert.Equalf(t, uint32(slowBfe(uint64(a), 0, n&31, 32, false)), number.SzextWrapU32(a, n), "%#x %d", a, n)
			assert.Equalf(t, uint32(slowBfe(uint64(a), 0, min(n, 32), 32, true)), uint32(number.SzextClampS32(int32(a), n)), "%#x %d", a, n)
			assert.Equalf(t, uint32(slowBfe(uint64(a), 0, n&31, 32, true)), uint32(number.SzextWrapS32(int32(a), n)), "%#x %d", a, n)
		}
	}
	assert.Equal(t, uint32(6), number.BmskWrap(1, 2)) // the manual's example
}
