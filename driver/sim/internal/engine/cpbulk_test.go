package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBulkCopies: what has not been waited for has not been copied.
func TestBulkCopies(t *testing.T) {
	fetch := lines(atShared, "add.u32 %r6, %r5, 512; mov.u32 %r7, 128; setp.eq.u32 %p1, %r0, 0; @!%p1 bra READY;",
		"mbarrier.init.shared::cta.b64 [%r6], 1; fence.mbarrier_init.release.cluster;",
		"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r6], %r7;",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%rd2], %r7, [%r6];",
		"READY: bar.sync 0;\n")
	wait := "W: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r6], 0; @!%p2 bra W;\n"
	for _, c := range []struct {
		name, body string
		want       func(i int) uint32
	}{
		{"waited for", fetch + wait + "ld.shared.u32 %r2, [%r4];" + putR2, func(i int) uint32 { return uint32(i) }},
		{"not waited for", fetch + "ld.shared.u32 %r2, [%r4];" + putR2, func(i int) uint32 { return 0 }},
		{"another object", fetch + "mbarrier.test_wait.parity.shared::cta.b64 %p2, [%r6+8], 1; ld.shared.u32 %r2, [%r4];" + putR2, nil},
		{"to global memory", lines(atShared, "st.shared.u32 [%r4], %r1; bar.sync 0; setp.ne.u32 %p1, %r0, 0; @%p1 ret;",
			"cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r5], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;",
			"mov.u32 %r3, 100; st.shared.u32 [%r5+64], %r3; cp.async.bulk.global.shared::cta.bulk_group [%rd3+64], [%r5+64], 64;"), // ends with the thread
			func(i int) uint32 { return pick(i == 16, 100, uint32(i)) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := small{}.run(t, c.body)
			if c.want == nil {
				require.ErrorContains(t, err, "no mbarrier object was initialised")
				return
			}
			require.NoError(t, err)
			for i, v := range out {
				require.Equal(t, c.want(i), v, "thread %d", i)
			}
		})
	}
	_, err := small{}.run(t, atShared+"mov.u32 %r7, 20; cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r5], %r7;")
	require.ErrorContains(t, err, "a copy of 20 bytes: that is no multiple of 16")
	for _, body := range []string{
		"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r6], %r7, [%r8];",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], [%rd2], %r7, [%r6], %h1;",
		"cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd2, {%r1}], [%r5];",
	} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
}
