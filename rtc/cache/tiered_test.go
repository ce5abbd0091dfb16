package cache_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func TestTiered(t *testing.T) {
	cachetest.Test(t, cachetest.Suite{Open: func(t *testing.T) cache.Store {
		return cache.NewTiered(cache.TieredConfig{Timeout: time.Minute, WriteTimeout: time.Minute}, cache.NewMemory(cache.MemoryConfig{}),
			cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache")}))
	}})
}

// A troubled store is a Memory between which and its user stands trouble.
type troubled struct {
	*cache.Memory
	calls   atomic.Int32
	mu      sync.Mutex
	trouble func(ctx context.Context) error
}

func newTroubled() *troubled { return &troubled{Memory: cache.NewMemory(cache.MemoryConfig{})} }

func (s *troubled) has(f func(ctx context.Context) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = f
}

func (s *troubled) meet(ctx context.Context) error {
	s.calls.Add(1)
	s.mu.Lock()
	f := s.trouble
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	return f(ctx)
}

func (s *troubled) Get(ctx context.Context, key cache.Key) (*cache.Entry, error) {
	if err := s.meet(ctx); err != nil {
		return nil, err
	}
	return s.Memory.Get(ctx, key)
}

func (s *troubled) Put(ctx context.Context, key cache.Key, e *cache.Entry) error {
	if err := s.meet(ctx); err != nil {
		return err
	}
	return s.Memory.Put(ctx, key, e)
}

func (s *troubled) String() string { return "far" }

// What is found below is written above, all tiers of it.
func TestTieredWritesAbove(t *testing.T) {
	ctx := context.Background()
	top, middle, low := cache.NewMemory(cache.MemoryConfig{}), newTroubled(), newTroubled()
	s := cache.NewTiered(cache.TieredConfig{}, top, middle, low)
	defer s.Close()
	key, e := cachetest.Key(1), cachetest.Entry(1, 100)
	require.NoError(t, low.Memory.Put(ctx, key, e))
	got, err := s.Get(ctx, key)
	require.NoError(t, err)
	assert.Same(t, e, got)
	for _, above := range []cache.Store{top, middle.Memory} {
		got, err := above.Get(ctx, key)
		require.NoError(t, err)
		assert.Same(t, e, got)
	}
	calls := low.calls.Load()
	_, err = s.Get(ctx, key)
	require.NoError(t, err)
	assert.Equal(t, calls, low.calls.Load(), "the first that has it answers")

	require.NoError(t, s.Put(ctx, cachetest.Key(2), e))
	for _, tier := range []cache.Store{top, middle.Memory, low.Memory} {
		_, err := tier.Get(ctx, cachetest.Key(2))
		assert.NoError(t, err)
	}
}

// A tier that is dead is asked three times, then once after each pause; nobody
// sees an error, and all that was not asked is counted.
func TestTieredSkipsADeadTier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		var log bytes.Buffer
		far := newTroubled()
		s := cache.NewTiered(cache.TieredConfig{Logger: slog.New(slog.NewTextHandler(&log, nil))}, cache.NewMemory(cache.MemoryConfig{}), far)
		defer s.Close()
		far.has(func(context.Context) error { return errors.New("connection refused") })
		for i := range 10 {
			_, err := s.Get(ctx, cachetest.Key(i))
			require.ErrorIs(t, err, cache.ErrMiss)
		}
		assert.EqualValues(t, 3, far.calls.Load())
		require.NoError(t, s.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 10)), "writing is judged apart")
		assert.EqualValues(t, 4, far.calls.Load())
		assert.Equal(t, cache.Stats{Misses: 10, Puts: 1, Failed: 4, Skipped: 7}, s.Stats())
		tiers := s.Tiers()
		assert.Equal(t, []string{"memory", "far"}, []string{tiers[0].Name, tiers[1].Name})
		assert.True(t, tiers[1].Down)
		assert.EqualValues(t, 7, tiers[1].Skipped)
		_, err := s.Get(ctx, cachetest.Key(1))
		require.NoError(t, err, "the other tier goes on")

		time.Sleep(1100 * time.Millisecond)
		_, err = s.Get(ctx, cachetest.Key(20))
		require.ErrorIs(t, err, cache.ErrMiss)
		assert.EqualValues(t, 5, far.calls.Load(), "one trial")
		far.has(nil)
		_, _ = s.Get(ctx, cachetest.Key(20))
		assert.EqualValues(t, 5, far.calls.Load(), "it failed")
		time.Sleep(2100 * time.Millisecond)
		for range 4 {
			_, _ = s.Get(ctx, cachetest.Key(20))
		}
		assert.EqualValues(t, 9, far.calls.Load(), "it is back")
		assert.False(t, s.Tiers()[1].Down)
		assert.Equal(t, 2, strings.Count(log.String(), "\n"), log.String())
		assert.Contains(t, log.String(), "connection refused")
	})
}

