package cachetest

import (
	"context"
	"testing"

	"github.com/purecuda/purecuda/rtc/cache"
)

func walk(t *testing.T, s Suite) {
	store := s.open(t)
	walker, ok := store.(cache.Walker)
	if !ok {
		return
	}
	if got := keysOf(t, walker); len(got) != 0 {
		t.Fatalf("All of an empty store: %v", got)
	}
	const n = 20
	for i := range n {
		put(t, store, Key(i), Entry(i, 100*i))
	}
	got := keysOf(t, walker)
	if len(got) != n {
		t.Errorf("All: %d entries; want %d", len(got), n)
	}
	for i := range n {
		if info := got[Key(i)]; info.Bytes < int64(100*i) || info.Bytes > int64(100*i+2000) {
			t.Errorf("All: entry %d of %d bytes is said to take %d", i, 100*i, info.Bytes)
		}
	}
	for range 2 { // the second time there is none
		if err := walker.Delete(context.Background(), Key(3)); err != nil {
			t.Errorf("Delete: %v", err)
		}
	}
	wantMiss(t, store, Key(3))
	want(t, store, Key(4), Entry(4, 400))
	if got := keysOf(t, walker); len(got) != n-1 {
		t.Errorf("All after Delete: %d entries; want %d", len(got), n-1)
	}
	for range walker.All(context.Background()) {
		break // an early end is none of an error
	}
}

func keysOf(t *testing.T, w cache.Walker) map[cache.Key]cache.Info {
	t.Helper()
	all := map[cache.Key]cache.Info{}
	for info, err := range w.All(context.Background()) {
		if err != nil {
			t.Fatalf("All: %v", err)
		}
		if _, twice := all[info.Key]; twice {
			t.Errorf("All: %v comes twice", info.Key)
		}
		all[info.Key] = info
	}
	return all
}
