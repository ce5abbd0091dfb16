package engine

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const putR2 = "\nst.global.u32 [%rd1], %r2;"

// TestMeetings are the instructions in a warp, or in a part of one. want gets the lanes' input and is the output of a lane.
func TestMeetings(t *testing.T) {
	in := func(i int) uint32 { return uint32(100 + i) }
	mod3 := func(i int) uint32 { return uint32(i % 3) }
	flag := "setp.eq.u32 %p1, %r1, 1;\n"
	yes := func(b bool) uint32 { return pick[uint32](b, 1, 0) }
	for _, c := range []struct {
		name, body string
		threads    int
		in         func(int) uint32
		want       func(i int) uint32
	}{
		{"up", "shfl.sync.up.b32 %r2, %r1, 3, 0, -1;", 32, in, func(i int) uint32 { return in(pick(i < 3, i, i-3)) }},
		{"down", "shfl.sync.down.b32 %r2, %r1, 5, 31, -1;", 32, in, func(i int) uint32 { return in(pick(i+5 > 31, i, i+5)) }},
		{"bfly", "shfl.sync.bfly.b32 %r2, %r1, 9, 31, -1;", 32, in, func(i int) uint32 { return in(i ^ 9) }},
		{"idx", "shfl.sync.idx.b32 %r2, %r1, 7, 31, -1;", 32, in, func(i int) uint32 { return in(7) }},
		{"idx register", "sub.u32 %r3, 31, %r0; mov.u32 %r4, 31; mov.u32 %r5, -1; shfl.sync.idx.b32 %r2, %r1, %r3, %r4, %r5;", 32, in, func(i int) uint32 { return in(31 - i) }},
		{"up in eights", "shfl.sync.up.b32 %r2, %r1, 1, 6144, -1;", 32, in, func(i int) uint32 { return in(pick(i%8 == 0, i, i-1)) }},
		{"down in eights", "shfl.sync.down.b32 %r2, %r1, 2, 6175, -1;", 32, in, func(i int) uint32 { return in(pick(i%8 >= 6, i, i+2)) }},
		{"bfly in eights", "shfl.sync.bfly.b32 %r2, %r1, 8, 6175, -1;", 32, in, func(i int) uint32 { return in(pick(i%16 < 8, i, i-8)) }},
		{"idx in eights", "shfl.sync.idx.b32 %r2, %r1, 11, 6175, -1;", 32, in, func(i int) uint32 { return in(i&^7 | 3) }},
		{"a clamp", "shfl.sync.down.b32 %r2|%p1, %r1, 2, 9, -1; selp.u32 %r2, %r2, 7, %p1;", 32, in, func(i int) uint32 { return pick(i+2 <= 9, in(i+2), 7) }},
		{"predicate", "shfl.sync.down.b32 %r3|%p1, %r1, 4, 31, -1; selp.u32 %r2, 1, 0, %p1;", 32, in, func(i int) uint32 { return yes(i < 28) }},
		{"predicate up", "shfl.sync.up.b32 %r3|%p1, %r1, 4, 0, -1; selp.u32 %r2, 1, 0, %p1;", 32, in, func(i int) uint32 { return yes(i >= 4) }},
		{"in place", "mov.u32 %r2, %r1; shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1;", 32, in, func(i int) uint32 { return in(i ^ 1) }},
		{"distance of each lane", "shfl.sync.down.b32 %r2, %r1, %r0, 31, -1;", 32, in, func(i int) uint32 { return in(pick(2*i > 31, i, 2*i)) }},
		{"short warp", "shfl.sync.down.b32 %r2, %r1, 1, 31, -1;", 10, in, func(i int) uint32 { return pick(i == 9, 0, in(i+1)) }},
		{"as before sm_70", "shfl.down.b32 %r2, %r1, 5, 31;", 32, in, func(i int) uint32 { return in(pick(i+5 > 31, i, i+5)) }},

		{"all", flag + "vote.sync.all.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;", 32, mod3, func(int) uint32 { return 0 }},
		{"all, all are", "setp.lt.u32 %p1, %r1, 3; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;", 7, mod3, func(int) uint32 { return 1 }},
		{"any", flag + "vote.sync.any.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;", 32, mod3, func(int) uint32 { return 1 }},
		{"any of none", "vote.sync.any.pred %p2, 0, -1; selp.u32 %r2, 1, 0, %p2;", 32, mod3, func(int) uint32 { return 0 }},
		{"uni", flag + "vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r2, 1, 0, %p2;", 32, mod3, func(int) uint32 { return 0 }},
		{"uni of none", "vote.sync.uni.pred %p2, 0, -1; selp.u32 %r2, 1, 0, %p2;", 32, mod3, func(int) uint32 { return 1 }},
		{"ballot", flag + "vote.sync.ballot.b32 %r2, %p1, -1;", 32, mod3, func(int) uint32 { return 0b10010010010010010010010010010010 }},
		{"ballot of not", flag + "vote.sync.ballot.b32 %r2, !%p1, -1;", 6, mod3, func(int) uint32 { return 0b101101 }},
		{"ballot as before sm_70", flag + "vote.ballot.b32 %r2, %p1;", 6, mod3, func(int) uint32 { return 0b010010 }},

		{"match any", "match.any.sync.b32 %r2, %r1, -1;", 32, mod3, func(i int) uint32 {
			return [3]uint32{0b01001001001001001001001001001001, 0b10010010010010010010010010010010, 0b00100100100100100100100100100100}[i%3]
		}},
		{"match any of 64 bits", "mov.b64 %rd5, {%r4, %r1}; match.any.sync.b64 %r2, %rd5, -1;", 4, mod3, func(i int) uint32 { return [4]uint32{0b1001, 0b10, 0b100, 0b1001}[i] }},
		{"match all", "match.all.sync.b32 %r2|%p1, %r1, -1; selp.u32 %r3, 1, 0, %p1; add.u32 %r2, %r2, %r3;", 32, mod3, func(int) uint32 { return 0 }},
		{"match all, all do", "match.all.sync.b32 %r2|%p1, 5, -1; selp.u32 %r2, %r2, 0, %p1;", 9, mod3, func(int) uint32 { return 0x1ff }},

		{"add", "redux.sync.add.u32 %r2, %r1, -1;", 32, in, func(int) uint32 { return 32*100 + 31*16 }},
		{"min", "sub.u32 %r1, %r1, 110; redux.sync.min.s32 %r2, %r1, -1;", 32, in, func(int) uint32 { return ^uint32(9) }},
		{"unsigned min", "sub.u32 %r1, %r1, 110; redux.sync.min.u32 %r2, %r1, -1;", 32, in, func(int) uint32 { return 0 }},
		{"max", "sub.u32 %r1, %r1, 110; redux.sync.max.s32 %r2, %r1, -1;", 32, in, func(int) uint32 { return 21 }},
		{"unsigned max", "sub.u32 %r1, %r1, 110; redux.sync.max.u32 %r2, %r1, -1;", 32, in, func(int) uint32 { return ^uint32(0) }},
		{"and", "redux.sync.and.b32 %r2, %r1, -1;", 4, in, func(int) uint32 { return 100 }},
		{"or", "redux.sync.or.b32 %r2, %r1, -1;", 4, in, func(int) uint32 { return 103 }},
		{"xor", "redux.sync.xor.b32 %r2, %r1, -1;", 3, in, func(int) uint32 { return 100 ^ 101 ^ 102 }},

		{"activemask", "activemask.b32 %r2;", 20, in, func(int) uint32 { return 1<<20 - 1 }},
		{"guarded activemask", "setp.lt.u32 %p1, %r0, 5; @%p1 activemask.b32 %r2;", 32, in, func(i int) uint32 { return pick[uint32](i < 5, 31, 0) }},
		{"elect", "elect.sync %r3|%p1, -1; selp.u32 %r2, 1, 0, %p1;", 32, in, func(i int) uint32 { return yes(i == 0) }},
		{"elect of some", "setp.gt.u32 %p2, %r0, 6; mov.u32 %r4, 0xffffff80; @%p2 elect.sync %r2|%p1, %r4;", 32, in, func(i int) uint32 { return pick[uint32](i > 6, 7, 0) }},
		{"guarded", "setp.lt.u32 %p1, %r0, 8; @%p1 shfl.sync.bfly.b32 %r2, %r1, 1, 31, 255;", 32, in, func(i int) uint32 { return pick(i < 8, in(i^1), 0) }},
		{"bar.warp", "bar.warp.sync -1; mov.u32 %r2, 1;", 32, in, func(int) uint32 { return 1 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := small{threads: c.threads, in: c.in}.run(t, c.body+putR2)
			require.NoError(t, err)
			for i, v := range out {
				require.Equal(t, c.want(i), v, "lane %d", i)
			}
		})
	}
}

