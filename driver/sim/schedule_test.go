package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// each runs a test with every scheduler.
func each(t *testing.T, test func(t *testing.T, c sim.Config)) {
	for name, c := range map[string]sim.Config{
		"in order": {}, "one worker": {Workers: 1}, "worst": {Scheduler: sim.Worst}, "worst with another seed": {Scheduler: sim.Worst, Seed: 42},
	} {
		t.Run(name, func(t *testing.T) { test(t, c) })
	}
}

// digits puts kernels into a stream that write a number digit by digit.
func (r *rig) digits(t testing.TB, s *driver.Stream, p driver.Pointer, digits ...uint32) {
	t.Helper()
	for _, v := range digits {
		require.NoError(t, r.launch(t, "digit", driver.LaunchConfig{}, ptr(&p), ptr(&v)).Enqueue(s))
	}
}

// Operations of one stream run in their order, whatever they are.
func TestStreamOrder(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p, q := r.alloc(t, 4), r.alloc(t, 4)
		host, err := r.ctx.AllocHost(4, driver.HostConfig{})
		require.NoError(t, err)
		var called []int
		require.NoError(t, r.s.Memset32(p, 0, 1))
		r.digits(t, r.s, p, 1, 2, 3)
		require.NoError(t, r.s.AddHostFunc(func() { called = append(called, 1) }))
		require.NoError(t, r.s.CopyDevice(q, p, 4))
		r.digits(t, r.s, p, 4)
		r.digits(t, r.s, q, 5)
		require.NoError(t, r.s.CopyToHost(host.Bytes(), q))
		require.NoError(t, r.s.AddHostFunc(func() { called = append(called, int(host.Bytes()[0])+int(host.Bytes()[1])<<8) }))
		require.NoError(t, r.s.Synchronize())
		require.Equal(t, uint32(1234), read[uint32](t, r.ctx, p, 1)[0])
		require.Equal(t, []int{1, 1235}, called)
	})
}

// Events order streams: a chain of kernels that goes from one stream to the next and back.
func TestEventsOrderStreams(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		p := r.alloc(t, 4)
		for range 20 {
			streams := []*driver.Stream{r.s, r.stream(t), r.stream(t)}
			require.NoError(t, r.s.Memset32(p, 0, 1))
			e := r.event(t)
			for i := range uint32(9) {
				s := streams[i%3]
				if i > 0 {
					require.NoError(t, s.Wait(e))
				} else {
					require.NoError(t, r.s.Record(e))
					require.NoError(t, s.Wait(e))
				}
				r.digits(t, s, p, i+1)
				require.NoError(t, s.Record(e)) // the same event again: who waits has the record before
			}
			require.NoError(t, e.Synchronize())
			require.Equal(t, uint32(123456789), read[uint32](t, r.ctx, p, 1)[0])
			for _, s := range streams[1:] {
				require.NoError(t, s.Close())
			}
		}
	})
}

// A wait is for the event as it was recorded then, not as it is recorded later.
func TestWaitIsForTheRecordThen(t *testing.T) {
	if raceDetector {
		t.Skip("its kernels race, which Go's detector sees")
	}
	r := newRig(t, sim.Config{})
	flag, p, one, two := r.alloc(t, 4), r.alloc(t, 4), uint32(1), uint32(2)
	set(t, r.ctx, flag, uint32(0))
	other, e := r.stream(t), r.event(t)
	require.NoError(t, r.s.Record(e))
	require.NoError(t, other.Wait(e))
	require.NoError(t, r.launch(t, "await", driver.LaunchConfig{}, ptr(&flag), ptr(&one)).Enqueue(r.s))
	require.NoError(t, r.s.Record(e))
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&two)).Enqueue(other))
	require.NoError(t, other.Synchronize()) // though r.s still waits
	over, err := e.Query()
	require.NoError(t, err)
	require.False(t, over)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&flag), ptr(&one)).Enqueue(other))
	require.NoError(t, e.Synchronize())
	require.Equal(t, two, read[uint32](t, r.ctx, p, 1)[0])
}

