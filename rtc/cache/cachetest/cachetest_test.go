package cachetest_test

import (
	"context"
	"iter"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// A faulty store is a Memory with one fault.
type faulty struct {
	*cache.Memory
	fault string
	mu    sync.Mutex
	last  *cache.Entry
	seen  map[cache.Key]bool
}

// faults lists the faults, and the test of the suite that must find each.
var faults = map[string]string{
	"keeps nothing":           "what is put is got",
	"keeps the first":         "the last put counts",
	"looks at half the key":   "keys are told apart",
	"loses signatures":        "what is put is got",
	"gives nothing on a miss": "a miss",
	"gives the last put":      "many at once",
	"goes on when closed":     "closed",
	"deletes nothing":         "walk and delete",
	"lists nothing":           "walk and delete",
	"locks nothing":           "locks",
	"locks for ever":          "lock, cancelled",
	"doesn't count":           "counts",
	"trusts what it reads":    "damaged entries are misses",
}

func (f *faulty) Get(ctx context.Context, key cache.Key) (*cache.Entry, error) {
	if f.fault == "looks at half the key" {
		clear(key[16:])
	}
	e, err := f.Memory.Get(ctx, key)
	switch {
	case f.fault == "gives nothing on a miss" && err != nil:
		return nil, nil
	case f.fault == "goes on when closed" && err == cache.ErrClosed:
		return nil, cache.ErrMiss
	case f.fault == "gives the last put" && err == nil:
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.last, nil
	}
	return e, err
}

func (f *faulty) Put(ctx context.Context, key cache.Key, e *cache.Entry) error {
	f.mu.Lock()
	f.last = e
	first := !f.seen[key]
	f.seen[key] = true
	f.mu.Unlock()
	switch {
	case f.fault == "keeps nothing", f.fault == "keeps the first" && !first:
		return nil
	case f.fault == "looks at half the key":
		clear(key[16:])
	case f.fault == "loses signatures":
		less := *e
		less.Signatures = nil
		e = &less
	}
	return f.Memory.Put(ctx, key, e)
}

func (f *faulty) Delete(ctx context.Context, key cache.Key) error {
	if f.fault == "deletes nothing" {
		return nil
	}
	return f.Memory.Delete(ctx, key)
}

func (f *faulty) All(ctx context.Context) iter.Seq2[cache.Info, error] {
	if f.fault == "lists nothing" {
		return func(func(cache.Info, error) bool) {}
	}
	return f.Memory.All(ctx)
}

func (f *faulty) Stats() cache.Stats {
	if f.fault == "doesn't count" {
		return cache.Stats{}
	}
	return f.Memory.Stats()
}

func (f *faulty) Lock(ctx context.Context, _ cache.Key) (func(), error) {
	if f.fault == "locks nothing" {
		return func() {}, nil
	}
	f.mu.Lock() // never mind which key, or ctx
	return sync.OnceFunc(f.mu.Unlock), nil
}

const faultVariable = "PURECUDA_CACHETEST_FAULT"

// TestFaulty runs the suite on the store whose fault the environment names;
// without one it has nothing to do.
func TestFaulty(t *testing.T) {
	fault := os.Getenv(faultVariable)
	if fault == "" {
		return
	}
	s := cachetest.Suite{Open: func(*testing.T) cache.Store {
		return &faulty{Memory: cache.NewMemory(cache.MemoryConfig{}), fault: fault, seen: map[cache.Key]bool{}}
	}}
	if fault == "trusts what it reads" {
		s.Damage = func(t *testing.T, store cache.Store, key cache.Key, n int) bool { return n == 0 }
	}
	cachetest.Test(t, s)
}

// The suite finds each fault, in the test that is meant to.
func TestTestFindsFaults(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for fault, test := range faults {
		t.Run(fault, func(t *testing.T) {
			c := exec.Command(self, "-test.run=^TestFaulty$/^"+test+"$", "-test.v", "-test.timeout=3s")
			c.Env = append(os.Environ(), faultVariable+"="+fault)
			out, err := c.CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s", out)
			assert.Regexp(t, `--- FAIL: TestFaulty|panic: test timed out`, string(out))
		})
	}
}
