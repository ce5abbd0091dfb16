package cache_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func init() {
	roles["write"] = writeRole
	roles["lock"] = lockRole
	roles["count"] = countRole
}

const versions = 7

// variant is one of the entries that processes put under key k, told by its
// size as well.
func variant(k, v int) *cache.Entry { return cachetest.Entry(k*versions+v, 2000+1500*v+k) }

// isVariant tells whether e is one of those.
func isVariant(k int, e *cache.Entry) bool {
	for v := range versions {
		if e.Equal(variant(k, v)) {
			return true
		}
	}
	return false
}

// writeRole puts and gets entries of keys at random for a number of rounds (or for
// ever: 0), and says each that is done. What it gets must be whole.
func writeRole(arguments []string) int {
	ctx := context.Background()
	numbers := make([]int, len(arguments)-1)
	for i, a := range arguments[1:] {
		numbers[i], _ = strconv.Atoi(a)
	}
	rounds, keys, bound := numbers[0], numbers[1], numbers[2]
	disk := cache.NewDisk(cache.DiskConfig{Dir: arguments[0], MaxBytes: int64(bound)})
	fmt.Println("begun")
	for i := 0; rounds == 0 || i < rounds; i++ {
		k := rand.IntN(keys)
		if err := disk.Put(ctx, cachetest.Key(k), variant(k, rand.IntN(versions))); err != nil {
			fmt.Fprintln(os.Stderr, "put:", err)
			return 1
		}
		fmt.Println("put")
		k = rand.IntN(keys)
		e, err := disk.Get(ctx, cachetest.Key(k))
		var damaged *cache.DamagedError
		if err == nil && !isVariant(k, e) || err != nil && (!errors.Is(err, cache.ErrMiss) || errors.As(err, &damaged)) {
			fmt.Fprintln(os.Stderr, "get:", err, "or a wrong entry")
			return 1
		}
	}
	return 0
}

// allWhole reads every entry of a folder and returns how many there are.
func allWhole(t *testing.T, dir string, keys int) (n int) {
	t.Helper()
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir})
	for k := range keys {
		e, err := disk.Get(context.Background(), cachetest.Key(k))
		if err == nil {
			n++
			require.True(t, isVariant(k, e), "key %d: a wrong entry", k)
			continue
		}
		var damaged *cache.DamagedError
		require.ErrorIs(t, err, cache.ErrMiss)
		require.False(t, errors.As(err, &damaged), "%v", err)
	}
	return n
}

// A writer that is killed at any point leaves no entry that is not whole. Its
// unfinished files are removed when they are old. A tenth of PURECUDA_SOAK is how
// many are killed.
func TestSoakKilledWriters(t *testing.T) {
	const keys, writes = 12, 1000
	enough := 40
	if rounds, err := strconv.Atoi(os.Getenv("PURECUDA_SOAK")); err == nil {
		enough = max(enough, rounds/10)
	}
	dir := filepath.Join(t.TempDir(), "cache")
	done, kills := 0, 0
	began := time.Now()
	for done < writes || kills < enough {
		c := child(t, "write", dir, "0", fmt.Sprint(keys), "0")
		lines := started(t, c)
		time.Sleep(time.Duration(rand.IntN(100_000)) * time.Microsecond)
		require.NoError(t, c.Process.Kill())
		said, _ := io.ReadAll(lines)
		_ = c.Wait()
		done += strings.Count(string(said), "put\n")
		kills++
		allWhole(t, dir, keys)
	}
	assert.Equal(t, keys, allWhole(t, dir, keys))
	left := leftOvers(t, dir)
	t.Logf("soak: %d kills in %d writes left %d unfinished files, in %v", kills, done, len(left), time.Since(began).Round(time.Second))
	assert.NotEmpty(t, left, "no kill came while an entry was written: nothing was tested")

	disk := cache.NewDisk(cache.DiskConfig{Dir: dir})
	_, err := disk.Trim(context.Background())
	require.NoError(t, err)
	assert.Len(t, leftOvers(t, dir), len(left), "somebody may be writing them")
	old := time.Now().Add(-cache.Abandoned - time.Minute)
	for _, file := range left {
		require.NoError(t, os.Chtimes(file, old, old))
	}
	_, err = disk.Trim(context.Background())
	require.NoError(t, err)
	assert.Empty(t, leftOvers(t, dir))
	assert.Equal(t, keys, allWhole(t, dir, keys))
}

