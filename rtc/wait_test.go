package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

// TestOldDrivers has drivers that want a current context for every call, or
// answer so now and then: B54, goroutines on wandering threads.
func TestOldDrivers(t *testing.T) {
	for _, v := range []string{"8.0", "10.2", "12.4"} {
		t.Run(v, func(t *testing.T) {
			r := newRig(t, drivertest.Config{Version: version(v), NeedsContext: true, Devices: []drivertest.Device{{Major: 5}}})
			// PTX that the oldest takes.
			mod, err := rtc.LoadModule([]byte(axpyOld), rtc.ModuleConfig{})
			require.NoError(t, err)
			defer mod.Close()
			axpy := kernel(t, mod, "axpy", axpySignature)
			var wg sync.WaitGroup
			for g := range 64 {
				wg.Go(func() {
					runtime.LockOSThread() // a thread of its own, on which nothing is current
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					assert.NoError(t, r.dev.Scope(func(s *rtc.Scope) error {
						x, err := rtc.Ones[float32](s, 4)
						if err != nil {
							return err
						}
						y, err := rtc.Full(s, float64(g), 4)
						if err != nil {
							return err
						}
						run, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4)
						if err != nil {
							return err
						}
						for range 5 {
							runtime.Gosched()
							if err := errors.Join(
								axpy.Launch(r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4),
								axpy.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, 1, 4),
								run.Enqueue(r.dev.Stream()), run.Launch(), r.dev.Synchronize(ctx),
							); err != nil {
								return err
							}
						}
						out, err := rtc.ToSlice[float64](y)
						if err == nil && out[3] != float64(g) {
							err = fmt.Errorf("%v, not %d", out, g)
						}
						return err
					}))
				})
			}
			wg.Wait()
		})
	}
}

const axpyOld = `.version 4.3
.target sm_50
.address_size 64
.visible .entry axpy(.param .u64 a, .param .u64 b, .param .f32 c, .param .u32 d) { ret; }`

// TestWaiting: contexts end waits, not work, and nobody waits longer than for
// his own.
func TestWaiting(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	one := rtc.Dim(1)
	run, err := none.Prepare(r.dev, one, one, 0)
	require.NoError(t, err)
	x := array(t, r.dev, float32(7))
	require.NoError(t, r.dev.Synchronize(t.Context()))

	boom := errors.New("boom")
	over, cancel := context.WithCancelCause(t.Context())
	cancel(boom)
	before := r.double.Called("cuLaunchKernelEx")
	short := func() (context.Context, func()) { return context.WithTimeout(t.Context(), 5*time.Millisecond) }
	calls := map[string]func(context.Context) error{
		"LaunchContext":   func(ctx context.Context) error { return none.LaunchContext(ctx, r.dev, one, one, 0) },
		"Prepared":        func(ctx context.Context) error { return run.LaunchContext(ctx) },
		"Synchronize":     func(ctx context.Context) error { return r.dev.Stream().Synchronize(ctx) },
		"dev.Synchronize": r.dev.Synchronize,
		"ToSlice":         func(ctx context.Context) error { return second(rtc.ToSliceContext[float32](ctx, x)) },
	}
	for name, call := range calls {
		err := call(over)
		assert.ErrorIs(t, err, context.Canceled, name)
		assert.ErrorIs(t, err, boom, name)
		assert.ErrorContains(t, err, "rtc: ", name)
	}
	assert.Equal(t, before, r.double.Called("cuLaunchKernelEx"), "nothing is launched for a context that has ended")
	for name, call := range calls {
		r.double.Hold()
		if name == "Synchronize" || name == "dev.Synchronize" || name == "ToSlice" {
			require.NoError(t, none.Enqueue(r.dev.Stream(), one, one, 0))
		}
		ctx, stop := short()
		start := time.Now()
		err := call(ctx)
		stop()
		assert.ErrorIs(t, err, context.DeadlineExceeded, name)
		assert.Less(t, time.Since(start), patience)
		r.double.Release()
		long, stop := context.WithTimeout(t.Context(), patience)
		assert.NoError(t, call(long), name)
		stop()
	}
	out, err := rtc.ToSliceContext[float32](over, nil)
	assert.Nil(t, out)
	assert.ErrorContains(t, err, "the array is nil")
}