// TestMeetingsOfFragments are lanes that come to an instruction at different times and places.
func TestMeetingsOfFragments(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"two places", lines( // the halves exchange through two instructions
			"setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;",
			"shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1; add.u32 %r2, %r2, 1000; bra END;",
			"LOW: shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1; END:"),
			func(i int) uint32 { return uint32(i ^ 16 + pick(i < 16, 0, 1000)) }},
		{"two warps in one", lines( // masks that do not meet
			"setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;",
			"redux.sync.add.u32 %r2, %r1, 0xffff0000; bra END;",
			"LOW: redux.sync.add.u32 %r2, %r1, 0x0000ffff; END:"),
			func(i int) uint32 { return pick[uint32](i < 16, 120, 376) }},
		{"masks of lanes", lines( // each four by themselves, with one instruction
			"and.b32 %r3, %r0, 28; mov.u32 %r4, 15; shl.b32 %r4, %r4, %r3;",
			"redux.sync.max.u32 %r2, %r1, %r4;"),
			func(i int) uint32 { return uint32(i | 3) }},
		{"groups of match", "shr.u32 %r3, %r1, 3; match.any.sync.b32 %r4, %r3, -1; redux.sync.min.u32 %r2, %r1, %r4;",
			func(i int) uint32 { return uint32(i &^ 7) }},
		{"the others have ended", lines(
			"setp.ge.u32 %p1, %r0, 12; @%p1 ret;",
			"vote.sync.ballot.b32 %r2, 1, -1;"),
			func(i int) uint32 { return pick[uint32](i < 12, 1<<12-1, 0) }},
		{"the others end later", lines( // the low lanes wait first
			"setp.lt.u32 %p1, %r0, 12; @%p1 bra LOW; bra HIGH;",
			"LOW: vote.sync.ballot.b32 %r2, 1, -1; bra END;",
			"HIGH: mov.u32 %r3, 0; AGAIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5000; @%p1 bra AGAIN; ret; END:"),
			func(i int) uint32 { return pick[uint32](i < 12, 1<<12-1, 0) }},
		{"some of a loop", lines( // lane i leaves after i rounds; each round counts who is still there
			"mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, -1;",
			"AGAIN: vote.sync.ballot.b32 %r4, 1, %r4; redux.sync.add.u32 %r5, 1, %r4; add.u32 %r2, %r2, %r5;",
			"add.u32 %r3, %r3, 1; setp.gt.u32 %p1, %r3, %r0; vote.sync.ballot.b32 %r6, !%p1, %r4; mov.u32 %r4, %r6; @!%p1 bra AGAIN;"),
			func(i int) uint32 {
				n := 0
				for k := range i + 1 {
					n += 32 - k
				}
				return uint32(n)
			}},
		{"a warp barrier between lanes", lines( // the high lanes write what the low ones read
			"mov.u32 %r5, shared; shl.b32 %r4, %r0, 2; add.u32 %r4, %r5, %r4; setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;",
			"st.shared.u32 [%r4], %r1; bar.warp.sync -1; bra END;",
			"LOW: bar.warp.sync -1; ld.shared.u32 %r2, [%r4+64]; END:"),
			func(i int) uint32 { return pick(i < 16, uint32(i+16), 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, worst := range []bool{false, true} {
				out, err := small{config: Config{Worst: worst, Seed: 7}}.run(t, c.body+putR2)
				require.NoError(t, err)
				for i, v := range out {
					require.Equal(t, c.want(i), v, "lane %d, worst %v", i, worst)
				}
			}
		})
	}
}

