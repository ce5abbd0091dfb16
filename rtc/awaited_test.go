package rtc_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// lent calls f while a function of Do has x, which it keeps for as long as f runs.
func lent(t *testing.T, x rtc.Copyable, s *rtc.Stream, f func()) {
	t.Helper()
	began, end, over := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		over <- s.Do(nil, []rtc.Copyable{x}, func(uintptr) error {
			close(began)
			<-end
			return nil
		})
	}()
	<-began
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("it waits for the function of Do after its context has ended")
	}
	close(end)
	<-done
	require.NoError(t, <-over)
}

// TestContextEndsBehindDo: who has a context gets it back when that ends, also
// while a function of Do has what he wants to use.
func TestContextEndsBehindDo(t *testing.T) {
	s, err := sim.New(sim.Config{Devices: make([]sim.Device, 2)})
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	devs := make([]*rtc.Device, 2)
	for i := range devs {
		devs[i], err = rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: i})
		require.NoError(t, err)
		defer devs[i].Close()
	}
	dev := devs[0]
	x, err := rtc.Zeros[uint32](dev, 4)
	require.NoError(t, err)
	y, err := rtc.Zeros[uint32](dev, 4)
	require.NoError(t, err)
	far, err := rtc.Zeros[uint32](devs[1], 4)
	require.NoError(t, err)
	mix, err := tangleModule(t).Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	run, err := mix.Prepare(dev, rtc.Dim(1), rtc.Dim(4), 0, y, y, x, uint32(1))
	require.NoError(t, err)
	work, err := rtc.NewWork(dev, nil, []rtc.Copyable{x})
	require.NoError(t, err)
	across, err := rtc.NewWork(dev, []rtc.Copyable{far}, []rtc.Copyable{x})
	require.NoError(t, err)
	calls := map[string]func(context.Context) error{
		"LaunchContext": func(ctx context.Context) error {
			return mix.LaunchContext(ctx, dev, rtc.Dim(1), rtc.Dim(4), 0, y, y, x, uint32(1))
		},
		"Prepared.LaunchContext": run.LaunchContext,
		"CopyContext":            func(ctx context.Context) error { return dev.Stream().CopyContext(ctx, x, y) },
		"CopyContext of a Slice": func(ctx context.Context) error {
			return dev.Stream().CopyContext(ctx, x, rtc.Slice[uint32]{1, 2, 3, 4})
		},
		"CopyContext across": func(ctx context.Context) error { return dev.Stream().CopyContext(ctx, x, far) },
		"ToSliceContext": func(ctx context.Context) error {
			_, err := rtc.ToSliceContext[uint32](ctx, x)
			return err
		},
		"Work.Await":        work.Await,
		"Work.Await across": across.Await,
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			lent(t, x, dev.Stream(), func() {
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
				defer cancel()
				require.ErrorIs(t, call(ctx), context.DeadlineExceeded)
				for _, w := range []*rtc.Work{work, across} {
					given, err := w.TryEnqueue(dev.Stream(), func(*driver.Stream) error { return nil })
					require.NoError(t, err)
					require.False(t, given)
				}
			})
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			require.NoError(t, call(ctx))
		})
	}
}

// TestContextBehindDoGoesOn: who waits behind a function of Do with a context that
// does not end goes on when that has ended.
func TestContextBehindDoGoesOn(t *testing.T) {
	dev := simulated(t)
	x, err := rtc.Zeros[uint32](dev, 4)
	require.NoError(t, err)
	mix, err := tangleModule(t).Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	over := make(chan error, 1)
	lent(t, x, dev.Stream(), func() {
		go func() { over <- mix.LaunchContext(ctx, dev, rtc.Dim(1), rtc.Dim(4), 0, x, x, x, uint32(1)) }()
		select {
		case err := <-over:
			t.Error("it did not wait", err)
		case <-time.After(20 * time.Millisecond):
		}
	})
	require.NoError(t, <-over)
}
