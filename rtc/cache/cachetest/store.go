package cachetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/purecuda/purecuda/rtc/cache"
)

func miss(t *testing.T, s Suite) {
	store := s.open(t)
	wantMiss(t, store, Key(1))
	wantMiss(t, store, cache.Key{})
}

func roundTrip(t *testing.T, s Suite) {
	store := s.open(t)
	all := []*cache.Entry{
		Entry(1, 20_000), Entry(2, 1), Entry(3, 1<<20),
		{Kind: cache.PTX},
		{Kind: cache.Manifest, Image: bytes.Repeat([]byte{0}, 4096)},
		{Kind: cache.LTOIR, Image: []byte("\x89purcu\r\n"), Lowered: map[string]string{"": ""}},
		{Kind: cache.Fatbin, Log: "\xff\xfe not UTF-8", Signatures: map[string]string{"k": ""}},
	}
	for i, e := range all {
		put(t, store, Key(i), e)
		want(t, store, Key(i), e)
	}
	for i, e := range all {
		want(t, store, Key(i), e)
	}
}

func replaced(t *testing.T, s Suite) {
	store := s.open(t)
	for n, size := range []int{5000, 10, 9000, 9000} {
		put(t, store, Key(1), Entry(n, size))
		want(t, store, Key(1), Entry(n, size))
	}
}

// neighbours puts keys that differ in one bit from one key.
func neighbours(t *testing.T, s Suite) {
	store := s.open(t)
	base := Key(77)
	put(t, store, base, Entry(0, 100))
	for bit := range 8 * len(base) {
		other := base
		other[bit/8] ^= 1 << (bit % 8)
		wantMiss(t, store, other)
		if bit%16 == 0 {
			put(t, store, other, Entry(bit+1, 100))
			want(t, store, other, Entry(bit+1, 100))
		}
	}
	want(t, store, base, Entry(0, 100))
}

// concurrent has goroutines put and get the same few keys. Whatever one gets
// must be, whole, one of what was put under that key.
func concurrent(t *testing.T, s Suite) {
	const workers, keys, versions, rounds = 8, 5, 3, 60
	store := s.open(t)
	var entries [keys][versions]*cache.Entry
	for k := range keys {
		for v := range versions {
			entries[k][v] = Entry(100*k+v, 3000+500*v)
		}
	}
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range rounds {
				k := (i*7 + w) % keys
				if (i+w)%3 == 0 {
					if err := store.Put(context.Background(), Key(k), entries[k][(i+w)%versions]); err != nil {
						t.Errorf("Put: %v", err)
					}
					continue
				}
				got, err := store.Get(context.Background(), Key(k))
				if errors.Is(err, cache.ErrMiss) {
					var damaged *cache.DamagedError
					if errors.As(err, &damaged) {
						t.Errorf("Get beside Puts: %v", err)
					}
					continue
				}
				if err != nil {
					t.Errorf("Get: %v", err)
				} else if !got.Equal(entries[k][0]) && !got.Equal(entries[k][1]) && !got.Equal(entries[k][2]) {
					t.Errorf("Get %v: what nobody put there: %s", Key(k), show(got))
				}
			}
		})
	}
	all.Wait()
}

// soon is what a call takes at most that doesn't wait, on a machine that is busy.
const soon = 5 * time.Second

// cancelled: a call whose context is done ends soon, by its error or with what
// was asked for, and the store stays usable.
func cancelled(t *testing.T, s Suite) {
	store := s.open(t)
	put(t, store, Key(1), Entry(1, 1000))
	done, cancel := context.WithCancel(context.Background())
	cancel()
	began := time.Now()
	got, err := store.Get(done, Key(1))
	if !errors.Is(err, context.Canceled) && (err != nil || !got.Equal(Entry(1, 1000))) {
		t.Errorf("Get with a context that is done: %v", err)
	}
	if err := store.Put(done, Key(2), Entry(2, 1000)); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("Put with a context that is done: %v", err)
	}
	if took := time.Since(began); took > soon {
		t.Errorf("calls with a context that is done took %v", took)
	}
	want(t, store, Key(1), Entry(1, 1000))
	put(t, store, Key(3), Entry(3, 1000))
	want(t, store, Key(3), Entry(3, 1000))
}

func closed(t *testing.T, s Suite) {
	store := s.open(t)
	put(t, store, Key(1), Entry(1, 1000))
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			if err := store.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	all.Wait()
	if _, err := store.Get(context.Background(), Key(1)); !errors.Is(err, cache.ErrClosed) {
		t.Errorf("Get after Close: %v; want ErrClosed", err)
	}
	if err := store.Put(context.Background(), Key(1), Entry(1, 1000)); !errors.Is(err, cache.ErrClosed) {
		t.Errorf("Put after Close: %v; want ErrClosed", err)
	}
}

func damaged(t *testing.T, s Suite) {
	if s.Damage == nil {
		return // what this process alone holds can't be damaged
	}
	for n := 0; ; n++ {
		more := true
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			store := s.open(t)
			put(t, store, Key(1), Entry(1, 2000))
			put(t, store, Key(2), Entry(2, 2000))
			if more = s.Damage(t, store, Key(1), n); !more {
				return
			}
			wantMiss(t, store, Key(1))
			want(t, store, Key(2), Entry(2, 2000))
			put(t, store, Key(1), Entry(3, 2000))
			want(t, store, Key(1), Entry(3, 2000))
		})
		if !more || t.Failed() {
			return
		}
	}
}

func counts(t *testing.T, s Suite) {
	store := s.open(t)
	counter, ok := store.(cache.Counter)
	if !ok {
		return
	}
	wantMiss(t, store, Key(1))
	put(t, store, Key(1), Entry(1, 10))
	put(t, store, Key(2), Entry(2, 10))
	want(t, store, Key(1), Entry(1, 10))
	want(t, store, Key(1), Entry(1, 10))
	want(t, store, Key(2), Entry(2, 10))
	if got, want := counter.Stats(), (cache.Stats{Hits: 3, Misses: 1, Puts: 2}); got != want {
		t.Errorf("Stats: %+v; want %+v", got, want)
	}
}
