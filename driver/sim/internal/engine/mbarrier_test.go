package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const initMbarrier = "mov.u32 %r5, shared; add.u32 %r5, %r5, 512; setp.ne.u32 %p1, %r0, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r5], COUNT; READY: bar.sync 0; mov.u32 %r2, 0;\n"

func withCount(n string, body ...string) string {
	return strings.Replace(initMbarrier, "COUNT", n, 1) + lines(body...)
}

func TestMbarriers(t *testing.T) {
	exchange := "xor.b32 %r6, %r0, 63; shl.b32 %r6, %r6, 2; mov.u32 %r7, shared; add.u32 %r6, %r7, %r6; ld.shared.u32 %r2, [%r6];"
	write := "shl.b32 %r6, %r0, 2; mov.u32 %r7, shared; add.u32 %r6, %r7, %r6; st.shared.u32 [%r6], %r1;"
	for _, c := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"arrive and wait", withCount("64", write,
			"mbarrier.arrive.shared.b64 %rd5, [%r5];",
			"WAIT: mbarrier.test_wait.shared.b64 %p2, [%r5], %rd5; @!%p2 bra WAIT;", exchange),
			func(i int) uint32 { return uint32(i ^ 63) }},
		{"parity, many phases", withCount("64", write, "mov.u32 %r8, 0;",
			"AGAIN: mbarrier.arrive.release.cta.shared::cta.b64 _, [%r5]; and.b32 %r9, %r8, 1;",
			"WAIT: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [%r5], %r9, 1000; @!%p2 bra WAIT;",
			exchange, "add.u32 %r2, %r2, %r8; add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 20; @%p3 bra AGAIN;"),
			func(i int) uint32 { return uint32(i^63) + 19 }},
		{"the phase before is complete", withCount("64", "mbarrier.test_wait.parity.shared.b64 %p2, [%r5], 1; selp.u32 %r2, 1, 0, %p2;"),
			func(i int) uint32 { return 1 }},
		{"this phase is not", withCount("64", "mbarrier.test_wait.parity.shared.b64 %p2, [%r5], 0; selp.u32 %r2, 0, 1, %p2;"),
			func(i int) uint32 { return 1 }},
		{"one for all", withCount("2", write, // the leaders of two warps
			"bar.warp.sync -1; and.b32 %r8, %r0, 31; setp.eq.u32 %p2, %r8, 0; @%p2 mbarrier.arrive.shared.b64 _, [%r5];",
			"WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [%r5], 0; @!%p2 bra WAIT;", exchange),
			func(i int) uint32 { return uint32(i ^ 63) }},
		{"with a count", withCount("128", write, "mbarrier.arrive.shared.b64 %rd5, [%r5], 2;",
			"WAIT: mbarrier.try_wait.shared.b64 %p2, [%r5], %rd5; @!%p2 bra WAIT;", exchange),
			func(i int) uint32 { return uint32(i ^ 63) }},
		{"generic", withCount("64", write, "cvt.u64.u32 %rd6, %r5; cvta.shared.u64 %rd6, %rd6; mbarrier.arrive.b64 %rd5, [%rd6];",
			"WAIT: mbarrier.try_wait.b64 %p2, [%rd6], %rd5; @!%p2 bra WAIT;", exchange),
			func(i int) uint32 { return uint32(i ^ 63) }},
		{"bytes to come", withCount("1", // thread 0 expects, the others complete
			"setp.eq.u32 %p2, %r0, 0; @!%p2 bra OTHERS; mbarrier.arrive.expect_tx.shared.b64 _, [%r5], 630;",
			"OTHERS: @!%p2 mbarrier.complete_tx.relaxed.cta.shared.b64 [%r5], 10;",
			"WAIT: mbarrier.try_wait.parity.shared.b64 %p3, [%r5], 0; @!%p3 bra WAIT; mov.u32 %r2, 1;"),
			func(i int) uint32 { return 1 }},
		{"dropped", withCount("64", // the upper warp goes; the lower one does two phases more
			"setp.lt.u32 %p2, %r0, 32; @%p2 bra LOW; mbarrier.arrive_drop.shared.b64 _, [%r5]; bra END;",
			"LOW: mbarrier.arrive.shared.b64 %rd5, [%r5];",
			"WAIT: mbarrier.test_wait.shared.b64 %p3, [%r5], %rd5; @!%p3 bra WAIT; add.u32 %r2, %r2, 1;",
			"setp.lt.u32 %p3, %r2, 3; @%p3 bra LOW; END:"),
			func(i int) uint32 { return pick[uint32](i < 32, 3, 0) }},
		{"pending count", withCount("64", "mbarrier.arrive.noComplete.shared.b64 %rd5, [%r5], 1; mbarrier.pending_count.b64 %r2, %rd5;"), // the last would complete it
			nil},
		{"some lanes wait for others", withCount("32", // of their own warp
			"and.b32 %r8, %r0, 1; setp.eq.u32 %p2, %r8, 0; @%p2 bra EVEN;",
			"ODD: mbarrier.try_wait.parity.shared.b64 %p3, [%r5], 0; @!%p3 bra ODD; mov.u32 %r2, 1; bra END;",
			"EVEN: mbarrier.arrive.shared.b64 _, [%r5]; mov.u32 %r2, 2; END:"),
			func(i int) uint32 { return pick[uint32](i%2 == 1, 1, 2) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, worst := range []bool{false, true} {
				out, err := small{threads: 64, config: Config{Worst: worst, Seed: 3}}.run(t, c.body+putR2)
				if c.want == nil {
					require.ErrorContains(t, err, "noComplete, and the phase is complete")
					continue
				}
				require.NoError(t, err)
				for i, v := range out {
					require.Equal(t, c.want(i), v, "thread %d, worst %v", i, worst)
				}
			}
		})
	}
}