func TestMeetingsThatFail(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
		kind             FaultKind
	}{
		{"not in its mask", "bar.warp.sync 0x00ffffff;",
			"k: lane 24 is not in its own member mask 0x00ffffff; block (0,0,0), thread (24,0,0), PTX line 22 (bar.warp.sync)", Undefined},
		{"never comes", "setp.lt.u32 %p1, %r0, 4; @%p1 bra L; bar.warp.sync 0xfffffff0; shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; ret; L: bar.sync 0;",
			"k: deadlock: 28 threads (4-31) wait at PTX line 22 (shfl.sync.bfly.b32) for the lanes 0x0000000f of their warp; 4 (0-3) wait at barrier 0, PTX line 22 (bar.sync); block (0,0,0), thread (4,0,0), PTX line 22 (shfl.sync.bfly.b32)", Deadlock},
		{"of another kind", "setp.lt.u32 %p1, %r0, 16; @%p1 bra L; vote.sync.any.pred %p2, 1, -1; ret; L: vote.sync.all.pred %p2, 1, -1;",
			"k: deadlock: 16 threads (16-31) wait at PTX line 22 (vote.sync.any.pred) for the lanes 0x0000ffff of their warp; 16 (0-15) wait at PTX line 22 (vote.sync.all.pred) for the lanes 0xffff0000 of their warp; block (0,0,0), thread (16,0,0), PTX line 22 (vote.sync.any.pred)", Deadlock},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := small{}.run(t, c.body)
			require.EqualError(t, err, c.want)
			assert.Equal(t, c.kind, err.(*Fault).Kind)
		})
	}
}