// Kernels in two streams run beside each other: one waits for what the other does, or for the host.
func TestStreamsRunBesideEachOther(t *testing.T) {
	if raceDetector {
		t.Skip("its kernels race, which Go's detector sees")
	}
	r := newRig(t, sim.Config{})
	other, one, two := r.stream(t), uint32(1), uint32(2)
	m, err := r.ctx.AllocHost(4, driver.HostConfig{Mapped: true})
	require.NoError(t, err)
	p, err := m.Pointer()
	require.NoError(t, err)
	require.NoError(t, r.launch(t, "await", driver.LaunchConfig{}, ptr(&p), ptr(&two)).Enqueue(other))
	require.NoError(t, r.launch(t, "await", driver.LaunchConfig{}, ptr(&p), ptr(&one)).Enqueue(r.s))
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&two)).Enqueue(r.s))
	for _, s := range []*driver.Stream{other, r.s} {
		over, err := s.Query()
		require.NoError(t, err)
		require.False(t, over)
	}
	third := r.stream(t)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&one)).Enqueue(third)) // opens the way
	require.NoError(t, other.Synchronize())
	require.NoError(t, r.s.Synchronize())
}

// With one worker operations run in the order in which they were enqueued, whatever the streams.
func TestOneWorker(t *testing.T) {
	for range 10 {
		r := newRig(t, sim.Config{Workers: 1})
		p := r.alloc(t, 4)
		set(t, r.ctx, p, uint32(0))
		streams := []*driver.Stream{r.s, r.stream(t), r.stream(t)}
		for i := range uint32(9) {
			r.digits(t, streams[i*i%3], p, i+1)
		}
		require.NoError(t, r.ctx.Synchronize())
		require.Equal(t, uint32(123456789), read[uint32](t, r.ctx, p, 1)[0])
	}
}

// order runs four kernels in four streams that nothing orders, and says in what order they ran.
func order(t *testing.T, c sim.Config) string {
	r := newRig(t, c)
	p := r.alloc(t, 4)
	set(t, r.ctx, p, uint32(0))
	for i := range uint32(4) {
		r.digits(t, r.stream(t), p, i+1)
	}
	require.NoError(t, r.ctx.Synchronize())
	return fmt.Sprint(read[uint32](t, r.ctx, p, 1)[0])
}

// Worst orders what the program does not, by its seed.
func TestWorstOrders(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(40) {
		c := sim.Config{Scheduler: sim.Worst, Seed: seed}
		first := order(t, c)
		require.Equal(t, first, order(t, c), "seed %d", seed)
		digits := strings.Split(first, "")
		slices.Sort(digits)
		require.Equal(t, "1234", strings.Join(digits, ""))
		seen[first] = true
	}
	require.Greater(t, len(seen), 10)
}

// Worst runs nothing before it must, and then no more than it must.
func TestWorstDelays(t *testing.T) {
	r := newRig(t, sim.Config{Scheduler: sim.Worst})
	a, b, c := r.stream(t), r.stream(t), r.stream(t)
	var mu sync.Mutex
	var ran []string
	note := func(s *driver.Stream, what string) {
		require.NoError(t, s.AddHostFunc(func() {
			mu.Lock()
			ran = append(ran, what)
			mu.Unlock()
		}))
	}
	e := r.event(t)
	note(a, "a1")
	require.NoError(t, a.Record(e))
	note(a, "a2")
	note(b, "b1")
	require.NoError(t, c.Wait(e))
	note(c, "c1")
	over, err := e.Query()
	require.NoError(t, err)
	require.False(t, over)
	require.Empty(t, ran)
	require.NoError(t, c.Synchronize())
	require.Equal(t, []string{"a1", "c1"}, ran)
	for i := 0; ; i++ { // polling comes to an end
		require.Less(t, i, 10)
		if over, err = a.Query(); over || err != nil {
			break
		}
	}
	require.NoError(t, err)
	require.Equal(t, []string{"a1", "c1", "a2"}, ran)
	p := r.alloc(t, 4)
	require.NoError(t, r.ctx.Free(p)) // waits for the device
	require.Equal(t, []string{"a1", "c1", "a2", "b1"}, ran)

	note(b, "b2")
	require.Eventually(t, func() bool { // a program may wait for it in its own way
		mu.Lock()
		defer mu.Unlock()
		return len(ran) == 5
	}, 5*time.Second, time.Millisecond)
}

