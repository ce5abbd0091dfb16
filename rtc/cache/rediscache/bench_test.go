//go:build unix

package rediscache_test

import (
	"context"
	"testing"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// BenchmarkHit has a hit of 20 KB beside the bare GET of it, by the same client.
func BenchmarkHit(b *testing.B) {
	s, ctx := start(b), context.Background()
	key := cachetest.Key(1)
	bare := s.client()
	name := "purecuda:" + key.String()
	for _, c := range []struct {
		name, url string
	}{{"hit", "redis://" + s.addr}, {"tiered", "redis://" + s.addr}} {
		store := open(b, c.url)
		if err := store.Put(ctx, key, cachetest.Entry(1, 20_000)); err != nil {
			b.Fatal(err)
		}
		get := store.Get
		if c.name == "tiered" {
			get = cache.NewTiered(cache.TieredConfig{}, store).Get
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := get(ctx, key); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("bare GET", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := bare.Get(ctx, name).Bytes(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
