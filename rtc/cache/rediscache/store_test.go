//go:build unix

package rediscache_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
	"github.com/purecuda/purecuda/rtc/cache/rediscache"
)

func init() { logging.Disable() } // of servers that are killed

var (
	oldKey = []byte("a key of 16 bytes or more")
	newKey = bytes.Repeat([]byte{7}, 32)
)

// open opens a store. Without a timeout of its own it has patience.
func open(t testing.TB, text string) *rediscache.Store {
	t.Helper()
	if !strings.Contains(text, "timeout=") {
		mark := "?"
		if strings.Contains(text, mark) {
			mark = "&"
		}
		text += mark + "timeout=" + patience.String()
	}
	s, err := cache.Open(text, cache.OpenConfig{})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	return s.(*rediscache.Store)
}

// suite is the conformance suite on what a URL names. Tests tell each other's
// entries apart by their prefix.
func suite(text string, client redis.UniversalClient, sign ...[]byte) cachetest.Suite {
	var n atomic.Int32
	return cachetest.Suite{
		Open: func(t *testing.T) cache.Store {
			prefix := t.Name() + string(rune('a'+n.Add(1))) + "[*]?:"
			if len(sign) == 0 {
				return open(t, text+"prefix="+url.QueryEscape(prefix))
			}
			s, err := rediscache.New(redis.NewClient(client.(*redis.Client).Options()), rediscache.Config{Prefix: prefix, Sign: sign, Timeout: patience})
			require.NoError(t, err)
			return s
		},
		Damage: func(t *testing.T, s cache.Store, key cache.Key, n int) bool {
			ctx := context.Background()
			name, other := nameOf(t, client, key), nameOf(t, client, cachetest.Key(2))
			data, err := client.Get(ctx, name).Bytes()
			require.NoError(t, err)
			theirs, err := client.Get(ctx, other).Bytes()
			require.NoError(t, err)
			ways := []func(){
				func() { data = data[:len(data)-1] },
				func() { data = data[:1] },
				func() { data = append(data, 0) },
				func() { data[len(data)/2] ^= 1 },
				func() { data[len(data)-1] ^= 1 },
				func() { data = bytes.Repeat([]byte{'x'}, 40<<20) }, // not read to its end
				func() { data = theirs },
				func() { data = nil }, // a list, see below
			}
			if n >= len(ways) {
				return false
			}
			ways[n]()
			if data == nil {
				require.NoError(t, client.Del(ctx, name).Err())
				require.NoError(t, client.LPush(ctx, name, "x").Err())
			} else {
				require.NoError(t, client.Set(ctx, name, data, 0).Err())
			}
			return true
		},
	}
}

// nameOf finds the only name of a key in Redis.
func nameOf(t *testing.T, client redis.UniversalClient, key cache.Key) string {
	t.Helper()
	var mu sync.Mutex
	var names []string
	each := func(ctx context.Context, c *redis.Client) error {
		found, err := c.Keys(ctx, "*"+key.String()).Result()
		mu.Lock()
		defer mu.Unlock()
		names = append(names, found...)
		return err
	}
	if c, ok := client.(*redis.ClusterClient); ok {
		require.NoError(t, c.ForEachMaster(context.Background(), each))
	} else {
		require.NoError(t, each(context.Background(), client.(*redis.Client)))
	}
	for _, name := range names {
		if strings.HasPrefix(name, t.Name()) {
			return name
		}
	}
	t.Fatalf("%v is not among %q", key, names)
	return ""
}

func TestStore(t *testing.T) {
	s := start(t)
	cachetest.Test(t, suite("redis://"+s.addr+"/3?", s.client(func(o *redis.Options) { o.DB = 3 })))
}

func TestStoreSigned(t *testing.T) {
	s := start(t)
	cachetest.Test(t, suite("", s.client(), newKey, oldKey))
}

func TestStoreInACluster(t *testing.T) {
	nodes := cluster(t)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: []string{nodes[0].addr}, Protocol: 2})
	defer client.Close()
	cachetest.Test(t, suite("redis-cluster://"+nodes[1].addr+"?addr="+nodes[2].addr+"&", client))
	for _, n := range nodes {
		size, err := n.client().DBSize(context.Background()).Result()
		require.NoError(t, err)
		assert.NotZero(t, size, "each node has some of the entries")
	}
}

func TestStoreBehindASentinel(t *testing.T) {
	s := start(t)
	cachetest.Test(t, suite("redis-sentinel://"+sentinel(t, s).addr+"?master=main&", s.client()))
}

