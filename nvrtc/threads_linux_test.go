//go:build linux && (amd64 || arm64)

package nvrtc

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
)

// cDouble resolves every function to a C one that does nothing.
type cDouble struct{ nothing dl.Func }

func (d cDouble) Lookup(string) (dl.Func, error) { return d.nothing, nil }
func (cDouble) Path() string                     { return "libc" }

func newCDouble(t *testing.T) cDouble {
	libc, err := dl.Open("libc.so.6")
	require.NoError(t, err)
	f, err := libc.Lookup("sched_yield")
	require.NoError(t, err)
	return cDouble{f}
}

func resolversHere(t *testing.T) map[string]dl.Resolver {
	return map[string]dl.Resolver{"Go": goDouble{}, "C": newCDouble(t)}
}

func TestThreadsAreKeptAndEnded(t *testing.T) {
	th := threadsOf(t, newCDouble(t), 4, false)
	ids := map[int]bool{}
	for range 20 {
		require.NoError(t, th.do(context.Background(), func() { ids[syscall.Gettid()] = true }))
	}
	assert.Len(t, ids, 1, "one after the other, they share a thread")
	assert.NotContains(t, ids, syscall.Gettid())
	th.idleTime = 10 * time.Millisecond // not before: a busy machine may take longer from one to the next
	require.NoError(t, th.do(context.Background(), func() { assert.Contains(t, ids, syscall.Gettid()) }))
	require.Eventually(t, func() bool { th.mu.Lock(); defer th.mu.Unlock(); return len(th.idle) == 0 }, patience, time.Millisecond, "idle threads end")
	for id := range ids {
		require.Eventually(t, func() bool {
			_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id))
			return err != nil
		}, patience, 10*time.Millisecond, "the system's thread too")
	}
	require.NoError(t, th.do(context.Background(), func() {}), "and others come")
}

func TestThreadsOnCaller(t *testing.T) {
	th := threadsOf(t, newCDouble(t), 0, true)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		id := 0
		require.NoError(t, th.do(ctx, func() { id = syscall.Gettid(); assert.Equal(t, 1, th.busy()) }))
		assert.Equal(t, syscall.Gettid(), id)
	}
	assert.Equal(t, ShieldRestore, th.shield.kind, "that thread is not to be filtered")
}