// One thread waits for all who have a context.
func TestOneThreadWaits(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	require.NoError(t, none.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(1), 0))
	r.double.Hold()
	r.double.Forget()
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { assert.NoError(t, none.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(1), 0)) })
	}
	waitFor(t, func() bool { return r.double.Called("cuLaunchKernelEx") == 50 })
	waitFor(t, func() bool { return r.double.Called("cuEventSynchronize") > 0 })
	time.Sleep(5 * time.Millisecond) // for a second one, if there were any
	assert.Equal(t, 1, r.double.Called("cuEventSynchronize"))
	r.double.Release()
	wg.Wait()
	assert.LessOrEqual(t, r.drv.Counts().Events, 51, "events are used again")
}

// gateIn holds up what s is given after it until something is sent to the channel.
func gateIn(t *testing.T, s *rtc.Stream) chan<- struct{} {
	open := make(chan struct{}, 1)
	// Else the device's Close would wait for it.
	t.Cleanup(func() {
		select {
		case open <- struct{}{}:
		default:
		}
	})
	require.NoError(t, s.Do(nil, nil, func(uintptr) error { return s.Raw().AddHostFunc(func() { <-open }) }))
	return open
}

// TestWaitForEarlier: who waits for what came early is not held up by those who
// wait already for what came later.
func TestWaitForEarlier(t *testing.T) {
	dev := simulated(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	gate := func() chan<- struct{} { return gateIn(t, s) }
	record := func() *rtc.Event {
		e, err := s.Record()
		require.NoError(t, err)
		return e
	}
	over := record()
	first := gate()
	early := record()
	second := gate()
	late := record()

	ends := map[*rtc.Event]chan error{}
	wait := func(e *rtc.Event) {
		done := make(chan error, 1)
		ends[e] = done
		go func() { done <- e.Synchronize(ctx) }()
	}
	wait(late)
	time.Sleep(5 * time.Millisecond) // so that it is being waited for
	require.NoError(t, over.Synchronize(ctx))
	wait(early)
	first <- struct{}{}
	require.NoError(t, <-ends[early])
	happened, err := late.Happened()
	require.NoError(t, err)
	require.False(t, happened)
	second <- struct{}{}
	require.NoError(t, <-ends[late])
}

// TestWaitIsKept: who waits for a piece of work is told when it is over, though
// the stream has used its events again for what came later.
func TestWaitIsKept(t *testing.T) {
	dev := simulated(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	x, err := rtc.Ones[float32](dev, 4)
	require.NoError(t, err)
	y, err := rtc.Zeros[float32](dev, 4)
	require.NoError(t, err)
	h, err := rtc.NewHostBuffer[float32](dev, 4)
	require.NoError(t, err)

	last := gateIn(t, other)
	busy := make(chan error, 1)
	go func() { busy <- other.Synchronize(ctx) }() // has the thread that waits
	var events int
	for round := range 4 {
		first := gateIn(t, s)
		require.NoError(t, s.Copy(h, x))
		second := gateIn(t, s)
		time.Sleep(5 * time.Millisecond)
		done := make(chan error, 3)
		for range cap(done) {
			go func() { done <- h.Wait(ctx) }()
		}
		time.Sleep(5 * time.Millisecond) // so that they wait for the event that comes next
		for range 2 * ringLength {
			require.NoError(t, s.Copy(y, x))
		}
		first <- struct{}{}
		for range cap(done) {
			require.NoError(t, <-done)
		}
		require.Equal(t, []float32{1, 1, 1, 1}, h.Slice())
		second <- struct{}{}
		require.NoError(t, s.Synchronize(ctx))
		if now := dev.Driver().Counts().Events; round == 0 {
			events = now
		} else {
			require.LessOrEqual(t, now, events+1, "what was waited for is used again")
		}
	}
	last <- struct{}{}
	require.NoError(t, <-busy)
}