// What was put goes after the TTL.
func TestTTL(t *testing.T) {
	s, ctx := start(t), context.Background()
	key := cachetest.Key(1)
	for text, want := range map[string]time.Duration{"?ttl=1h": time.Hour, "?": 30 * 24 * time.Hour} {
		store := open(t, "redis://"+s.addr+text)
		require.NoError(t, store.Put(ctx, key, cachetest.Entry(1, 10)))
		left, err := s.client().PTTL(ctx, "purecuda:"+key.String()).Result()
		require.NoError(t, err)
		assert.InDelta(t, want, left, float64(10*time.Second))
	}
	forEver, err := rediscache.New(redis.NewClient(&redis.Options{Addr: s.addr}), rediscache.Config{TTL: -1, Timeout: patience})
	require.NoError(t, err)
	defer forEver.Close()
	require.NoError(t, forEver.Put(ctx, key, cachetest.Entry(1, 10)))
	left, err := s.client().PTTL(ctx, "purecuda:"+key.String()).Result()
	require.NoError(t, err)
	assert.EqualValues(t, -1, left)

	short := open(t, "redis://"+s.addr+"?ttl=50ms&prefix=short:")
	require.NoError(t, short.Put(ctx, key, cachetest.Entry(1, 10)))
	eventually(t, "the entry to go", func() error {
		if _, err := short.Get(ctx, key); err != cache.ErrMiss {
			return assert.AnError
		}
		return nil
	})
}

func TestMaxEntry(t *testing.T) {
	s, ctx := start(t), context.Background()
	small := open(t, "redis://"+s.addr+"?max=20KiB")
	require.NoError(t, small.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 19_000)))
	_, err := small.Get(ctx, cachetest.Key(1))
	require.NoError(t, err)
	assert.ErrorIs(t, small.Put(ctx, cachetest.Key(2), cachetest.Entry(2, 21_000)), cache.ErrTooLarge)
	_, err = small.Get(ctx, cachetest.Key(2))
	assert.Equal(t, cache.ErrMiss, err)

	large := open(t, "redis://"+s.addr+"?max=1MiB") // another program's
	require.NoError(t, large.Put(ctx, cachetest.Key(2), cachetest.Entry(2, 21_000)))
	_, err = small.Get(ctx, cachetest.Key(2))
	assert.ErrorIs(t, err, cache.ErrMiss)
	assert.ErrorContains(t, err, "larger than 20480 bytes")
}

// Entries are taken from whom one shares a key with, as keys come and go.
func TestSign(t *testing.T) {
	s, ctx := start(t), context.Background()
	store := func(keys ...[]byte) *rediscache.Store {
		store, err := rediscache.New(redis.NewClient(&redis.Options{Addr: s.addr}), rediscache.Config{Sign: keys, Timeout: patience})
		require.NoError(t, err)
		t.Cleanup(func() { store.Close() })
		return store
	}
	plain, before, during, after := store(), store(oldKey), store(newKey, oldKey), store(newKey)
	reads := func(from *rediscache.Store, n int, want string) {
		t.Helper()
		e, err := from.Get(ctx, cachetest.Key(n))
		if want == "" {
			require.NoError(t, err)
			require.True(t, e.Equal(cachetest.Entry(n, 100)))
			return
		}
		require.ErrorIs(t, err, cache.ErrMiss)
		require.ErrorContains(t, err, want)
	}
	for n, from := range []*rediscache.Store{plain, before, during} {
		require.NoError(t, from.Put(ctx, cachetest.Key(n), cachetest.Entry(n, 100)))
	}
	reads(plain, 0, "")
	reads(before, 0, "none of the shared keys")
	reads(during, 0, "none of the shared keys")
	reads(before, 1, "")
	reads(during, 1, "")
	reads(after, 1, "none of the shared keys")
	reads(before, 2, "none of the shared keys")
	reads(during, 2, "")
	reads(after, 2, "")

	// A signed entry under another's name is whole, and refused all the same.
	client := s.client()
	data, err := client.Get(ctx, "purecuda:"+cachetest.Key(2).String()).Result()
	require.NoError(t, err)
	require.NoError(t, client.Set(ctx, "purecuda:"+cachetest.Key(3).String(), data, 0).Err())
	reads(after, 3, "another key")
	for n := range 40 { // shorter than a signature
		require.NoError(t, client.Set(ctx, "purecuda:"+cachetest.Key(3).String(), data[:n+1], 0).Err())
		_, err := after.Get(ctx, cachetest.Key(3))
		require.ErrorIs(t, err, cache.ErrMiss)
	}
	_, err = rediscache.New(client, rediscache.Config{Sign: [][]byte{newKey, []byte("short")}})
	assert.ErrorContains(t, err, "key 2 to sign with has 5 bytes")
}

// A server that says nothing costs the timeout: left alone, the client tries for ten seconds.
func TestTimeout(t *testing.T) {
	s, ctx := start(t), context.Background()
	require.NoError(t, open(t, "redis://"+s.addr).Put(ctx, cachetest.Key(1), cachetest.Entry(1, 100)))
	store := open(t, "redis://"+s.addr+"?timeout=100ms")
	require.NoError(t, syscall.Kill(s.pid, syscall.SIGSTOP))
	for _, call := range []func() error{
		func() error { _, err := store.Get(ctx, cachetest.Key(1)); return err },
		func() error { return store.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 100)) },
		func() error { return store.Delete(ctx, cachetest.Key(1)) },
	} {
		began := time.Now()
		err := call()
		assert.Error(t, err)
		assert.NotErrorIs(t, err, cache.ErrMiss, "it may be there")
		assert.Less(t, time.Since(began), 4*time.Second)
	}
	assert.EqualValues(t, 2, store.Stats().Failed)
	require.NoError(t, syscall.Kill(s.pid, syscall.SIGCONT))
	eventually(t, "the server", func() error { _, err := store.Get(ctx, cachetest.Key(1)); return err })
}

