package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// elapsed is the time on the simulated machine that what f enqueues takes.
func (r *rig) elapsed(t testing.TB, f func()) time.Duration {
	t.Helper()
	begin, end := r.event(t), r.event(t)
	defer begin.Close()
	defer end.Close()
	require.NoError(t, r.s.Record(begin))
	f()
	require.NoError(t, r.s.Record(end))
	require.NoError(t, end.Synchronize())
	d, err := end.Elapsed(begin)
	require.NoError(t, err)
	return d
}

// Times are those of the model: the same each time, in proportion to the work, and no matter what the machine does meanwhile.
func TestVirtualTime(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p, q := r.alloc(t, 16<<20), r.alloc(t, 16<<20)
		fill := func(n uint64) func() { return func() { require.NoError(t, r.s.Memset8(p, 0, n)) } }
		small, large := r.elapsed(t, fill(1<<20)), r.elapsed(t, fill(16<<20))
		require.Equal(t, small, r.elapsed(t, fill(1<<20)))
		require.Greater(t, large, 5*small)
		require.InDelta(t, 2*small, r.elapsed(t, func() { fill(1 << 20)(); fill(1 << 20)() }), 2)
		require.Zero(t, r.elapsed(t, func() { time.Sleep(2 * time.Millisecond) }))
		host, err := r.ctx.AllocHost(1<<20, driver.HostConfig{})
		require.NoError(t, err)
		pinned := r.elapsed(t, func() { require.NoError(t, r.s.CopyToHost(host.Bytes(), q)) })
		paged := r.elapsed(t, func() { require.NoError(t, r.s.CopyToHost(make([]byte, 1<<20), q)) })
		require.Greater(t, paged, pinned)

		n, a := uint32(1<<14), float32(1)
		kernel := func(blocks uint32) time.Duration {
			l := r.launch(t, "axpy", driver.LaunchConfig{Grid: driver.Dim(blocks), Block: driver.Dim(128)}, ptr(&p), ptr(&q), ptr(&a), ptr(&n))
			return r.elapsed(t, func() { require.NoError(t, l.Enqueue(r.s)) })
		}
		require.Equal(t, kernel(16), kernel(128), "the device is wide enough for both")
	})
}

// Streams run beside each other in virtual time too, and an event carries its time from one to another.
func TestVirtualTimeOfStreams(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		other := r.stream(t)
		at := map[*driver.Stream]driver.Pointer{r.s: r.alloc(t, 16<<20), other: r.alloc(t, 16<<20)}
		fill := func(s *driver.Stream, n uint64) { require.NoError(t, s.Memset8(at[s], 0, n)) }
		alone := r.elapsed(t, func() { fill(r.s, 16<<20) })
		begin, mid, end := r.event(t), r.event(t), r.event(t)
		require.NoError(t, r.s.Record(begin))
		require.NoError(t, other.Wait(begin))
		fill(r.s, 16<<20)
		fill(other, 16<<20)
		require.NoError(t, other.Record(mid))
		require.NoError(t, r.s.Wait(mid))
		require.NoError(t, r.s.Record(end))
		require.NoError(t, end.Synchronize())
		both, err := end.Elapsed(begin)
		require.NoError(t, err)
		require.Equal(t, alone, both)

		require.NoError(t, r.s.Record(begin))
		require.NoError(t, other.Wait(begin))
		fill(r.s, 16<<20)
		require.NoError(t, r.s.Record(mid))
		require.NoError(t, other.Wait(mid))
		fill(other, 16<<20)
		require.NoError(t, other.Record(end))
		require.NoError(t, end.Synchronize())
		both, err = end.Elapsed(begin)
		require.NoError(t, err)
		require.InDelta(t, 2*alone, both, 2)

		// What the program has waited for is over when it enqueues the next thing, whatever the stream.
		late := r.stream(t)
		require.NoError(t, late.Record(begin))
		require.NoError(t, begin.Synchronize())
		past, err := begin.Elapsed(end)
		require.NoError(t, err)
		require.GreaterOrEqual(t, past, time.Duration(0))
	})
}

func TestEventErrors(t *testing.T) {
	r := newRig(t, sim.Config{Scheduler: sim.Worst})
	a, b := r.event(t), r.event(t)
	over, err := a.Query()
	require.NoError(t, err)
	require.True(t, over, "one that was never recorded has happened")
	require.NoError(t, a.Synchronize())
	require.NoError(t, r.s.Wait(a))
	_, err = b.Elapsed(a)
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.NoError(t, r.s.Record(a))
	require.NoError(t, r.s.Record(b))
	_, err = b.Elapsed(a)
	require.ErrorIs(t, err, driver.NotReady)
	require.NoError(t, b.Synchronize())
	_, err = b.Elapsed(a)
	require.NoError(t, err)

	r.current(t, func() {
		out := new(uintptr)
		require.Equal(t, driver.InvalidValue, r.create(t, "cuEventCreate", out, 8))
		require.Equal(t, driver.InvalidValue, r.create(t, "cuEventCreate", out, 4), "for other processes, but timed")
		require.Equal(t, driver.InvalidValue, r.create(t, "cuStreamCreate", out, 2))
		require.Equal(t, driver.Success, r.create(t, "cuEventCreate", out, 2))
		untimed := *out
		require.Equal(t, driver.Success, r.raw(t, "cuEventDestroy_v2", untimed))
		for _, call := range []string{"cuEventDestroy_v2", "cuEventSynchronize", "cuEventQuery"} {
			require.Equal(t, driver.InvalidHandle, r.raw(t, call, untimed), call)
		}
		for _, call := range []string{"cuStreamDestroy_v2", "cuStreamSynchronize", "cuStreamQuery"} {
			require.Equal(t, driver.InvalidHandle, r.raw(t, call, 0x77), call)
		}
	})
	r.current(t, func() {
		require.Equal(t, driver.Success, r.raw(t, "cuCtxSetCurrent", 0))
		require.Equal(t, driver.InvalidContext, r.raw(t, "cuStreamQuery", 0), "the null stream wants a context")
	})
}

// TestEventsOfTwoDevices: a stream waits for an event of another device, but they have no time in common.
func TestEventsOfTwoDevices(t *testing.T) {
	r := newRig(t, sim.Config{Scheduler: sim.Worst, Devices: make([]sim.Device, 2)})
	second := r.primary(t, 1)
	defer second.Close()
	s, err := second.NewStream(driver.StreamConfig{})
	require.NoError(t, err)
	begin := r.event(t)
	end, err := second.NewEvent(driver.EventConfig{Timing: true})
	require.NoError(t, err)
	require.NoError(t, r.s.Record(begin))
	require.NoError(t, s.Wait(begin))
	require.NoError(t, s.Record(end))
	require.NoError(t, end.Synchronize())
	happened, err := begin.Query()
	require.NoError(t, err)
	require.True(t, happened)
	_, err = end.Elapsed(begin)
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.ErrorContains(t, err, "one is of device 0 (", "the reason names both")
	require.ErrorContains(t, err, "), the other of device 1 (")
	r.current(t, func() {
		require.Equal(t, driver.InvalidHandle, r.create(t, "cuEventElapsedTime", new(uintptr), begin.Handle(), end.Handle()))
	})
}
