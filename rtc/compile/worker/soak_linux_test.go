//go:build amd64 || arm64

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestSoakWorkers gives a service over workers hundreds of jobs, or as many as
// PURECUDA_SOAK says, of which some crash their workers, hang until their timeout,
// are cancelled, or are refused: all counts add up, and nothing is left.
func TestSoakWorkers(t *testing.T) {
	n, step := 240, 60
	if rounds, err := strconv.Atoi(os.Getenv("PURECUDA_SOAK")); err == nil && rounds > 0 {
		n = rounds
	}
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	folder := t.TempDir()
	warm := newPool(t, worker.Config{Workers: 1}) // what is made once is there
	_, err := run(warm, c, axpy)
	require.NoError(t, err)
	require.NoError(t, warm.Close())
	files := descriptors(t)
	disk := cache.NewDisk(cache.DiskConfig{Dir: folder})
	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), disk)
	s := newService(t, worker.Config{Workers: 2, Jobs: 100}, compile.Config{Compiler: c, MaxThreads: 2, QueueSize: 8, Store: store})
	var completed, submitted, succeeded, refused, crashed, cancelled, timedOut atomic.Int64
	var readers, users sync.WaitGroup
	jobs := s.Completed(context.Background())
	readers.Go(func() {
		for range jobs {
			completed.Add(1)
		}
	})
	one := func(i int, rng *rand.Rand) {
		name := fmt.Sprintf("k%d", rng.IntN(n))
		r := compile.Request{Name: "soak.cu", Source: "extern \"C\" __global__ void " + name + "(int *x) { *x = 1; }\n"}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		switch rng.IntN(step) {
		case 0:
			r.Source = "attack crash " + name
		case 1:
			r.Source = "attack exit " + name
		case 2:
			r.Source, r.Timeout = "attack hang "+name, time.Duration(1+rng.IntN(100))*time.Millisecond
		case 3, 4:
			r.Source = "attack hang " + name
			time.AfterFunc(time.Duration(rng.IntN(100_000))*time.Microsecond, cancel)
		case 5, 6, 7:
			time.AfterFunc(time.Duration(rng.IntN(20_000))*time.Microsecond, cancel)
		case 8, 9, 10:
			r.Source = "#error no\n" + r.Source
		}
		j, err := s.Submit(ctx, r)
		if err != nil {
			assert.ErrorIs(t, err, context.Canceled)
			return
		}
		submitted.Add(1)
		result, err := j.Wait(context.Background())
		var (
			no    *nvrtc.CompileError
			crash *worker.CrashError
		)
		switch {
		case err == nil:
			succeeded.Add(1)
			assert.Contains(t, string(result.Entry.Image), ".entry "+name+"(")
		case errors.Is(err, compile.ErrTimeout):
			timedOut.Add(1)
		case errors.Is(err, context.Canceled):
			cancelled.Add(1)
		case errors.As(err, &crash):
			crashed.Add(1)
		case assert.ErrorAs(t, err, &no, "job %d, %q", i, r.Source):
			refused.Add(1)
		}
	}
	began, next := time.Now(), atomic.Int64{}
	for user := range 6 {
		rng := rand.New(rand.NewPCG(uint64(user), 5))
		users.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				one(int(i), rng)
				if i%int64(max(n/10, 1)) == 0 {
					t.Logf("soak: %d jobs after %v: %d files, %s", i, time.Since(began).Round(time.Second), descriptors(t), resident())
				}
			}
		})
	}
	users.Wait()
	assert.NoError(t, s.Shutdown(context.Background()))
	readers.Wait()
	got := s.Stats()
	t.Logf("soak: %d succeeded, %d refused, %d crashed twice, %d cancelled, %d timed out: %+v", succeeded.Load(), refused.Load(), crashed.Load(), cancelled.Load(), timedOut.Load(), got)
	assert.Equal(t, uint64(submitted.Load()), got.Jobs)
	assert.Equal(t, got.Jobs, got.Succeeded+got.Failed+got.Cancelled+got.TimedOut)
	assert.Equal(t, submitted.Load(), completed.Load())
	assert.Equal(t, uint64(succeeded.Load()), got.Succeeded)
	assert.Equal(t, uint64(refused.Load()+crashed.Load()), got.Failed)
	assert.Equal(t, uint64(cancelled.Load()), got.Cancelled)
	assert.Equal(t, uint64(timedOut.Load()), got.TimedOut)
	for _, some := range []*atomic.Int64{&succeeded, &refused, &crashed, &cancelled, &timedOut} {
		assert.NotZero(t, some.Load())
	}
	assert.Empty(t, children(), "processes")
	assert.NoError(t, store.Close())
	// A lock, or a write, that nobody waits for any more ends somewhat later.
	waitFor(t, func() bool {
		left := 0
		assert.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".lock") || strings.Contains(path, ".new-") {
				left++
			}
			return err
		}))
		return left == 0
	})
	waitFor(t, func() bool { return descriptors(t) == files })
}

// descriptors is how many this process has.
func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	return len(list)
}

// resident is how much memory this process has.
func resident() string {
	text, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	line, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(line)
}