// kill -9 of Redis while a service works: nobody sees an error or a wrong
// entry, what is in memory is served, and when Redis is back it serves too.
func TestKilledInMidRun(t *testing.T) {
	s, ctx := start(t), context.Background()
	var log bytes.Buffer
	far := open(t, "redis://"+s.addr+"?timeout=200ms")
	store := cache.NewTiered(cache.TieredConfig{Logger: slog.New(slog.NewTextHandler(&log, nil))},
		cache.NewMemory(cache.MemoryConfig{MaxBytes: 60_000}), far)
	const keys = 40 // some 25 fit into memory
	var stop atomic.Bool
	var all sync.WaitGroup
	var hits atomic.Int64
	var slowest [4]time.Duration
	for w := range slowest {
		all.Go(func() {
			for i := w; !stop.Load(); i++ {
				k := i * 7 % keys
				began := time.Now()
				e, err := store.Get(ctx, cachetest.Key(k))
				if err == nil {
					hits.Add(1)
					if !e.Equal(cachetest.Entry(k, 1500)) {
						t.Error("a wrong entry")
					}
				} else if err != cache.ErrMiss {
					t.Error(err)
				} else if err := store.Put(ctx, cachetest.Key(k), cachetest.Entry(k, 1500)); err != nil {
					t.Error(err)
				}
				slowest[w] = max(slowest[w], time.Since(began))
				time.Sleep(time.Millisecond)
			}
		})
	}
	time.Sleep(300 * time.Millisecond)
	s.kill()
	time.Sleep(1500 * time.Millisecond)
	before := hits.Load()
	time.Sleep(200 * time.Millisecond)
	assert.Greater(t, hits.Load(), before, "memory goes on")
	eventually(t, "the tier to be left out", func() error {
		if !store.Tiers()[1].Down { // for a moment, while it is tried again
			return assert.AnError
		}
		return nil
	})
	s.run()
	eventually(t, "the tier to be back", func() error {
		if store.Tiers()[1].Down || far.Stats().Hits == 0 {
			return assert.AnError
		}
		n, err := s.client().DBSize(ctx).Result()
		if err == nil && n < keys/2 {
			err = assert.AnError
		}
		return err
	})
	stop.Store(true)
	all.Wait()
	assert.NotZero(t, store.Stats().Skipped)
	assert.Less(t, slices.Max(slowest[:]), 2*time.Second)
	assert.Contains(t, log.String(), "left out")
	assert.Contains(t, log.String(), "again")
	assert.NoError(t, store.Close())
}

// A node of a cluster that dies takes its keys with it, and no others.
func TestKilledNode(t *testing.T) {
	nodes, ctx := cluster(t), context.Background()
	store := open(t, "redis-cluster://"+nodes[0].addr)
	for i := range 30 {
		require.NoError(t, store.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 100)))
	}
	for _, n := range nodes { // or a cluster with a part missing would answer nothing
		require.NoError(t, n.client().ConfigSet(ctx, "cluster-require-full-coverage", "no").Err())
	}
	nodes[2].kill()
	found := 0
	for i := range 30 {
		e, err := store.Get(ctx, cachetest.Key(i))
		if err == nil {
			found++
			assert.True(t, e.Equal(cachetest.Entry(i, 100)))
		} else {
			assert.NotErrorIs(t, err, cache.ErrMiss)
		}
	}
	assert.Greater(t, found, 10)
	assert.Less(t, found, 30)
}

// Where a sentinel has a replica take over, the store follows.
func TestFailover(t *testing.T) {
	main, ctx := start(t), context.Background()
	host, port, _ := net.SplitHostPort(main.addr)
	replica := start(t, "--replicaof", host, port, "--repl-diskless-sync-delay", "0")
	watch := sentinel(t, main)
	store := open(t, "redis-sentinel://"+watch.addr+"?master=main&timeout=300ms")
	key, e := cachetest.Key(1), cachetest.Entry(1, 1000)
	require.NoError(t, store.Put(ctx, key, e))
	eventually(t, "the replica to have it, and the sentinel to know the replica", func() error {
		if n, err := replica.client().Exists(ctx, "purecuda:"+key.String()).Result(); err != nil || n == 0 {
			return assert.AnError
		}
		known, err := watch.client().Do(ctx, "SENTINEL", "REPLICAS", "main").Slice()
		if err == nil && len(known) != 1 {
			err = assert.AnError
		}
		return err
	})
	main.kill()
	eventually(t, "the replica to take over", func() error { return store.Put(ctx, cachetest.Key(2), cachetest.Entry(2, 1000)) })
	got, err := store.Get(ctx, key)
	require.NoError(t, err)
	assert.True(t, got.Equal(e))
}
