package dl

import (
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newThread(t *testing.T) *Thread {
	t.Helper()
	th, err := NewThread(256 << 20)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, th.Close()) })
	return th
}

func TestThreadRunsGo(t *testing.T) {
	th := newThread(t)
	// What a job may do: allocate, collect, start goroutines and wait for them, sleep, use other threads.
	other := newThread(t)
	var sum atomic.Int64
	for i := range 100 {
		require.NoError(t, th.Do(func() {
			var wg sync.WaitGroup
			for range 4 {
				wg.Go(func() { sum.Add(int64(len(make([]byte, i+1)))) })
			}
			if i%10 == 0 {
				runtime.GC()
				time.Sleep(time.Millisecond)
				assert.NoError(t, other.Do(func() { deep(1000) }))
			}
			wg.Wait()
			deep(1000)
		}))
	}
	assert.EqualValues(t, 4*5050, sum.Load())
}

// deep makes the goroutine's stack grow and move.
func deep(n int) int {
	var pad [128]byte
	pad[n%128] = 1
	if n == 0 {
		return int(pad[0])
	}
	return deep(n-1) + int(pad[n%128])
}

func TestThreadServesOneAtATime(t *testing.T) {
	th := newThread(t)
	var running, most, done int
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			assert.NoError(t, th.Do(func() { // no lock: the race detector sees it if two run at once
				running++
				most = max(most, running)
				runtime.Gosched()
				running--
				done++
			}))
		})
	}
	wg.Wait()
	assert.Equal(t, 1, most)
	assert.Equal(t, 50, done)
}

func TestThreadPanic(t *testing.T) {
	th := newThread(t)
	for name, value := range map[string]any{"string": "broken", "error": io.ErrUnexpectedEOF} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p, ok := recover().(*ThreadPanic)
				require.True(t, ok, "Do did not panic with a *ThreadPanic")
				assert.Equal(t, value, p.Value)
				assert.Contains(t, p.Error(), "TestThreadPanic", "the stack is the job's")
				err, isError := value.(error)
				assert.Equal(t, isError, err != nil && errors.Is(p, err))
			}()
			_ = th.Do(func() { panic(value) })
		})
	}
	ran := false
	require.NoError(t, th.Do(func() { ran = true }))
	assert.True(t, ran, "the thread goes on after a panic")
}

func TestThreadClose(t *testing.T) {
	var none *Thread
	require.NoError(t, none.Close())

	th := newThread(t)
	require.NoError(t, th.Do(func() { assert.NoError(t, th.Close(), "from its own job") }))
	require.NoError(t, th.Close())
	assert.ErrorIs(t, th.Do(func() { t.Error("ran after Close") }), ErrClosed)

	_, err := NewThread(0)
	assert.ErrorContains(t, err, "dl: new thread: a stack of 0 bytes")
}

// A Do beside a Close either runs its function and says nil or gives ErrClosed; none hangs.
func TestThreadCloseRace(t *testing.T) {
	for range 50 {
		th := newThread(t)
		var ran, nils atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					if err := th.Do(func() { ran.Add(1) }); err == nil {
						nils.Add(1)
					} else {
						assert.ErrorIs(t, err, ErrClosed)
					}
				}
			})
		}
		wg.Go(func() { _ = th.Close() })
		wg.Wait()
		assert.Equal(t, ran.Load(), nils.Load())
	}
}

// A goroutine that ends while it is locked takes its own thread along, and must not harm ours.
func TestThreadCallerEndsLocked(t *testing.T) {
	th := newThread(t)
	for range 100 {
		done := make(chan error, 1)
		go func() {
			runtime.LockOSThread()
			var err error
			defer func() { done <- err }()
			err = th.Do(func() { deep(10) })
		}()
		require.NoError(t, <-done)
	}
}
