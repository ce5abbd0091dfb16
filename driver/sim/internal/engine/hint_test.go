package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHints(t *testing.T) {
	out, err := small{}.run(t, lines(
		"membar.gl; membar.cta; membar.sys; fence.sc.gpu; fence.acq_rel.cta; fence.proxy.async; fence.mbarrier_init.release.cluster;",
		"prefetch.global.L2 [%rd0]; prefetch.L1 [%rd0+4]; prefetchu.L1 [%rd0]; prefetch.global.L2::evict_last [%rd0];",
		"discard.global.L2 [%rd0], 128; applypriority.global.L2::evict_normal [%rd0], 128;",
		"createpolicy.fractional.L2::evict_last.b64 %rd5, 1.0;",
		"ld.global.L2::cache_hint.u32 %r3, [%rd0], %rd5;",
		"griddepcontrol.wait; griddepcontrol.launch_dependents; pmevent 7; setmaxnreg.inc.sync.aligned.u32 64;",
		"cvt.u32.u64 %r2, %rd5; add.u32 %r2, %r2, %r3;")+putR2)
	require.NoError(t, err)
	for i, v := range out {
		require.EqualValues(t, i, v)
	}
	for _, body := range []string{"fence.other;", "prefetch.shared.L1 [%rd0];", "createpolicy.new.b64 %rd5;", "isspacep.reg %p1, %rd0;", "nanosleep.u64 %rd0;"} {
		var u *UnsupportedError
		require.ErrorAs(t, loadSmall(t, body), &u, body)
	}
}

func TestIsspacep(t *testing.T) {
	body := lines(
		"mov.u64 %rd5, shared; cvta.shared.u64 %rd5, %rd5; mov.u64 %rd6, local; cvta.local.u64 %rd6, %rd6; mov.u64 %rd7, constant; cvta.const.u64 %rd7, %rd7;",
		"setp.eq.u32 %p1, %r0, 1; setp.eq.u32 %p2, %r0, 2; setp.eq.u32 %p3, %r0, 3; mov.u64 %rd8, %rd0;",
		"selp.u64 %rd8, %rd5, %rd8, %p1; selp.u64 %rd8, %rd6, %rd8, %p2; selp.u64 %rd8, %rd7, %rd8, %p3;",
		"isspacep.global %p4, %rd8; isspacep.shared %p5, %rd8; isspacep.local %p6, %rd8; isspacep.const %p7, %rd8;",
		"selp.u32 %r2, 1, 0, %p4; selp.u32 %r3, 2, 0, %p5; or.b32 %r2, %r2, %r3; selp.u32 %r3, 4, 0, %p6; or.b32 %r2, %r2, %r3; selp.u32 %r3, 8, 0, %p7; or.b32 %r2, %r2, %r3;")
	out, err := small{threads: 4}.run(t, "{ .const .align 8 .b8 constant[16];\n"+body+"}"+putR2)
	require.NoError(t, err)
	assert.Equal(t, []uint32{1, 2, 4, 8}, out)
}

// TestNanosleep has lanes, and blocks, that wait for each other.
func TestNanosleep(t *testing.T) {
	out, err := small{}.run(t, lines(atShared,
		"setp.eq.u32 %p1, %r0, 31; @%p1 bra LAST;",
		"SPIN: ld.volatile.shared.u32 %r2, [%r5]; setp.ne.u32 %p1, %r2, 0; @%p1 bra END; nanosleep.u32 100; bra SPIN;",
		"LAST: mov.u32 %r2, 1; st.volatile.shared.u32 [%r5], %r2; END:")+putR2)
	require.NoError(t, err)
	for i, v := range out {
		require.EqualValues(t, 1, v, i)
	}
	out, err = small{threads: 1}.run(t, "mov.u32 %r3, %globaltimer_lo; nanosleep.u32 5000; mov.u32 %r2, %globaltimer_lo; sub.u32 %r2, %r2, %r3;"+putR2)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, out[0], uint32(5000))
}
