package cache_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// A foreign store is a user's own, which may do what it likes.
type foreign struct {
	get    func() (*cache.Entry, error)
	put    func() error
	lock   func() (func(), error)
	closed bool
}

func (f *foreign) Get(context.Context, cache.Key) (*cache.Entry, error) { return f.get() }
func (f *foreign) Put(context.Context, cache.Key, *cache.Entry) error   { return f.put() }
func (f *foreign) Lock(context.Context, cache.Key) (func(), error)      { return f.lock() }
func (f *foreign) Close() error                                         { f.closed = true; return nil }

// TestForeignTiers has stores that break their promises below a Memory: what they do
// is a failure of theirs and of nobody else.
func TestForeignTiers(t *testing.T) {
	ctx := context.Background()
	for name, f := range map[string]*foreign{
		"panics": {
			get:  func() (*cache.Entry, error) { panic("get") },
			put:  func() error { panic("put") },
			lock: func() (func(), error) { panic("lock") },
		},
		"ends its goroutine": {
			get:  func() (*cache.Entry, error) { runtime.Goexit(); return nil, nil },
			put:  func() error { runtime.Goexit(); return nil },
			lock: func() (func(), error) { runtime.Goexit(); return nil, nil },
		},
		"nothing": {
			get:  func() (*cache.Entry, error) { return nil, nil },
			put:  func() error { panic(nil) },
			lock: func() (func(), error) { return nil, nil },
		},
		"unlocking panics": {
			get:  func() (*cache.Entry, error) { return nil, cache.ErrMiss },
			put:  func() error { return nil },
			lock: func() (func(), error) { return func() { panic("unlock") }, nil },
		},
	} {
		t.Run(name, func(t *testing.T) {
			memory := cache.NewMemory(cache.MemoryConfig{})
			s := cache.NewTiered(cache.TieredConfig{Timeout: time.Minute, WriteTimeout: time.Minute}, memory, nil, f)
			_, err := s.Get(ctx, cachetest.Key(1))
			assert.ErrorIs(t, err, cache.ErrMiss)
			unlock, err := s.Lock(ctx, cachetest.Key(1))
			require.NoError(t, err)
			unlock()
			require.NoError(t, s.Put(ctx, cachetest.Key(1), variant(1, 1)))
			e, err := s.Get(ctx, cachetest.Key(1))
			require.NoError(t, err)
			assert.True(t, isVariant(1, e))
			if name != "unlocking panics" {
				assert.Equal(t, uint64(2), s.Stats().Failed)
			}
			require.NoError(t, s.Close())
			assert.True(t, f.closed)
		})
	}
}

// TestForeignLockHangs: who waits for a lock, or gives one back, goes on when its
// context ends or the store has had its time.
func TestForeignLockHangs(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	f := &foreign{lock: func() (func(), error) { return func() { <-hang }, nil }}
	s := cache.NewTiered(cache.TieredConfig{WriteTimeout: 10 * time.Millisecond}, f)
	unlock, err := s.Lock(context.Background(), cachetest.Key(1))
	require.NoError(t, err)
	unlock()
	f.lock = func() (func(), error) { <-hang; return func() {}, nil }
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err = s.Lock(ctx, cachetest.Key(1))
	assert.ErrorIs(t, err, context.DeadlineExceeded)
}
