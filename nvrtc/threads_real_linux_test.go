//go:build linux && (amd64 || arm64)

package nvrtc_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
)

// usage is what a process may leak, in the system's eyes.
type usage struct{ rssKB, files, threads int }

func use(t *testing.T) (u usage) {
	t.Helper()
	debug.FreeOSMemory()
	text, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rss, _ := strings.Cut(string(text), "VmRSS:")
	_, err = fmt.Sscan(rss, &u.rssKB)
	require.NoError(t, err)
	for dir, n := range map[string]*int{"/proc/self/fd": &u.files, "/proc/self/task": &u.threads} {
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		*n = len(entries)
	}
	return u
}

// Compiles, good ones and refused ones, cost nothing that stays.
func TestRealCompilesAreFlat(t *testing.T) {
	everyReal(t, func(t *testing.T, real *nvrtc.Compiler) {
		rounds := 150
		if testing.Short() || !real.Version().AtLeast(12, 0) { // older ones are four times slower
			rounds = 40
		}
		c, err := nvrtc.Open(nvrtc.Config{Path: real.Path()})
		require.NoError(t, err)
		defer c.Close()
		before, warm := use(t), usage{}
		for i := range rounds {
			require.NoError(t, compile(c, fmt.Sprintf("__global__ void k%d(float *x) { *x = %d; }", i, i)))
			if i%3 == 0 {
				require.Error(t, compile(c, fmt.Sprintf("x%d", i)))
			}
			if i == rounds/5 {
				warm = use(t)
			}
		}
		after := use(t)
		t.Logf("before %+v, after %d compiles %+v, after %d %+v", before, rounds/5*4/3, warm, rounds*4/3, after)
		assert.Equal(t, warm.files, after.files)
		assert.Less(t, after.threads, warm.threads+rounds/2, "Go may have made some of its own")
		assert.Less(t, after.rssKB-warm.rssKB, 12<<10, "KiB")
		require.NoError(t, c.Close())
	})
}

// nested is a source of so many parentheses.
func nested(depth int) string {
	return "__global__ void k(int *x) { *x = " + strings.Repeat("(", depth) + "1" + strings.Repeat(")", depth) + "; }"
}

// Any goroutine may compile, also one that is locked, and ends so.
func TestRealFromAnyGoroutine(t *testing.T) {
	everyReal(t, func(t *testing.T, c *nvrtc.Compiler) {
		deep := nested(3000)
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if i%2 == 0 {
					runtime.LockOSThread() // its thread ends with it
				}
				assert.NoError(t, compile(c, deep))
			}()
		}
		wg.Wait()
		require.NoError(t, compile(c, "__global__ void k() {}"))
	})
}

// threadsOf are the numbers of c's first n threads, which must be free.
func threadsOf(c *nvrtc.Compiler, n int) []int {
	ids := make([]int, n)
	var all, done sync.WaitGroup
	all.Add(n)
	for i := range ids {
		done.Go(func() {
			c.OnThread(func() {
				ids[i] = syscall.Gettid()
				all.Done()
				all.Wait() // so that no thread serves two
			})
		})
	}
	done.Wait()
	return ids
}

// What was given up goes on, on a thread that is then free again.
func TestRealAbandonedCompiles(t *testing.T) {
	everyReal(t, func(t *testing.T, real *nvrtc.Compiler) {
		c, err := nvrtc.Open(nvrtc.Config{Path: real.Path(), Threads: 2})
		require.NoError(t, err)
		ids := threadsOf(c, 2)
		for i := range 8 {
			p, err := c.NewProgram(slowSource(30), nvrtc.ProgramConfig{Name: "given-up.cu"})
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Millisecond)
			if err := p.Compile(ctx, "-arch=compute_80"); err != nil {
				assert.ErrorIs(t, err, context.DeadlineExceeded)
			}
			cancel()
			assert.LessOrEqual(t, c.Busy(), 2)
			require.NoError(t, p.Close())
		}
		require.NoError(t, compile(c, "__global__ void k() {}"))
		require.Eventually(t, func() bool { return c.Busy() == 0 }, patience, time.Millisecond)
		ids = append(ids, threadsOf(c, 2)...) // others, where the first were idle for long
		require.NoError(t, c.Close())
		for _, id := range ids {
			require.Eventually(t, func() bool {
				_, err := os.Stat(fmt.Sprintf("/proc/self/task/%d", id))
				return err != nil
			}, patience, 10*time.Millisecond, "its threads end")
		}
		assert.ErrorIs(t, compile(c, ""), nvrtc.ErrClosed)
	})
}