// A tier that hangs, and does not look at its context, costs the timeout once,
// and one goroutine.
func TestTieredSkipsATierThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		far := newTroubled()
		s := cache.NewTiered(cache.TieredConfig{Timeout: 200 * time.Millisecond}, far)
		defer s.Close()
		mended := make(chan struct{})
		far.has(func(context.Context) error { <-mended; return nil })
		began := time.Now()
		for i := range 100 {
			_, err := s.Get(ctx, cachetest.Key(i))
			require.ErrorIs(t, err, cache.ErrMiss)
			synctest.Wait()
		}
		assert.Equal(t, 200*time.Millisecond, time.Since(began))
		time.Sleep(time.Hour)
		_, err := s.Get(ctx, cachetest.Key(1))
		require.ErrorIs(t, err, cache.ErrMiss)
		assert.EqualValues(t, 1, far.calls.Load(), "none follows the one that hangs")
		close(mended)
		synctest.Wait()
		_, err = s.Get(ctx, cachetest.Key(1))
		require.ErrorIs(t, err, cache.ErrMiss)
		assert.EqualValues(t, 2, far.calls.Load())
		assert.False(t, s.Tiers()[0].Down)
	})
}

// What was found is the caller's by the end of his context, though a tier above is
// slow to take it.
func TestTieredFoundBelowOneThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := newTroubled(), newTroubled()
		s := cache.NewTiered(cache.TieredConfig{}, near, far)
		defer s.Close()
		require.NoError(t, far.Memory.Put(context.Background(), cachetest.Key(1), cachetest.Entry(1, 10)))
		mended := make(chan struct{})
		defer close(mended)
		near.has(func(context.Context) error {
			if near.calls.Load() > 1 { // not the Get
				<-mended
			}
			return nil
		})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		began := time.Now()
		got, err := s.Get(ctx, cachetest.Key(1))
		require.NoError(t, err)
		assert.True(t, got.Equal(cachetest.Entry(1, 10)))
		assert.Equal(t, time.Second, time.Since(began))
	})
}

// A caller who goes away gets away at once, and says nothing of the tier,
// unless that hangs on.
func TestTieredCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		far := newTroubled()
		s := cache.NewTiered(cache.TieredConfig{Timeout: 10 * time.Second, WriteTimeout: 10 * time.Second}, far)
		defer s.Close()
		mended := make(chan struct{})
		far.has(func(ctx context.Context) error { <-mended; return ctx.Err() })
		began := time.Now()
		for i := range 5 {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			_, err := s.Get(ctx, cachetest.Key(i))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorIs(t, s.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10)), context.DeadlineExceeded)
			cancel()
		}
		assert.Equal(t, 5*time.Second, time.Since(began))
		assert.False(t, s.Tiers()[0].Down)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		assert.True(t, s.Tiers()[0].Down, "ten seconds after the first it has not come back")
		close(mended)
		synctest.Wait()
		assert.False(t, s.Tiers()[0].Down)
		assert.Zero(t, s.Stats().Failed)
	})
}

// Tiers that take no entries, or not such large ones, are not in trouble.
func TestTieredReadOnlyAndSmall(t *testing.T) {
	ctx := context.Background()
	far := newTroubled()
	s := cache.NewTiered(cache.TieredConfig{}, far)
	defer s.Close()
	for _, err := range []error{cache.ErrReadOnly, cache.ErrTooLarge, &cache.DamagedError{}} {
		far.has(func(context.Context) error { return err })
		for i := range 5 {
			require.NoError(t, s.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10)))
			_, err := s.Get(ctx, cachetest.Key(i))
			require.ErrorIs(t, err, cache.ErrMiss)
		}
	}
	assert.Zero(t, s.Stats().Failed+s.Stats().Skipped)
	assert.EqualValues(t, 30, far.calls.Load())
}
