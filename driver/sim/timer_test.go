package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// timers writes %globaltimer to its thread's place; with a second argument it first waits so many nanoseconds.
const timers = `.version 7.0
.target sm_70
.address_size 64
.visible .entry read(.param .u64 pp, .param .u64 pn)
{
	.reg .b64 %rd<8>;
	.reg .b32 %r<5>;
	.reg .pred %p;
	ld.param.u64 %rd1, [pp];
	ld.param.u64 %rd2, [pn];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	mul.wide.u32 %rd3, %r4, 8;
	add.u64 %rd1, %rd1, %rd3;
	mov.u64 %rd4, %globaltimer;
AGAIN:
	mov.u64 %rd5, %globaltimer;
	sub.u64 %rd6, %rd5, %rd4;
	setp.lt.u64 %p, %rd6, %rd2;
	@%p bra AGAIN;
	st.global.u64 [%rd1], %rd5;
	ret;
}
`

// The device's clock never runs backwards: not from launch to launch, nor from block to block, whatever stream they are in; and events agree with it.
func TestGlobalTimer(t *testing.T) {
	r := newRig(t, sim.Config{Workers: 1})
	m := r.load(t, timers)
	f, err := m.Function("read")
	require.NoError(t, err)
	const blocks = 40
	p, wait := r.alloc(t, 8*blocks), uint64(0)
	other := r.stream(t)
	before, after := r.event(t), r.event(t)
	last := uint64(0)
	for i := range 6 {
		s := r.s
		if i%2 == 1 {
			s = other
		}
		wait = 1000 * uint64(i)
		l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(blocks), Block: driver.Dim(1)}, args(ptr(&p), ptr(&wait)))
		require.NoError(t, err)
		require.NoError(t, s.Record(before))
		require.NoError(t, l.Enqueue(s))
		require.NoError(t, s.Record(after))
		require.NoError(t, s.Synchronize())
		for _, now := range read[uint64](t, r.ctx, p, blocks) {
			require.Greater(t, now, last, "launch %d", i)
			last = now
		}
		took, err := after.Elapsed(before)
		require.NoError(t, err)
		require.GreaterOrEqual(t, took, time.Duration(wait)*time.Nanosecond, "the kernel saw that it took as long")
	}
}
