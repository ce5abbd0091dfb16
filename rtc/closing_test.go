package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

// TestCloseOrder: the device closes what is left, newest first, and what was
// closed by itself before not again.
func TestCloseOrder(t *testing.T) {
	r := newRig(t, plain)
	mod := kernels(t)
	a, err := rtc.Zeros[int8](r.dev, 1)
	require.NoError(t, err)
	require.NoError(t, mod.Preload(t.Context(), r.dev))
	b, err := rtc.Zeros[int8](r.dev, 2)
	require.NoError(t, err)
	gone, err := rtc.Zeros[int8](r.dev, 3)
	require.NoError(t, err)
	require.NoError(t, gone.Close())
	pa, _, _ := a.DevicePointer()
	pb, _, _ := b.DevicePointer()
	r.double.Forget()
	require.NoError(t, r.dev.Close())
	var order []string
	for _, c := range r.double.Calls("cuMemFree_v2", "cuModuleUnload", "cuStreamDestroy_v2", "cuDevicePrimaryCtxRelease_v2", "cuDevicePrimaryCtxRelease") {
		name := c.Function
		switch uint64(c.Args[0]) {
		case pa:
			name = "a"
		case pb:
			name = "b"
		}
		order = append(order, name)
	}
	assert.Equal(t, []string{"b", "cuModuleUnload", "a", "cuStreamDestroy_v2"}, order[:4])
	assert.Len(t, order, 5)
	leaks := r.left()
	require.Len(t, leaks, 2)
	for _, l := range leaks {
		assert.Contains(t, l.String(), "was not closed; it was made at")
		assert.Contains(t, l.Made, "rtc_test.TestCloseOrder")
		assert.Contains(t, l.Made, "closing_test.go:")
		assert.False(t, l.Freed)
	}
	assert.ElementsMatch(t, []string{"int8 array [1]", "int8 array [2]"}, []string{leaks[0].What, leaks[1].What})
}

// TestCloseWaits: what closes while work is under way waits for it, and who
// closes it at the same time waits, too.
func TestCloseWaits(t *testing.T) {
	for name, pick := range map[string]func(*rtc.Device, *rtc.Module, *rtc.Array) interface{ Close() error }{
		"array":  func(_ *rtc.Device, _ *rtc.Module, a *rtc.Array) interface{ Close() error } { return a },
		"module": func(_ *rtc.Device, m *rtc.Module, _ *rtc.Array) interface{ Close() error } { return m },
		"device": func(d *rtc.Device, _ *rtc.Module, _ *rtc.Array) interface{ Close() error } { return d },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, plain)
			mod := kernels(t)
			axpy := kernel(t, mod, "axpy", axpySignature)
			x, err := rtc.Zeros[float32](r.dev, 1)
			require.NoError(t, err)
			what := pick(r.dev, mod, x)
			r.double.Hold()
			require.NoError(t, axpy.Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0, x, x, 1, 1))
			var closed atomic.Int32
			var wg sync.WaitGroup
			for range 8 {
				wg.Go(func() {
					assert.NoError(t, what.Close())
					closed.Add(1)
				})
			}
			time.Sleep(20 * time.Millisecond)
			assert.Zero(t, closed.Load(), "closed while the kernel runs")
			assert.Zero(t, r.double.Called("cuMemFree_v2")+r.double.Called("cuModuleUnload"))
			r.double.Release()
			wg.Wait()
			assert.NoError(t, x.Close())
			r.left() // the device was closed with the array open
		})
	}
}

// TestCloseWhileUsed closes arrays, scopes, modules and the device from under
// goroutines that use them: each use works or says that something is closed.
func TestCloseWhileUsed(t *testing.T) {
	for round := range 30 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			r := newRig(t, plain)
			r.double.Quiet(true)
			mod := kernels(t)
			axpy := kernel(t, mod, "axpy", axpySignature)
			a, err := rtc.Ones[float32](r.dev, 64)
			require.NoError(t, err)
			run, err := axpy.Prepare(r.dev, rtc.Dim(1), rtc.Dim(64), 0, a, a, 0, 64)
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			uses := []func() error{
				func() error { return axpy.Launch(r.dev, rtc.Dim(1), rtc.Dim(64), 0, a, a, 0, 64) },
				func() error { return axpy.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(64), 0, a, a, 0, 64) },
				func() error { return axpy.Enqueue(r.dev.Stream(), rtc.Dim(1), rtc.Dim(64), 0, a, a, 0, 64) },
				run.Launch,
				func() error { return run.Enqueue(r.dev.Stream()) },
				func() error { return second(rtc.ToSlice[float32](a)) },
				func() error { return second(rtc.ToSliceContext[float32](ctx, a)) },
				func() error { return rtc.CopyFromSlice(a, make([]float32, 64)) },
				func() error { return r.dev.Synchronize(ctx) },
				func() error {
					return r.dev.Scope(func(s *rtc.Scope) error {
						b, err := rtc.Full(s, 3.5, 10) // eight bytes each: copies and doubles
						if err != nil {
							return err
						}
						return second(rtc.ToSlice[float64](b))
					})
				},
				func() error {
					table, err := mod.Global(r.dev, "table", rtc.Float32, 4)
					if err != nil {
						return err
					}
					return rtc.CopyFromSlice(table, make([]float32, 4))
				},
				func() error {
					other, err := rtc.LoadModule([]byte(kernelsPTX), rtc.ModuleConfig{})
					if err != nil {
						return err
					}
					return errors.Join(other.Preload(ctx, r.dev), other.Close())
				},
				func() error {
					return axpy.With(rtc.LaunchOptions{Priority: -1}).Launch(r.dev, rtc.Dim(1), rtc.Dim(64), 0, a, a, 0, 64)
				},
			}
			var wg sync.WaitGroup
			var done atomic.Int64
			for _, use := range uses {
				wg.Go(func() {
					for {
						err := use()
						done.Add(1)
						if err != nil {
							assert.ErrorIs(t, err, rtc.ErrClosed)
							return
						}
						runtime.Gosched()
					}
				})
			}
			waitFor(t, func() bool { return done.Load() > int64(len(uses)) })
			var closing []func() error
			switch round % 3 {
			case 0:
				closing = []func() error{a.Close, mod.Close, r.dev.Close}
			case 1:
				closing = []func() error{mod.Close, r.dev.Close, a.Close}
			case 2:
				closing = []func() error{r.dev.Close, a.Close, mod.Close}
			}
			for _, c := range closing {
				wg.Go(func() { assert.NoError(t, c()) })
				runtime.Gosched()
			}
			wg.Wait()
			r.left() // the device may have been first
		})
	}
}

// TestAbandonedLaunch: the context of a launch ends, the device is closed, and
// only then the event comes back.
func TestAbandonedLaunch(t *testing.T) {
	r := newRig(t, plain)
	none := kernel(t, kernels(t), "none", "")
	ctx, cancel := context.WithCancel(t.Context())
	r.double.Hold()
	launched := make(chan error)
	go func() { launched <- none.LaunchContext(ctx, r.dev, rtc.Dim(1), rtc.Dim(1), 0) }()
	waitFor(t, func() bool { return r.double.Called("cuEventSynchronize") > 0 })
	cancel()
	assert.ErrorIs(t, <-launched, context.Canceled)
	closed := make(chan error)
	go func() { closed <- r.dev.Close() }()
	time.Sleep(5 * time.Millisecond)
	r.double.Release()
	assert.NoError(t, <-closed)
}
