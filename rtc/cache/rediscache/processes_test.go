//go:build unix

package rediscache_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/rediscache"
	"github.com/purecuda/purecuda/rtc/compile"
)

const (
	processes = 50
	kernels   = 20
	// childVariable has the test binary be one of many processes that compile:
	// the folder with the NVRTC, that of its host's disk cache, and Redis.
	childVariable = "PURECUDA_REDISCACHE_CHILD"
)

func TestMain(m *testing.M) {
	if line := os.Getenv(childVariable); line != "" {
		if err := child(strings.Split(line, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// A report is what a child did.
type report struct {
	compile.Stats
	Digest string // of all images that it got
}

func kernel(i int) compile.Request {
	return compile.Request{Source: fmt.Sprintf("extern \"C\" __global__ void k%d() {}\n", i)}
}

// tiers is a service over memory, disk and a Redis whose entries are signed.
func tiers(folder, disk, addr string) (*compile.Service, cache.Store, error) {
	c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Path: filepath.Join(folder, "libnvrtc.so"), Compile: func(c *nvrtctest.Compile) {
		time.Sleep(5 * time.Millisecond)
		c.Default()
	}}))
	if err != nil {
		return nil, nil, err
	}
	// A tier that a busy machine makes slow would be left out, and a kernel compiled twice.
	client := redis.NewClient(&redis.Options{
		Addr: addr, Protocol: 2, DisableIdentity: true, ContextTimeoutEnabled: true, MaxRetries: -1, DialerRetries: 1,
		DialTimeout: patience, ReadTimeout: patience,
	})
	far, err := rediscache.New(client, rediscache.Config{Sign: [][]byte{newKey}, Timeout: patience})
	if err != nil {
		return nil, nil, err
	}
	store := cache.NewTiered(cache.TieredConfig{Timeout: patience, WriteTimeout: patience},
		cache.NewMemory(cache.MemoryConfig{}), cache.NewDisk(cache.DiskConfig{Dir: disk}), far)
	return compile.NewService(compile.Config{Compiler: c, Store: store, MaxThreads: 2}), store, nil
}

// child has a service compile all kernels.
func child(arguments []string) error {
	s, store, err := tiers(arguments[0], arguments[1], arguments[2])
	if err != nil {
		return err
	}
	defer store.Close()
	defer s.Close()
	var jobs []*compile.Job
	for i := range kernels {
		j, err := s.Submit(context.Background(), kernel(i))
		if err != nil {
			return err
		}
		jobs = append(jobs, j)
	}
	h := sha256.New()
	for i, j := range jobs {
		r, err := j.Wait(context.Background())
		if err != nil {
			return err
		}
		if !bytes.Contains(r.Entry.Image, fmt.Appendf(nil, ".entry k%d(", i)) {
			return fmt.Errorf("kernel %d: a wrong artifact: %q", i, r.Entry.Image)
		}
		h.Write(r.Entry.Image)
	}
	return json.NewEncoder(os.Stdout).Encode(report{s.Stats(), fmt.Sprintf("%x", h.Sum(nil))})
}

// children runs so many at the same time and returns what they did, all together.
func children(t *testing.T, n int, folder, disk, addr string) (sum compile.Stats) {
	self, err := os.Executable()
	require.NoError(t, err)
	reports := make([]report, n)
	var all sync.WaitGroup
	for i := range reports {
		all.Go(func() {
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), childVariable+"="+strings.Join([]string{folder, disk, addr}, "\n"))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			if assert.NoError(t, err) {
				assert.NoError(t, json.Unmarshal(out, &reports[i]), "%s", out)
			}
		})
	}
	all.Wait()
	for _, r := range reports {
		assert.Equal(t, uint64(kernels), r.Succeeded)
		assert.Equal(t, reports[0].Digest, r.Digest)
		sum.Compiles += r.Compiles
		sum.Cached += r.Cached
	}
	return sum
}

// plant puts wrong entries under the keys of all kernels: whole ones that say
// that they are of the key, but that somebody else signed or nobody; such of
// another key; and what is no entry.
func plant(t *testing.T, folder string, s *server) {
	ctx := context.Background()
	service, store, err := tiers(folder, filepath.Join(t.TempDir(), "none"), s.addr)
	require.NoError(t, err)
	defer store.Close()
	defer service.Close()
	var keys []cache.Key
	for i := range kernels {
		found, err := service.Lookup(ctx, kernel(i))
		require.NoError(t, err)
		require.Empty(t, found.Uncached)
		require.Nil(t, found.Entry)
		keys = append(keys, found.Key)
	}
	client := s.client()
	put := func(key cache.Key, sign ...[]byte) {
		other, err := rediscache.New(s.client(), rediscache.Config{Sign: sign})
		require.NoError(t, err)
		require.NoError(t, other.Put(ctx, key, &cache.Entry{Kind: cache.PTX, Image: []byte("// .entry evil(")}))
	}
	for i, key := range keys {
		name := "purecuda:" + key.String()
		switch i % 5 {
		case 0:
			put(key, oldKey)
		case 1:
			put(key)
		case 2:
			put(keys[(i+1)%kernels], newKey) // rightly signed, for another
			text, err := client.Get(ctx, "purecuda:"+keys[(i+1)%kernels].String()).Result()
			require.NoError(t, err)
			require.NoError(t, client.Del(ctx, "purecuda:"+keys[(i+1)%kernels].String()).Err())
			require.NoError(t, client.Set(ctx, name, text, 0).Err())
		case 3:
			require.NoError(t, client.Set(ctx, name, bytes.Repeat([]byte("x"), 100_000), 0).Err())
		case 4:
			require.NoError(t, client.LPush(ctx, name, "x").Err())
		}
	}
}

// TestManyProcesses: 50 processes that ask for the same 20 kernels at the same
// time compile each of them once, all together, though wrong entries lie in
// Redis. Another host finds all of them there.
func TestManyProcesses(t *testing.T) {
	s, folder := start(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "libnvrtc.so"), []byte("double"), 0o600))
	plant(t, folder, s)
	sum := children(t, processes, folder, filepath.Join(folder, "one"), s.addr)
	assert.Equal(t, uint64(kernels), sum.Compiles, "each once")
	assert.Equal(t, uint64((processes-1)*kernels), sum.Cached)
	sum = children(t, 3, folder, filepath.Join(folder, "two"), s.addr)
	assert.Zero(t, sum.Compiles)
	assert.Equal(t, uint64(3*kernels), sum.Cached)
}

// TestManyProcessesAndAKill: the same while Redis is killed, and comes back
// empty: no process notices.
func TestManyProcessesAndAKill(t *testing.T) {
	s, folder := start(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "libnvrtc.so"), []byte("double"), 0o600))
	plant(t, folder, s)
	var sum compile.Stats
	done := make(chan struct{})
	go func() {
		defer close(done)
		sum = children(t, processes, folder, filepath.Join(folder, "one"), s.addr)
	}()
	eventually(t, "a first kernel to be in the cache", func() error {
		if files, _ := filepath.Glob(filepath.Join(folder, "one", "??", "*")); len(files) == 0 {
			return assert.AnError
		}
		return nil
	})
	s.kill()
	time.Sleep(100 * time.Millisecond)
	s.run()
	<-done
	assert.Equal(t, uint64(kernels), sum.Compiles, "each once")
	assert.Equal(t, uint64((processes-1)*kernels), sum.Cached)
}
