package cache_test

import (
	"context"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func BenchmarkMemoryHit(b *testing.B) {
	m, ctx := cache.NewMemory(cache.MemoryConfig{}), context.Background()
	for i := range 500 {
		_ = m.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 20_000))
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := m.Get(ctx, cachetest.Key(i%500)); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkMemoryHitTiered(b *testing.B) {
	m, ctx := cache.NewMemory(cache.MemoryConfig{}), context.Background()
	s := cache.NewTiered(cache.TieredConfig{}, m, cache.NewDisk(cache.DiskConfig{Dir: b.TempDir()}))
	_ = m.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 20_000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Get(ctx, cachetest.Key(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDiskHit has a hit of 20 KB beside what it can't do without: opening
// and reading the file, and its SHA-256.
func BenchmarkDiskHit(b *testing.B) {
	ctx := context.Background()
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(b.TempDir(), "cache")})
	key := cachetest.Key(1)
	if err := disk.Put(ctx, key, cachetest.Entry(1, 20_000)); err != nil {
		b.Fatal(err)
	}
	b.Run("hit", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := disk.Get(ctx, key); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("tiered", func(b *testing.B) {
		s := cache.NewTiered(cache.TieredConfig{}, disk)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Get(ctx, key); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		file := fileOf(disk, key)
		b.ReportAllocs()
		for b.Loop() {
			data, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			sha256.Sum256(data)
		}
	})
}

func BenchmarkDiskPut(b *testing.B) {
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(b.TempDir(), "cache")})
	e := cachetest.Entry(1, 20_000)
	for b.Loop() {
		if err := disk.Put(context.Background(), cachetest.Key(1), e); err != nil {
			b.Fatal(err)
		}
	}
}
