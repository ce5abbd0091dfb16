package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// atShared makes %r4 the place of this thread's word in shared memory, and %r5 the place of the first.
const atShared = "mov.u32 %r5, shared; shl.b32 %r4, %r0, 2; add.u32 %r4, %r5, %r4;\n"

func TestBarriers(t *testing.T) {
	for _, c := range []struct {
		name, body string
		threads    int
		want       func(i int) uint32
	}{
		{"all", lines(atShared,
			"st.shared.u32 [%r4], %r1; bar.sync 0;",
			"xor.b32 %r6, %r0, 127; shl.b32 %r6, %r6, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r2, [%r6];"),
			128, func(i int) uint32 { return uint32(i ^ 127) }},
		{"all by number", lines(atShared,
			"st.shared.u32 [%r4], %r1; barrier.cta.sync.aligned 3, 128;",
			"xor.b32 %r6, %r0, 127; shl.b32 %r6, %r6, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r2, [%r6];"),
			128, func(i int) uint32 { return uint32(i ^ 127) }},
		{"a number from a register", lines(atShared, // two pairs of warps, each with a barrier of its own
			"st.shared.u32 [%r4], %r1; shr.u32 %r7, %r0, 6; add.u32 %r7, %r7, 1; mov.u32 %r8, 64; barrier.sync %r7, %r8;",
			"xor.b32 %r6, %r0, 63; shl.b32 %r6, %r6, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r2, [%r6];"),
			128, func(i int) uint32 { return uint32(i ^ 63) }},
		{"a number of each lane", lines(atShared, // even and odd threads of all warps
			"st.shared.u32 [%r4], %r1; and.b32 %r7, %r0, 1; barrier.sync %r7, 64;",
			"xor.b32 %r6, %r0, 126; shl.b32 %r6, %r6, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r2, [%r6];"),
			128, func(i int) uint32 { return uint32(i ^ 126) }},
		{"producers arrive", lines(atShared, // the upper warps write and go on
			"setp.lt.u32 %p1, %r0, 64; @%p1 bra LOW;",
			"st.shared.u32 [%r4], %r1; bar.arrive 1, 128; bra END;",
			"LOW: bar.sync 1, 128; ld.shared.u32 %r2, [%r4+256]; END:"),
			128, func(i int) uint32 { return pick(i < 64, uint32(i+64), 0) }},
		{"in divergent code", lines(atShared,
			"st.shared.u32 [%r4], %r1; and.b32 %r7, %r0, 1; setp.eq.u32 %p1, %r7, 0; @%p1 bra EVEN;",
			"bar.sync 0; ld.shared.u32 %r2, [%r4+-4]; bra END;",
			"EVEN: bar.sync 0; ld.shared.u32 %r2, [%r4+4]; END:"),
			128, func(i int) uint32 { return uint32(i ^ 1) }},
		{"some have ended", "setp.ge.u32 %p1, %r0, 40; @%p1 ret; bar.sync 0; bar.sync 0; mov.u32 %r2, 1;",
			128, func(i int) uint32 { return pick[uint32](i < 40, 1, 0) }},
		{"some end later", lines("setp.lt.u32 %p1, %r0, 40; @%p1 bra LOW;",
			"mov.u32 %r3, 0; AGAIN: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 40000; @%p1 bra AGAIN; ret;",
			"LOW: bar.sync 0; mov.u32 %r2, 1;"),
			128, func(i int) uint32 { return pick[uint32](i < 40, 1, 0) }},
		{"some of a named one have ended", lines("setp.ge.u32 %p1, %r0, 64; @%p1 ret; setp.ge.u32 %p1, %r0, 40; @%p1 ret;",
			"bar.sync 2, 64; mov.u32 %r2, 1;"),
			128, func(i int) uint32 { return pick[uint32](i < 40, 1, 0) }},
		{"a short block", "bar.sync 1, 64; mov.u32 %r2, 1;", 48, func(i int) uint32 { return 1 }},
		{"a barrier opens while others spin", lines(atShared, // the low lanes write after it, the high ones wait for that
			"setp.lt.u32 %p1, %r0, 16; @%p1 bra LOW;",
			"SPIN: ld.volatile.shared.u32 %r2, [%r5]; setp.eq.u32 %p1, %r2, 0; @%p1 bra SPIN; bra END;",
			"LOW: bar.warp.sync 0xffff; mov.u32 %r2, 5; st.volatile.shared.u32 [%r5], %r2; END:"),
			32, func(i int) uint32 { return 5 }},

		{"count", "setp.lt.u32 %p1, %r0, 50; bar.red.popc.u32 %r2, 0, %p1;", 128, func(i int) uint32 { return 50 }},
		{"count of some", "setp.lt.u32 %p2, %r0, 64; setp.lt.u32 %p1, %r0, 50; @%p2 barrier.cta.red.popc.aligned.u32 %r2, 1, 64, !%p1;", 128,
			func(i int) uint32 { return pick[uint32](i < 64, 14, 0) }},
		{"and", "setp.lt.u32 %p1, %r0, 127; bar.red.and.pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2;", 128, func(i int) uint32 { return 0 }},
		{"and of all", "setp.lt.u32 %p1, %r0, 128; bar.red.and.pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2;", 128, func(i int) uint32 { return 1 }},
		{"or", "setp.eq.u32 %p1, %r0, 127; bar.red.or.pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2;", 128, func(i int) uint32 { return 1 }},
		{"or of none", "bar.red.or.pred %p2, 0, 0; selp.u32 %r2, 1, 0, %p2;", 128, func(i int) uint32 { return 0 }},

		{"cluster", lines(atShared,
			"st.shared.u32 [%r4], %r1; barrier.cluster.arrive.release.aligned; mov.u32 %r2, 0; barrier.cluster.wait.acquire.aligned;",
			"xor.b32 %r6, %r0, 127; shl.b32 %r6, %r6, 2; add.u32 %r6, %r5, %r6; ld.shared.u32 %r2, [%r6];",
			"barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"),
			128, func(i int) uint32 { return uint32(i ^ 127) }},
		{"cluster, some have ended", lines("barrier.cluster.arrive; setp.ge.u32 %p1, %r0, 40; @%p1 ret; barrier.cluster.wait; barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r2, 1;"),
			128, func(i int) uint32 { return pick[uint32](i < 40, 1, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, worst := range []bool{false, true} {
				out, err := small{threads: c.threads, config: Config{Worst: worst, Seed: 3}}.run(t, "mov.u32 %r2, 0;\n"+c.body+putR2)
				require.NoError(t, err)
				for i, v := range out {
					require.Equal(t, c.want(i), v, "thread %d, worst %v", i, worst)
				}
			}
		})
	}
}

func TestBarriersThatFail(t *testing.T) {
	for _, c := range []struct {
		name, body, want string
		kind             FaultKind
	}{
		{"others never come", "setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 1; ret;", "", 0}, // the others end
		{"too few", "setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 1, 64; ret;",
			"deadlock: 32 threads (0-31) wait at barrier 1, PTX line 22 (bar.sync); 96 (32-127) have ended; block (0,0,0), thread (0,0,0), PTX line 22 (bar.sync)", Deadlock},
		{"two barriers", lines("setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 1;", "bar.sync 2;"),
			"deadlock: 32 threads (0-31) wait at barrier 1, PTX line 22 (bar.sync); 96 (32-127) wait at barrier 2, PTX line 23 (bar.sync); block (0,0,0), thread (0,0,0), PTX line 22 (bar.sync)", Deadlock},
		{"a number out of range", "add.u32 %r2, %r0, 10; mov.u32 %r3, 128; barrier.sync %r2, %r3;",
			"barrier 16: there are 0 to 15; block (0,0,0), thread (6,0,0), PTX line 22 (barrier.sync)", Undefined},
		{"a count that is none", "mov.u32 %r3, 33; barrier.sync 1, %r3;",
			"barrier 1 for 33 threads: that is no multiple of 32; block (0,0,0), thread (0,0,0), PTX line 22 (barrier.sync)", Undefined},
		{"counts that differ", "setp.lt.u32 %p1, %r0, 32; selp.u32 %r3, 64, 96, %p1; bar.sync 1, %r3;",
			"barrier 1 is for 96 threads, and others wait there for 64 threads; block (0,0,0), thread (32,0,0), PTX line 22 (bar.sync)", Undefined},
		{"too many", "setp.lt.u32 %p1, %r0, 20; mov.u32 %r3, %r0; and.b32 %r3, %r3, 31; setp.lt.u32 %p2, %r3, 20; @%p2 bra L; barrier.sync 2; ret; L: barrier.sync 1, 32;",
			"barrier 1 is for 32 threads, and 40 have come; block (0,0,0), thread (32,0,0), PTX line 22 (barrier.sync)", Undefined},
		{"a wait without arriving", "barrier.cluster.wait;",
			"the thread waits and has not arrived; block (0,0,0), thread (0,0,0), PTX line 22 (barrier.cluster.wait)", Undefined},
		{"arriving twice", "barrier.cluster.arrive; barrier.cluster.arrive;",
			"the thread has arrived and not waited yet; block (0,0,0), thread (0,0,0), PTX line 22 (barrier.cluster.arrive)", Undefined},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := small{threads: 128}.run(t, c.body)
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "k: "+c.want)
			assert.Equal(t, c.kind, err.(*Fault).Kind)
		})
	}
}