func TestMbarriersThatFail(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{withCount("1", "mbarrier.arrive.shared.b64 _, [%r5+8];"), "no mbarrier object was initialised at 0x208 of shared memory"},
		{withCount("1", "mbarrier.arrive.shared.b64 _, [%r5], 2;"), "2 arrivals, where the phase needs 1"},
		{withCount("0", ""), "an mbarrier object for 0 arrivals: there can be 1 to 1048575"},
		{withCount("1", "mbarrier.arrive.shared.b64 _, [%r5], 0;"), "0 arrivals: there can be 1 to 1048575"},
		{withCount("1", "mbarrier.inval.shared.b64 [%r5]; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p1, [%r5], 0;"), "no mbarrier object was initialised at 0x200 of shared memory"},
		{withCount("1", "mbarrier.arrive.b64 _, [%rd0];"), "an mbarrier object at 0x"},
		{withCount("1", "mbarrier.expect_tx.relaxed.cta.shared.b64 [%r5], 2000000;"), "2000000 bytes are to come: the limit is 1048575"},
	} {
		_, err := small{threads: 1}.run(t, c.body)
		require.ErrorContains(t, err, c.want)
	}
	for _, body := range []string{"mbarrier.arrive.global.b64 _, [%rd0];", "mbarrier.test_wait.noComplete.shared.b64 %p1, [%r5], %rd5;", "mbarrier.other.shared.b64 [%r5];", "mbarrier.init.shared.b32 [%r5], 1;"} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
}

func TestMbarrierWord(t *testing.T) {
	m := newMbarrier(3)
	m, wrong := m.expect(-5)
	require.Empty(t, wrong)
	assert.EqualValues(t, -5, m.bytes())
	m, wrong = m.arrive(3, 1)
	require.Empty(t, wrong)
	assert.EqualValues(t, 0, m.pending())
	assert.EqualValues(t, 0, m.phase(), "bytes are to come")
	m, _ = m.expect(5)
	m = m.settled()
	assert.EqualValues(t, 1, m.phase())
	assert.EqualValues(t, 2, m.pending())
	assert.EqualValues(t, 2, m.expected())
	assert.True(t, m.valid())
	_, wrong = m.arrive(2, 3)
	assert.Equal(t, "3 arrivals to drop, of 2", wrong)
}
