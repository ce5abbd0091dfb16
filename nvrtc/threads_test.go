package nvrtc

import (
	"context"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// goDouble resolves every function to one in Go.
type goDouble struct{}

func (goDouble) Lookup(string) (dl.Func, error) {
	return dl.Func{Go: func([]uintptr) uintptr { return 0 }}, nil
}
func (goDouble) Path() string { return "double" }

func threadsOf(t *testing.T, r dl.Resolver, limit int, onCaller bool) *threads {
	th := newThreads(&api{table: dl.NewTable(r, decls)}, limit, onCaller)
	t.Cleanup(th.close)
	return th
}

// patience is how long tests wait for what a busy machine does late.
const patience = 2 * time.Minute

func TestThreadsLimit(t *testing.T) {
	for _, limit := range []int{1, 3} {
		th := threadsOf(t, goDouble{}, limit, false)
		var running, most, done atomic.Int64
		full := make(chan struct{})
		fill := sync.OnceFunc(func() { close(full) })
		var wg sync.WaitGroup
		for i := range 60 {
			ctx := context.Background()
			if i%2 == 0 {
				var cancel func()
				ctx, cancel = context.WithCancel(ctx)
				defer cancel()
			}
			wg.Go(func() {
				assert.NoError(t, th.do(ctx, func() {
					n := running.Add(1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					assert.LessOrEqual(t, th.busy(), limit)
					if n >= int64(limit) {
						fill()
					}
					select {
					case <-full: // so that as many run at once as may
					case <-time.After(patience):
						t.Errorf("%d at once never ran", limit)
					}
					time.Sleep(time.Millisecond)
					running.Add(-1)
					done.Add(1)
				}))
			})
		}
		wg.Wait()
		assert.EqualValues(t, limit, most.Load())
		assert.EqualValues(t, 60, done.Load())
		assert.Zero(t, th.busy())
	}
	assert.Equal(t, runtime.GOMAXPROCS(0), cap(threadsOf(t, goDouble{}, 0, false).slots))
}

func TestThreadsCancel(t *testing.T) {
	th := threadsOf(t, goDouble{}, 1, false)
	ctx, cancel := context.WithCancel(context.Background())
	release, ended := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	begun := make(chan struct{})
	go func() {
		first <- th.do(ctx, func() { close(begun); <-release; close(ended) })
	}()
	<-begun

	// A job that waits for its turn is given up without having run.
	waiting, giveUp := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer giveUp()
	err := th.do(waiting, func() { t.Error("ran") })
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NotErrorIs(t, err, errAbandoned)

	// One that runs goes on.
	cancel()
	err = <-first
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, errAbandoned)
	assert.Equal(t, 1, th.busy())
	select {
	case <-ended:
		t.Error("it ended by itself")
	default:
	}
	close(release)
	<-ended
	require.Eventually(t, func() bool { return th.busy() == 0 }, patience, time.Millisecond)

	// And the next has its place.
	ran := false
	require.NoError(t, th.do(context.Background(), func() { ran = true }))
	assert.True(t, ran)

	assert.ErrorIs(t, th.do(ctx, func() { t.Error("ran") }), context.Canceled, "ended before it was begun")
}

func TestThreadsPanic(t *testing.T) {
	for name, r := range resolversHere(t) {
		for _, onCaller := range []bool{false, true} {
			for _, ctx := range []context.Context{context.Background(), t.Context()} {
				th := threadsOf(t, r, 1, onCaller)
				func() {
					defer func() {
						err, ok := recover().(error)
						require.True(t, ok, name)
						assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
					}()
					_ = th.do(ctx, func() { panic(io.ErrUnexpectedEOF) })
				}()
				assert.Zero(t, th.busy())
				assert.NoError(t, th.do(ctx, func() {}), "after a panic")
			}
		}
	}
}

func TestThreadsClose(t *testing.T) {
	for name, r := range resolversHere(t) {
		t.Run(name, func(t *testing.T) {
			th := threadsOf(t, r, 1, false)
			begun, release := make(chan struct{}), make(chan struct{})
			busy, waiting := make(chan error), make(chan error)
			go func() { busy <- th.do(context.Background(), func() { close(begun); <-release }) }()
			<-begun
			go func() { waiting <- th.do(context.Background(), func() { t.Error("ran") }) }()
			time.Sleep(5 * time.Millisecond)
			th.close()
			th.close()
			assert.ErrorIs(t, <-waiting, ErrClosed)
			assert.Equal(t, 1, th.busy(), "the busy one ends by itself")
			close(release)
			assert.NoError(t, <-busy)
			assert.ErrorIs(t, th.do(context.Background(), func() { t.Error("ran") }), ErrClosed)
		})
	}
}

// Cancelling beside the end of a job gives one of the two results and loses no place.
func TestThreadsHammer(t *testing.T) {
	for name, r := range resolversHere(t) {
		t.Run(name, func(t *testing.T) {
			th := threadsOf(t, r, 2, false)
			var wg sync.WaitGroup
			for g := range 8 {
				wg.Go(func() {
					for i := range 100 {
						ctx, cancel := context.WithCancel(context.Background())
						var ran atomic.Bool
						time.AfterFunc(time.Duration((g+i)%7)*50*time.Microsecond, cancel)
						err := th.do(ctx, func() { time.Sleep(100 * time.Microsecond); ran.Store(true) })
						switch {
						case err == nil:
							assert.True(t, ran.Load())
						case errors.Is(err, errAbandoned):
							assert.Eventually(t, ran.Load, patience, 100*time.Microsecond)
						default:
							assert.ErrorIs(t, err, context.Canceled)
							assert.False(t, ran.Load())
						}
						cancel()
					}
				})
			}
			wg.Wait()
			require.Eventually(t, func() bool { return th.busy() == 0 && len(th.slots) == 0 }, patience, time.Millisecond)
		})
	}
}