func TestBarriersRefused(t *testing.T) {
	for body, want := range map[string]string{
		"bar.sync 16;":      "PTX line 22: bar.sync: barrier 16: there are 0 to 15",
		"bar.sync 1, 33;":   "PTX line 22: bar.sync: a barrier for 33 threads: that is no multiple of 32",
		"bar.arrive 1;":     "unsupported instruction bar.arrive (PTX line 22)",
		"bar.red.u32 1, 2;": "unsupported instruction bar.red.u32 (PTX line 22)",
		"mapa.u32 %r2;":     "unsupported instruction mapa.u32 (PTX line 22)",
	} {
		assert.EqualError(t, loadSmall(t, body), want)
	}
}

// TestClusters: a kernel of a cluster of several blocks runs if it can't tell.
func TestClusters(t *testing.T) {
	for body, refused := range map[string]bool{
		"mov.u32 %r2, %ctaid.x; fence.mbarrier_init.release.cluster;": false,
		"mov.u32 %r2, %cluster_ctarank;":                              true,
		"mov.u32 %r2, %clusterid.x;":                                  true,
		"barrier.cluster.arrive;":                                     true,
		"mov.u32 %r2, shared; mapa.shared::cluster.u32 %r2, %r2, 1;":  true,
		"mov.u32 %r2, shared; ld.shared::cluster.u32 %r3, [%r2];":     true,
	} {
		text := smallText(body)
		for _, size := range []string{"", ".reqnctapercluster 1, 1, 1", ".reqnctapercluster 2, 1, 1"} {
			m, err := ptx.Parse(strings.Replace(text, ")\n{", ")\n"+size+"\n{", 1))
			require.NoError(t, err)
			_, err = Load(m, LoadConfig{Arch: 90, Memory: NewMemory(1 << 20)})
			if refused && strings.Contains(size, "2") {
				require.ErrorContains(t, err, "in a module with clusters of several blocks")
			} else {
				require.NoError(t, err, body)
			}
		}
	}
}
