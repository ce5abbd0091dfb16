// Package cachetest holds a cache.Store to what package cache promises: every
// store, also one that others make, passes Test.
package cachetest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/purecuda/purecuda/rtc/cache"
)

// A Suite says how to make the store that is tested.
//
// Not safe for concurrent use.
type Suite struct {
	// Open makes an empty store. Test closes it.
	Open func(t *testing.T) cache.Store
	// Damage changes what is stored under a key behind the store's back, in its
	// way number n, and tells whether there is such a way. Nil: it can't be done.
	Damage func(t *testing.T, s cache.Store, key cache.Key, n int) bool
}

// Test runs every test that suits the store.
func Test(t *testing.T, s Suite) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Suite)
	}{
		{"a miss", miss}, {"what is put is got", roundTrip}, {"the last put counts", replaced}, {"keys are told apart", neighbours},
		{"many at once", concurrent}, {"a context that is done", cancelled}, {"closed", closed}, {"damaged entries are misses", damaged},
		{"walk and delete", walk}, {"locks", locks}, {"lock, cancelled", lockCancelled}, {"counts", counts},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, s) })
	}
}

func (s Suite) open(t *testing.T) cache.Store {
	t.Helper()
	store := s.Open(t)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return store
}

// Key returns the n-th of many keys; keys that follow each other differ in few bits.
func Key(n int) (k cache.Key) {
	k[0], k[31], k[30], k[15] = byte(n), byte(n), byte(n>>8), 0xA5
	return k
}

// Entry returns an entry of about size bytes, with something in all its
// fields, that differs for each n.
func Entry(n, size int) *cache.Entry {
	image := make([]byte, size)
	x := uint32(n)*2654435761 + 1
	for i := range image {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		image[i] = byte(x)
	}
	return &cache.Entry{
		Kind: cache.CUBIN, Arch: "sm_90", Image: image, PTX: []byte(".version 8.4\n// \x00 é"),
		Lowered:    map[string]string{"axpy<float>": "_Z4axpyIfEvPKT_PS0_S0_", "axpy<double>": "_Z4axpyIdEvPKT_PS0_S0_"},
		Signatures: map[string]string{"axpy": "const float *x, float *y, float alpha", "": "\n"},
		Log:        "k.cu(3): warning #177-D: " + string(rune('a'+n%26)), Compiler: "NVRTC 12.4",
	}
}

func put(t *testing.T, s cache.Store, key cache.Key, e *cache.Entry) {
	t.Helper()
	if err := s.Put(context.Background(), key, e); err != nil {
		t.Fatalf("Put %v: %v", key, err)
	}
}

func want(t *testing.T, s cache.Store, key cache.Key, e *cache.Entry) {
	t.Helper()
	got, err := s.Get(context.Background(), key)
	switch {
	case err != nil:
		t.Fatalf("Get %v: %v", key, err)
	case !got.Equal(e):
		t.Fatalf("Get %v: got another entry than was put:\n%s\n%s", key, show(got), show(e))
	}
}

func wantMiss(t *testing.T, s cache.Store, key cache.Key) {
	t.Helper()
	if e, err := s.Get(context.Background(), key); !errors.Is(err, cache.ErrMiss) || e != nil {
		t.Fatalf("Get %v: got %v, %v; want nil and an error that matches ErrMiss", key, e, err)
	}
}

func show(e *cache.Entry) string {
	c := *e
	var b strings.Builder
	b.WriteString(c.Kind.String() + " " + c.Arch + " " + c.Compiler + " log " + c.Log)
	for k, v := range c.Lowered {
		b.WriteString(" " + k + "=" + v)
	}
	return b.String()
}