// Worst lets a copy from pinned memory read late and one from other memory early, as a GPU may.
func TestWorstCopies(t *testing.T) {
	r := newRig(t, sim.Config{Scheduler: sim.Worst})
	p, q := r.alloc(t, 4), r.alloc(t, 4)
	pinned, err := r.ctx.AllocHost(4, driver.HostConfig{})
	require.NoError(t, err)
	plain := []byte{1, 0, 0, 0}
	copy(pinned.Bytes(), plain)
	require.NoError(t, r.s.CopyToDevice(p, plain))
	require.NoError(t, r.s.CopyToDevice(q, pinned.Bytes()))
	plain[0], pinned.Bytes()[0] = 2, 2
	out := make([]byte, 4)
	require.NoError(t, r.s.CopyToHost(out, p)) // is there when it returns
	require.Equal(t, byte(1), out[0])
	require.NoError(t, r.s.CopyToHost(out, q))
	require.Equal(t, byte(2), out[0])
}

// The legacy null stream waits for the blocking streams of its context, and they for it; others have nothing to do with it.
func TestNullStream(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		blocking, err := r.ctx.NewStream(driver.StreamConfig{Blocking: true})
		require.NoError(t, err)
		p := r.alloc(t, 8)
		set(t, r.ctx, p, uint32(0), 0)
		r.launch(t, "bounded", driver.LaunchConfig{}) // loads the module
		handle := sim.FunctionHandle(r.sim, "digit")
		digit := func(stream uintptr, v uint32) {
			r.current(t, func() {
				value, at := new(uint32), new(driver.Pointer)
				*value, *at = v, p
				params := []unsafe.Pointer{ptr(at), ptr(value)}
				require.Equal(t, driver.Success, r.raw(t, "cuLaunchKernel", handle, 1, 1, 1, 1, 1, 1, 0, stream, uintptr(unsafe.Pointer(&params[0])), 0))
			})
		}
		const legacy, perThread = 1, 2
		r.digits(t, blocking, p, 1)
		digit(0, 2)
		r.digits(t, blocking, p, 3)
		digit(legacy, 4)
		digit(perThread, 5)
		digit(0, 6)
		r.current(t, func() { require.Equal(t, driver.Success, r.raw(t, "cuStreamSynchronize", 0)) })
		require.Equal(t, uint32(123456), read[uint32](t, r.ctx, p, 1)[0])
		require.NoError(t, blocking.Synchronize())
	})
}

// Many goroutines on many streams: all that is enqueued runs, and nothing is left.
func TestHammerStreams(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		one := r.alloc(t, 4)
		set(t, r.ctx, one, uint32(0))
		r.launch(t, "bounded", driver.LaunchConfig{})
		var all sync.WaitGroup
		for g := range uint32(16) {
			all.Go(func() {
				s, p, e := r.stream(t), r.alloc(t, 4), r.event(t)
				for range 20 {
					_ = s.Memset32(p, g, 1)
					v := uint32(7)
					l := r.launch(t, "digit", driver.LaunchConfig{}, ptr(&p), ptr(&v))
					_ = l.Enqueue(s)
					_ = s.Record(e)
					q, _ := s.AllocAsync(64)
					_ = s.CopyDevice(q, p, 4)
					_ = s.FreeAsync(q)
					_ = r.s.Wait(e)
					out := make([]uint32, 1)
					_ = s.CopyToHost(bytesOf(out), p)
					if out[0] != 10*g+7 {
						t.Errorf("goroutine %d: %d", g, out[0])
					}
				}
				_ = s.Close()
				_ = r.ctx.Free(p)
			})
		}
		all.Wait()
		require.NoError(t, r.ctx.Synchronize())
		require.Eventually(t, func() bool { return sim.Goroutines(r.sim) == 0 }, 5*time.Second, time.Millisecond)
	})
}
