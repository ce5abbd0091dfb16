package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// TestPairs compares pairs of halves, the low ones and the high ones each by themselves, in every way in which the results come out.
func TestPairs(t *testing.T) {
	f16 := func(h uint16) float32 { return number.F32FromF16(h) }
	bf16 := func(h uint16) float32 { return number.F32FromBF16(h) }
	flushed := func(h uint16) float32 { return pick(h&0x7c00 == 0, 0, number.F32FromF16(h)) }
	odd := func(i int) bool { return i%2 != 0 }
	for _, c := range []struct {
		body  string // of %r1 and %r3, and %p3 in odd lanes, to %r2
		float func(uint16) float32
		does  func(i int, a, b float32) bool
		yes   uint32 // of a half
	}{
		{"setp.lt.f16x2 %p1|%p2, %r1, %r3;", f16, func(i int, a, b float32) bool { return a < b }, 1},
		{"setp.lt.ftz.f16x2 %p1|%p2, %r1, %r3;", flushed, func(i int, a, b float32) bool { return a < b }, 1},
		{"setp.ge.and.f16x2 %p1|%p2, %r1, %r3, %p3;", f16, func(i int, a, b float32) bool { return a >= b && odd(i) }, 1},
		{"setp.ne.xor.bf16x2 %p1|%p2, %r1, %r3, !%p3;", bf16, func(i int, a, b float32) bool { return (a == a && b == b && a != b) == odd(i) }, 1},
		{"mov.pred %p1, %p3; setp.eq.or.f16x2 %p1|%p2, %r1, %r3, %p1;", f16, func(i int, a, b float32) bool { return a == b || odd(i) }, 1},
		{"set.lt.f16x2.f16x2 %r2, %r1, %r3;", f16, func(i int, a, b float32) bool { return a < b }, 0x3c00},
		{"set.geu.or.bf16x2.bf16x2 %r2, %r1, %r3, %p3;", bf16, func(i int, a, b float32) bool { return !(a < b) || odd(i) }, 0x3f80},
		{"set.eq.u32.f16x2 %r2, %r1, %r3;", f16, func(i int, a, b float32) bool { return a == b }, 0xffff},
		{"set.nan.s32.bf16x2 %r1, %r1, %r3; mov.b32 %r2, %r1;", bf16, func(i int, a, b float32) bool { return a != a || b != b }, 0xffff},
	} {
		halves := []uint16{0, 0x8000, 1, 0x8001, 0x3ff, 0x3c00, 0xbc00, 0x3f80, 0x7c00, 0x7e00, 0x7f80, 0xffff}
		r := rand.New(rand.NewPCG(3, 4))
		words := make([]uint32, 64)
		for i := range words {
			words[i] = uint32(halves[r.IntN(len(halves))]) | uint32(halves[r.IntN(len(halves))])<<16
		}
		body := c.body
		if c.yes == 1 {
			body += "selp.u32 %r2, 1, 0, %p1; selp.u32 %r5, 65536, 0, %p2; or.b32 %r2, %r2, %r5;"
		}
		out, err := small{inputs: 64, in: func(i int) uint32 { return words[i] }}.run(t,
			lines("ld.global.u32 %r3, [%rd0+128]; and.b32 %r4, %r0, 1; setp.ne.u32 %p3, %r4, 0;", body)+putR2)
		require.NoError(t, err, c.body)
		for i, got := range out {
			want := uint32(0)
			for h := 0; h < 32; h += 16 {
				if c.does(i, c.float(uint16(words[i]>>h)), c.float(uint16(words[i+32]>>h))) {
					want |= c.yes << h
				}
			}
			assert.Equal(t, want, got, "%s %#08x %#08x", c.body, words[i], words[i+32])
		}
	}
	for _, body := range []string{"set.lt.f16x2.bf16x2 %r2, %r1, %r3;", "set.lt.f16.f16x2 %h2, %r1, %r3;", "set.lt.ftz.u32.bf16x2 %r2, %r1, %r3;", "setp.lo.f16x2 %p1|%p2, %r1, %r3;"} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
	assert.ErrorContains(t, loadSmall(t, "setp.lt.f16x2 %p1, %r1, %r3;"), "no pair of predicates")
}