func TestMeetingsUnsupported(t *testing.T) {
	for _, body := range []string{
		"redux.sync.min.f32 %f1, %f2, -1;",
		"shfl.sync.bfly.b64 %rd5, %rd6, 1, 31, -1;",
		"match.any.sync.b32 %r2|%p1, %r1, -1;",
		"vote.sync.eqv.pred %p1, %p2, -1;",
	} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
}

// TestSegments holds the rule of shfl in every segment width against the wording of CUDA's __shfl functions.
func TestSegments(t *testing.T) {
	for width := 1; width <= 32; width *= 2 {
		for delta := range 32 {
			c := (32-width)<<8 | 31
			body := lines(
				"shfl.sync.down.b32 %r2, %r1, "+strconv.Itoa(delta)+", "+strconv.Itoa(c)+", -1;",
				"shfl.sync.up.b32 %r3, %r1, "+strconv.Itoa(delta)+", "+strconv.Itoa(c&^31)+", -1;",
				"shfl.sync.idx.b32 %r4, %r1, "+strconv.Itoa(delta)+", "+strconv.Itoa(c)+", -1;",
				"shl.b32 %r3, %r3, 8; shl.b32 %r4, %r4, 16; or.b32 %r2, %r2, %r3; or.b32 %r2, %r2, %r4;")
			out, err := small{}.run(t, body+putR2)
			require.NoError(t, err)
			for i, v := range out {
				down, up := i, i
				if i%width+delta < width {
					down = i + delta
				}
				if i%width-delta >= 0 {
					up = i - delta
				}
				idx := i - i%width + delta%width
				require.Equal(t, uint32(down|up<<8|idx<<16), v, "width %d, delta %d, lane %d", width, delta, i)
			}
		}
	}
}
