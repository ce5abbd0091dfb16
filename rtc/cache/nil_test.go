package cache_test

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// TestNilStores calls every method on nil: Default gives a nil Disk where the cache is off.
func TestNilStores(t *testing.T) {
	ctx := t.Context()
	for _, s := range []cache.Store{(*cache.Disk)(nil), (*cache.Memory)(nil), (*cache.Archive)(nil), (*cache.Tiered)(nil)} {
		v := reflect.ValueOf(s)
		for i := range v.NumMethod() {
			m := v.Method(i)
			if v.Type().Method(i).Name == "SetTouch" {
				continue // of a test
			}
			var in []reflect.Value
			for j := range m.Type().NumIn() {
				if m.Type().In(j) == reflect.TypeFor[context.Context]() {
					in = append(in, reflect.ValueOf(ctx))
				} else {
					in = append(in, reflect.Zero(m.Type().In(j)))
				}
			}
			assert.NotPanics(t, func() { m.Call(in) }, "%T: %s", s, v.Type().Method(i).Name)
		}
		_, err := s.Get(ctx, cachetest.Key(1))
		assert.ErrorIs(t, err, cache.ErrMiss, "%T", s)
		assert.ErrorIs(t, s.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 1)), cache.ErrReadOnly, "%T", s)
		if w, ok := s.(cache.Walker); ok {
			for info, err := range w.All(ctx) {
				t.Error(info, err)
			}
			usage, err := cache.UsageOf(ctx, s)
			assert.NoError(t, err)
			assert.Zero(t, usage)
			_, err = cache.Clear(ctx, s)
			assert.NoError(t, err)
		}
		if l, ok := s.(cache.Locker); ok {
			unlock, err := l.Lock(ctx, cachetest.Key(1))
			require.NoError(t, err)
			unlock()
		}
		tiered := cache.NewTiered(cache.TieredConfig{}, nil, s, cache.NewMemory(cache.MemoryConfig{}))
		assert.Len(t, tiered.Tiers(), 1, "%T", s)
		require.NoError(t, tiered.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 1)))
		_, err = tiered.Get(ctx, cachetest.Key(1))
		assert.NoError(t, err)
	}
	assert.Empty(t, (*cache.Disk)(nil).Dir())
}

// TestNoStore gives no store at all, and no entry.
func TestNoStore(t *testing.T) {
	ctx := t.Context()
	_, err := cache.UsageOf(ctx, nil)
	assert.ErrorContains(t, err, "there is no store")
	_, err = cache.Verify(ctx, nil)
	assert.ErrorContains(t, err, "there is no store")
	_, err = cache.Repair(ctx, nil)
	assert.ErrorContains(t, err, "there is no store")
	_, err = cache.Clear(ctx, nil)
	assert.ErrorContains(t, err, "there is no store")
	var file bytes.Buffer
	_, err = cache.Export(ctx, nil, &file)
	assert.ErrorContains(t, err, "there is no store")
	memory := cache.NewMemory(cache.MemoryConfig{})
	require.NoError(t, memory.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 1)))
	_, err = cache.Export(ctx, memory, &file)
	require.NoError(t, err)
	_, err = cache.Import(ctx, nil, &file)
	assert.ErrorContains(t, err, "there is no store")

	assert.Empty(t, cache.Encode(cachetest.Key(1), nil))
	disk := cache.NewDisk(cache.DiskConfig{Dir: t.TempDir()})
	for _, s := range []cache.Store{memory, disk, cache.NewTiered(cache.TieredConfig{}, disk)} {
		assert.ErrorContains(t, s.Put(ctx, cachetest.Key(2), nil), "no entry", "%T", s)
		_, err := s.Get(ctx, cachetest.Key(2))
		assert.ErrorIs(t, err, cache.ErrMiss, "%T", s)
	}
}
