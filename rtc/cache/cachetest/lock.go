package cachetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purecuda/purecuda/rtc/cache"
)

// locks has goroutines take two locks in turn and sees that each has one holder
// at a time.
func locks(t *testing.T, s Suite) {
	store := s.open(t)
	locker, ok := store.(cache.Locker)
	if !ok {
		return
	}
	var holders [2]atomic.Int32
	var taken atomic.Int32
	var all sync.WaitGroup
	for w := range 6 {
		all.Go(func() {
			for i := range 10 {
				k := (w + i) % 2
				unlock, err := locker.Lock(context.Background(), Key(k))
				if err != nil {
					t.Errorf("Lock: %v", err)
					return
				}
				if n := holders[k].Add(1); n != 1 {
					t.Errorf("Lock: %d hold the lock of key %d", n, k)
				}
				taken.Add(1)
				time.Sleep(100 * time.Microsecond)
				holders[k].Add(-1)
				unlock()
				unlock() // the second time it does nothing, least of all to the next holder
			}
		})
	}
	all.Wait()
	if n := taken.Load(); n != 60 {
		t.Errorf("the locks were taken %d times; want 60", n)
	}
	put(t, store, Key(0), Entry(0, 100))
	want(t, store, Key(0), Entry(0, 100))
	if w, ok := store.(cache.Walker); ok && len(keysOf(t, w)) != 1 {
		t.Errorf("locks are left among the entries: %v", keysOf(t, w))
	}
}

func lockCancelled(t *testing.T, s Suite) {
	store := s.open(t)
	locker, ok := store.(cache.Locker)
	if !ok {
		return
	}
	unlock, err := locker.Lock(context.Background(), Key(1))
	if err != nil {
		t.Fatalf("Lock: %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := locker.Lock(ctx, Key(1)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock of what is locked: %v; want DeadlineExceeded", err)
	}
	if took := time.Since(began); took < 50*time.Millisecond || took > soon {
		t.Errorf("Lock of what is locked gave up after %v; want 60 ms", took)
	}
	other, err := locker.Lock(context.Background(), Key(2)) // another key is free
	if err != nil {
		t.Fatalf("Lock: %v", err)
	}
	other()
	unlock()
	again, err := locker.Lock(context.Background(), Key(1))
	if err != nil {
		t.Fatalf("Lock after unlock: %v", err)
	}
	again()
}
