package compile_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// TestSoak gives services hundreds of jobs, or as many as PURECUDA_SOAK says, of
// which some hang, fail, are cancelled or find the queue full: all counts add
// up, and nothing is left.
func TestSoak(t *testing.T) {
	n := 600
	if rounds, err := strconv.Atoi(os.Getenv("PURECUDA_SOAK")); err == nil {
		n = max(n, rounds)
	}
	rig := newRig(t, stoppable)
	folder := t.TempDir()
	disk := cache.NewDisk(cache.DiskConfig{Dir: folder, MaxBytes: 200 << 10})
	store := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{MaxBytes: 50 << 10}), disk)
	s := rig.service(compile.Config{MaxThreads: 3, QueueSize: 20, Store: store, Timeout: time.Minute})
	refusing := rig.service(compile.Config{MaxThreads: 2, QueueSize: 3, Refuse: true, Store: store})

	var completed atomic.Int64
	var readers sync.WaitGroup
	for _, s := range []*compile.Service{s, refusing} {
		jobs := s.Completed(context.Background())
		readers.Go(func() {
			for range jobs {
				completed.Add(1)
			}
		})
	}
	var submitted, succeeded, failed, cancelled, timedOut, full atomic.Int64
	// So many at once that one is refused, however the machine goes about the rest.
	var held []*compile.Job
	for {
		j, err := refusing.Submit(context.Background(), compile.Request{Source: fmt.Sprintf("// wait %d", len(held))})
		if errors.Is(err, compile.ErrQueueFull) {
			full.Add(1)
			break
		}
		require.NoError(t, err)
		submitted.Add(1)
		held = append(held, j)
	}
	for _, j := range held {
		j.Cancel()
		cancelled.Add(1)
	}
	var users sync.WaitGroup
	next := atomic.Int64{}
	for user := range 16 {
		rng := rand.New(rand.NewPCG(uint64(user), 6))
		users.Go(func() {
			for next.Add(1) <= int64(n) {
				name := fmt.Sprintf("k%d", rng.IntN(100))
				r := compile.Request{Name: name, Priority: rng.IntN(3), Source: "extern \"C\" __global__ void " + name + "() {}\n"}
				switch rng.IntN(8) {
				case 0:
					r.Source, r.Timeout = "// wait\n"+r.Source, time.Millisecond
				case 1:
					r.Source = "// crash\n" + r.Source
				case 2:
					r.Source = "#error no\n" + r.Source
				case 3:
					r.Source += "// __TIME__ is no code here\n"
				case 4:
					r.Source += "char *t = __TIME__;\n"
				case 5:
					r.Fresh = true
				}
				ctx, cancel := context.WithCancel(context.Background())
				at := s
				if rng.IntN(4) == 0 {
					at = refusing
				}
				if rng.IntN(5) == 0 {
					time.AfterFunc(time.Duration(rng.IntN(2000))*time.Microsecond, cancel)
				}
				j, err := at.Submit(ctx, r)
				switch {
				case errors.Is(err, compile.ErrQueueFull):
					full.Add(1)
				case err != nil:
					assert.ErrorIs(t, err, context.Canceled)
				default:
					submitted.Add(1)
					if rng.IntN(6) == 0 {
						go j.Cancel()
					}
					result, err := j.Wait(context.Background())
					var refused *nvrtc.CompileError
					switch {
					case err == nil:
						succeeded.Add(1)
						assert.Contains(t, string(result.Entry.Image), ".entry "+name+"(")
					case errors.Is(err, compile.ErrTimeout):
						timedOut.Add(1)
					case errors.Is(err, context.Canceled):
						cancelled.Add(1)
					case assert.ErrorAs(t, err, &refused):
						failed.Add(1)
					}
				}
				cancel()
				now := at.Stats()
				assert.GreaterOrEqual(t, now.Jobs, now.Succeeded+now.Failed+now.Cancelled+now.TimedOut)
			}
		})
	}
	users.Wait()
	for _, s := range []*compile.Service{s, refusing} {
		assert.NoError(t, s.Shutdown(context.Background()))
		n := s.Stats()
		assert.Equal(t, n.Jobs, n.Succeeded+n.Failed+n.Cancelled+n.TimedOut)
		assert.Equal(t, n.Succeeded, n.Compiled+n.Cached+n.Shared)
		assert.Zero(t, n.Waiting)
		assert.Zero(t, n.Running)
		t.Logf("%+v", n)
	}
	readers.Wait()
	a, b := s.Stats(), refusing.Stats()
	assert.Equal(t, uint64(submitted.Load()), a.Jobs+b.Jobs)
	assert.Equal(t, submitted.Load(), completed.Load())
	assert.Equal(t, uint64(succeeded.Load()), a.Succeeded+b.Succeeded)
	assert.Equal(t, uint64(failed.Load()), a.Failed+b.Failed)
	assert.Equal(t, uint64(cancelled.Load()), a.Cancelled+b.Cancelled)
	assert.Equal(t, uint64(timedOut.Load()), a.TimedOut+b.TimedOut)
	assert.Equal(t, uint64(full.Load()), a.Refused+b.Refused)
	for _, some := range []*atomic.Int64{&succeeded, &failed, &cancelled, &timedOut, &full} {
		assert.NotZero(t, some.Load())
	}
	waitFor(t, func() bool { return rig.fake.Running() == 0 })
	// A lock, or a write, that nobody waits for any more ends somewhat later.
	waitFor(t, func() bool { return len(locksIn(t, folder)) == 0 })
	waitFor(t, func() bool {
		unfinished, err := filepath.Glob(filepath.Join(folder, "*", "*.new-*"))
		require.NoError(t, err)
		return len(unfinished) == 0
	})
	assert.NoError(t, store.Close())
}
