package cache_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// logged makes a Disk and what it logs.
func logged(dir string) (*cache.Disk, *bytes.Buffer) {
	var log bytes.Buffer
	return cache.NewDisk(cache.DiskConfig{Dir: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))}), &log
}

// unusable uses a folder that can't be used, as a service does: no call hangs,
// a Tiered above has no error, and there is one warning that says why.
func unusable(t *testing.T, dir, why string) {
	t.Helper()
	ctx := context.Background()
	disk, log := logged(dir)
	s := cache.NewTiered(cache.TieredConfig{}, disk)
	for i := 1000; i < 1003; i++ {
		_, err := s.Get(ctx, cachetest.Key(i))
		require.ErrorIs(t, err, cache.ErrMiss)
		unlock, err := s.Lock(ctx, cachetest.Key(i))
		require.NoError(t, err)
		require.NoError(t, s.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 100)))
		unlock()
	}
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	assert.Contains(t, log.String(), why)
	assert.Contains(t, log.String(), "level=WARN")
	assert.Error(t, disk.Put(ctx, cachetest.Key(1000), cachetest.Entry(1, 100)), "who asks is told")
	assert.ErrorContains(t, disk.Problem(), why)
}

// What is missing is made, for this user alone, and is no trouble until then.
func TestDiskMakesItsFolder(t *testing.T) {
	ctx := context.Background()
	top := t.TempDir()
	disk, log := logged(filepath.Join(top, "a", "b", "purecuda"))
	_, err := disk.Get(ctx, cachetest.Key(1))
	require.ErrorIs(t, err, cache.ErrMiss)
	usage, err := cache.UsageOf(ctx, disk)
	require.NoError(t, err)
	require.Zero(t, usage)
	_, err = disk.Trim(ctx)
	require.NoError(t, err)
	made, err := os.ReadDir(top)
	require.NoError(t, err)
	require.Empty(t, made, "reading makes nothing")

	for range 2 { // the second time after everything was removed beside it
		require.NoError(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 100)))
		_, err = disk.Get(ctx, cachetest.Key(1))
		require.NoError(t, err)
		if runtime.GOOS != "windows" {
			for _, file := range []string{disk.Dir(), filepath.Dir(fileOf(disk, cachetest.Key(1))), fileOf(disk, cachetest.Key(1))} {
				info, err := os.Stat(file)
				require.NoError(t, err)
				assert.Zero(t, info.Mode().Perm()&0o077, "%s: %v", file, info.Mode())
			}
		}
		require.NoError(t, os.RemoveAll(disk.Dir()))
		_, err = disk.Get(ctx, cachetest.Key(1))
		require.ErrorIs(t, err, cache.ErrMiss)
		unlock, err := disk.Lock(ctx, cachetest.Key(1))
		require.NoError(t, err)
		unlock()
	}
	assert.Empty(t, log.String())
}

func TestDiskUnusable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	unusable(t, file, "not a folder")
	unusable(t, filepath.Join(file, "below"), "can't be") // the system's words differ
}

// Without a home there is no user's cache folder.
func TestDiskWithoutAHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Setenv("LocalAppData", "")
	}
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	unusable(t, "", "defined")
}

// The time of last use decides what goes when there is no room.
func TestDiskEvicts(t *testing.T) {
	ctx := context.Background()
	const size, bound = 10_000, 100_000
	dir := filepath.Join(t.TempDir(), "cache")
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir, MaxBytes: bound})
	old := time.Now().Add(-3 * time.Hour)
	for i := range 8 {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, size)))
		at := old.Add(time.Duration(i) * time.Minute)
		require.NoError(t, os.Chtimes(fileOf(disk, cachetest.Key(i)), at, at))
	}
	_, err := disk.Get(ctx, cachetest.Key(0))
	require.NoError(t, err)
	_, err = cache.Verify(ctx, disk) // is no use
	require.NoError(t, err)
	exported(t, disk)
	for i := 8; i < 11; i++ {
		// Each process has a Disk of its own, and knows nothing of the others'.
		other := cache.NewDisk(cache.DiskConfig{Dir: dir, MaxBytes: bound})
		require.NoError(t, other.Put(ctx, cachetest.Key(i), cachetest.Entry(i, size)))
		usage, err := cache.UsageOf(ctx, disk)
		require.NoError(t, err)
		assert.LessOrEqual(t, usage.Bytes, int64(bound))
	}
	var left []int
	for i := range 11 {
		if _, err := disk.Get(ctx, cachetest.Key(i)); err == nil {
			left = append(left, i)
		}
	}
	assert.Equal(t, []int{0, 5, 6, 7, 8, 9, 10}, left)
}

// Who names a folder with other things in it keeps them.
func TestDiskLeavesOthersFiles(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir, MaxBytes: 20_000})
	require.NoError(t, os.Chmod(dir, 0o755))
	name := cachetest.Key(1).String()
	others := []string{"notes", "size", "trim.lock", "01/notes", "01/" + name[2:] + ".new", "01/" + name[2:] + ".txt", "ab/new-1", "ab/x.lock", "go/" + name[2:], "0/" + name[1:]}
	old := time.Now().Add(-100 * cache.Abandoned)
	for _, other := range others {
		file := filepath.Join(dir, other)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, make([]byte, 30_000), 0o644))
		require.NoError(t, os.Chtimes(file, old, old))
	}
	for i := range 5 {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10_000)))
	}
	_, err := cache.Repair(ctx, disk)
	require.NoError(t, err)
	n, err := cache.Clear(ctx, disk)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	for _, other := range others {
		assert.FileExists(t, filepath.Join(dir, other))
	}
}

// The account of what is there may be lost: it is made anew.
func TestDiskCountsAnew(t *testing.T) {
	ctx := context.Background()
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache"), MaxBytes: 100_000})
	for i := range 8 {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10_000)))
	}
	require.NoError(t, os.Remove(filepath.Join(disk.Dir(), "purecuda.size")))
	_, err := cache.Repair(ctx, disk)
	require.NoError(t, err)
	for i := 8; i < 12; i++ {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 10_000)))
	}
	usage, err := cache.UsageOf(ctx, disk)
	require.NoError(t, err)
	assert.LessOrEqual(t, usage.Bytes, int64(100_000))
	assert.NotZero(t, disk.Stats().Evicted)
}

// An entry cut to any length is a miss, and the next Put mends it.
func TestDiskTruncated(t *testing.T) {
	ctx := context.Background()
	disk, log := logged(filepath.Join(t.TempDir(), "cache"))
	key, e := cachetest.Key(1), cachetest.Entry(1, 100)
	require.NoError(t, disk.Put(ctx, key, e))
	whole, err := os.ReadFile(fileOf(disk, key))
	require.NoError(t, err)
	for n := range whole {
		require.NoError(t, os.WriteFile(fileOf(disk, key), whole[:n], 0o600))
		got, err := disk.Get(ctx, key)
		require.ErrorIs(t, err, cache.ErrMiss, "cut to %d", n)
		require.Nil(t, got)
	}
	require.NoError(t, disk.Put(ctx, key, e))
	got, err := disk.Get(ctx, key)
	require.NoError(t, err)
	assert.True(t, got.Equal(e))
	assert.Empty(t, log.String())
	assert.EqualValues(t, len(whole), disk.Stats().Damaged)
}
