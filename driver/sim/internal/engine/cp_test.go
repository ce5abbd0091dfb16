package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAsyncCopies: what has not been waited for has not been copied.
func TestAsyncCopies(t *testing.T) {
	load := "ld.shared.u32 %r2, [%r4];"
	for _, c := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"waited for", "cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.commit_group; cp.async.wait_group 0;" + load, func(i int) uint32 { return uint32(i) }},
		{"all", "cp.async.ca.shared::cta.global [%r4], [%rd0], 4; cp.async.wait_all;" + load, func(i int) uint32 { return uint32(i) }},
		{"not waited for", "cp.async.ca.shared.global [%r4], [%rd0], 4;" + load, func(i int) uint32 { return 0 }},
		{"not committed", "cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.wait_group 0;" + load, func(i int) uint32 { return 0 }},
		{"one group of two", lines("cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.commit_group; cp.async.ca.shared.global [%r4+128], [%rd0], 4; cp.async.commit_group;",
			"cp.async.wait_group 1; ld.shared.u32 %r2, [%r4]; ld.shared.u32 %r3, [%r4+128]; mul.lo.u32 %r3, %r3, 1000; add.u32 %r2, %r2, %r3;"), func(i int) uint32 { return uint32(i) }},
		{"both groups of two", lines("cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.commit_group; cp.async.ca.shared.global [%r4+128], [%rd0], 4; cp.async.commit_group;",
			"cp.async.wait_group 0; ld.shared.u32 %r2, [%r4]; ld.shared.u32 %r3, [%r4+128]; mul.lo.u32 %r3, %r3, 1000; add.u32 %r2, %r2, %r3;"), func(i int) uint32 { return uint32(1001 * i) }},
		{"groups of each lane", lines("setp.lt.u32 %p1, %r0, 16; @%p1 cp.async.commit_group;", // the low lanes have one more, an empty one
			"cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.commit_group; @!%p1 cp.async.commit_group; cp.async.wait_group 1;", load),
			func(i int) uint32 { return pick(i < 16, 0, uint32(i)) }},
		{"fewer bytes", "mov.u32 %r3, -1; st.shared.u32 [%r4], %r3; mov.u32 %r3, 1; cp.async.ca.shared.global [%r4], [%rd0], 4, %r3; cp.async.wait_all;" + load, func(i int) uint32 { return uint32(i) }},
		{"no bytes", "mov.u32 %r3, -1; st.shared.u32 [%r4], %r3; mov.u64 %rd5, 0; cp.async.ca.shared.global [%r4], [%rd5], 4, 0; cp.async.wait_all;" + load, func(i int) uint32 { return 0 }},
		{"ignored", "mov.u32 %r3, -1; st.shared.u32 [%r4], %r3; setp.lt.u32 %p1, %r0, 8; cp.async.ca.shared.global [%r4], [%rd0], 4, %p1; cp.async.wait_all;" + load, func(i int) uint32 { return pick(i < 8, 0, uint32(i)) }},
		{"sixteen", "shl.b32 %r4, %r0, 4; add.u32 %r4, %r4, %r5; cp.async.cg.shared.global.L2::128B [%r4], [%rd2], 16, 16; cp.async.wait_all; ld.shared.u32 %r2, [%r4+12];", func(i int) uint32 { return 3 }},
		{"an mbarrier", lines("add.u32 %r6, %r5, 512; setp.ne.u32 %p1, %r0, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r6], 32; READY: bar.warp.sync -1;",
			"cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.mbarrier.arrive.noinc.shared.b64 [%r6];",
			"WAIT: mbarrier.test_wait.parity.shared.b64 %p1, [%r6], 0; @!%p1 bra WAIT;", load), func(i int) uint32 { return uint32(i) }},
		{"an mbarrier and an arrival", lines("add.u32 %r6, %r5, 512; setp.ne.u32 %p1, %r0, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%r6], 32; READY: bar.warp.sync -1;",
			"cp.async.ca.shared.global [%r4], [%rd0], 4; cp.async.mbarrier.arrive.shared.b64 [%r6]; mbarrier.arrive.shared.b64 %rd5, [%r6];",
			"WAIT: mbarrier.test_wait.shared.b64 %p1, [%r6], %rd5; @!%p1 bra WAIT;", load), func(i int) uint32 { return uint32(i) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := small{}.run(t, atShared+c.body+putR2)
			require.NoError(t, err)
			for i, v := range out {
				require.Equal(t, c.want(i), v, "thread %d", i)
			}
		})
	}
	for body, want := range map[string]string{
		"cp.async.cg.shared.global [%r5+4], [%rd2], 16;":                   "is no multiple of 16",
		"cp.async.ca.shared.global [%r5], [%rd0+4096], 4;":                 "bytes past the end of an allocation",
		"mov.u32 %r3, 5; cp.async.ca.shared.global [%r5], [%rd0], 4, %r3;": "5 bytes to read of 4",
	} {
		_, err := small{}.run(t, atShared+body)
		require.ErrorContains(t, err, want)
	}
	require.ErrorContains(t, loadSmall(t, "cp.async.cg.shared.global [%r5], [%rd2], 4;"), "a copy of 4 bytes")
	var u *UnsupportedError
	require.ErrorAs(t, loadSmall(t, "cp.async.bulk.tensor.1d.shared::cluster.global [%r5], [%rd2, {%r1}], [%r6];"), &u)
}