// leftOvers lists the files beside the entries.
func leftOvers(t *testing.T, dir string) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "??", "*"))
	require.NoError(t, err)
	for _, file := range all {
		if len(filepath.Base(file)) != 62 {
			files = append(files, file)
		}
	}
	return files
}

// Many processes write, read and make room in one folder: each reads what is
// whole, none meets an error, and the bound holds.
func TestDiskManyProcesses(t *testing.T) {
	const processes, rounds, keys, bound = 16, 40, 30, 100_000
	dir := filepath.Join(t.TempDir(), "cache")
	var wait []func() error
	for range processes {
		c := child(t, "write", dir, fmt.Sprint(rounds), fmt.Sprint(keys), fmt.Sprint(bound))
		require.NoError(t, c.Start())
		wait = append(wait, c.Wait)
	}
	for _, w := range wait {
		assert.NoError(t, w())
	}
	n := allWhole(t, dir, keys)
	assert.NotZero(t, n)
	assert.Less(t, n, keys, "all of them take more than the bound")
	assert.Empty(t, leftOvers(t, dir))
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir, MaxBytes: bound})
	_, err := disk.Trim(context.Background()) // one may have written while another made room
	require.NoError(t, err)
	usage, err := cache.UsageOf(context.Background(), disk)
	require.NoError(t, err)
	assert.LessOrEqual(t, usage.Bytes, int64(bound))
}

// lockRole takes a lock, says so, and keeps it until it is killed.
func lockRole(arguments []string) int {
	disk := cache.NewDisk(cache.DiskConfig{Dir: arguments[0]})
	if _, err := disk.Lock(context.Background(), cachetest.Key(1)); err != nil {
		return 1
	}
	fmt.Println("locked")
	time.Sleep(time.Minute)
	return 1
}

// The lock of a process that was killed is free at once; until then it is not.
func TestDiskLockOfADeadProcess(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir})
	for range 3 {
		c := child(t, "lock", dir)
		started(t, c)
		short, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		_, err := disk.Lock(short, cachetest.Key(1))
		cancel()
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, c.Process.Kill())
		_ = c.Wait()
		began := time.Now()
		unlock, err := disk.Lock(context.Background(), cachetest.Key(1))
		require.NoError(t, err)
		assert.Less(t, time.Since(began), 2*time.Second)
		unlock()
	}
	assert.Empty(t, leftOvers(t, dir), "an unlocked lock is gone")
}

// countRole adds one to a number in a file, slowly, under a lock.
func countRole(arguments []string) int {
	disk := cache.NewDisk(cache.DiskConfig{Dir: arguments[0]})
	for range 20 {
		unlock, err := disk.Lock(context.Background(), cachetest.Key(1))
		if err != nil {
			return 1
		}
		text, _ := os.ReadFile(arguments[1])
		n, _ := strconv.Atoi(string(text))
		time.Sleep(200 * time.Microsecond)
		if os.WriteFile(arguments[1], []byte(strconv.Itoa(n+1)), 0o600) != nil {
			return 1
		}
		unlock()
	}
	return 0
}

// A lock has one holder among processes, though its file comes and goes.
func TestDiskLockBetweenProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	counter := filepath.Join(t.TempDir(), "counter")
	var wait []func() error
	for range 8 {
		c := child(t, "count", dir, counter)
		require.NoError(t, c.Start())
		wait = append(wait, c.Wait)
	}
	for _, w := range wait {
		assert.NoError(t, w())
	}
	text, err := os.ReadFile(counter)
	require.NoError(t, err)
	assert.Equal(t, "160", string(text))
}
