package cache_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func TestMemory(t *testing.T) {
	cachetest.Test(t, cachetest.Suite{Open: func(*testing.T) cache.Store { return cache.NewMemory(cache.MemoryConfig{}) }})
}

// What was used last stays, whether it was put or got.
func TestMemoryEvicts(t *testing.T) {
	ctx := context.Background()
	m := cache.NewMemory(cache.MemoryConfig{MaxBytes: 5 * 11_000})
	for i := range 4 {
		require.NoError(t, m.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10_000)))
	}
	_, err := m.Get(ctx, cachetest.Key(0))
	require.NoError(t, err)
	require.NoError(t, m.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 10_000)))
	for i := 4; i < 7; i++ {
		require.NoError(t, m.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10_000)))
	}
	var left []int
	for i := range 7 {
		if _, err := m.Get(ctx, cachetest.Key(i)); err == nil {
			left = append(left, i)
		}
	}
	assert.Equal(t, []int{0, 1, 4, 5, 6}, left)
	assert.EqualValues(t, 2, m.Stats().Evicted)

	require.NoError(t, m.Put(ctx, cachetest.Key(8), cachetest.Entry(8, 50_000)), "one that takes nearly all")
	n := 0
	for range m.All(ctx) {
		n++
	}
	assert.Equal(t, 1, n)
	assert.ErrorIs(t, m.Put(ctx, cachetest.Key(8), cachetest.Entry(9, 60_000)), cache.ErrTooLarge)
	_, err = m.Get(ctx, cachetest.Key(8))
	assert.ErrorIs(t, err, cache.ErrMiss, "the old one is not what was put last")
}

func TestMemoryHitTakesNoMemory(t *testing.T) {
	m, ctx := cache.NewMemory(cache.MemoryConfig{}), context.Background()
	key := cachetest.Key(1)
	require.NoError(t, m.Put(ctx, key, cachetest.Entry(1, 1000)))
	assert.Zero(t, testing.AllocsPerRun(1000, func() {
		if _, err := m.Get(ctx, key); err != nil {
			t.Fatal(err)
		}
	}))
}
