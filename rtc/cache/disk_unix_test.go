//go:build unix

package cache_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// A folder that is not surely this user's alone is not used: a cubin is code.
func TestDiskTrusts(t *testing.T) {
	folder := func(mode os.FileMode) string {
		dir := filepath.Join(t.TempDir(), "cache")
		disk := cache.NewDisk(cache.DiskConfig{Dir: dir})
		require.NoError(t, disk.Put(context.Background(), cachetest.Key(1), cachetest.Entry(1, 100)))
		require.NoError(t, os.Chmod(dir, mode))
		return dir
	}
	unusable(t, folder(0o777), "other users")
	unusable(t, folder(0o770), "other users")
	unusable(t, folder(0o702), "other users")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(folder(0o700), link))
	unusable(t, link, "symbolic link")
	if os.Geteuid() == 0 {
		dir := folder(0o700)
		require.NoError(t, os.Chown(dir, 12345, 12345))
		unusable(t, dir, "another user")
	}

	disk, log := logged(folder(0o755)) // others may read
	_, err := disk.Get(context.Background(), cachetest.Key(1))
	require.NoError(t, err)
	assert.Empty(t, log.String())
}

// What is no regular file of this user's is no entry: no link is followed, no
// pipe waited for.
func TestDiskOtherFiles(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	disk, log := logged(dir)
	key, e := cachetest.Key(1), cachetest.Entry(1, 100)
	ways := map[string]func(file, moved string){
		"link":   func(file, moved string) { require.NoError(t, os.Symlink(moved, file)) },
		"pipe":   func(file, _ string) { require.NoError(t, syscall.Mkfifo(file, 0o600)) },
		"folder": func(file, _ string) { require.NoError(t, os.Mkdir(file, 0o700)) },
		"sparse": func(file, _ string) {
			f, err := os.Create(file)
			require.NoError(t, err)
			require.NoError(t, f.Truncate(1<<40))
			require.NoError(t, f.Close())
		},
	}
	if os.Geteuid() == 0 {
		ways["another user's"] = func(file, moved string) {
			require.NoError(t, os.Rename(moved, file))
			require.NoError(t, os.Chown(file, 12345, 12345))
		}
	}
	for name, way := range ways {
		require.NoError(t, disk.Put(ctx, key, e), name)
		file, moved := fileOf(disk, key), filepath.Join(t.TempDir(), "moved")
		require.NoError(t, os.Rename(file, moved))
		way(file, moved)
		began := time.Now()
		_, err := disk.Get(ctx, key)
		assert.ErrorIs(t, err, cache.ErrMiss, name)
		assert.Less(t, time.Since(began), time.Second, name)
		if name == "folder" {
			require.NoError(t, os.Remove(file))
			continue
		}
		require.NoError(t, disk.Put(ctx, key, e), name)
		_, err = disk.Get(ctx, key)
		assert.NoError(t, err, name)
	}
	assert.Empty(t, log.String())
}

// A pipe where the length is kept doesn't hang a Put, and the bound is kept again.
func TestDiskSizeIsAPipe(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "purecuda.size"), 0o600))
	disk := cache.NewDisk(cache.DiskConfig{Dir: dir})
	done := make(chan error, 1)
	go func() { done <- disk.Put(t.Context(), cachetest.Key(1), cachetest.Entry(1, 10)) }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("it hangs")
	}
	info, err := os.Lstat(filepath.Join(dir, "purecuda.size"))
	require.NoError(t, err)
	assert.True(t, info.Mode().IsRegular())
}

// A folder in an entry's place is found and removed, so that the entry can be put again.
func TestDiskFolderForAnEntry(t *testing.T) {
	disk := cache.NewDisk(cache.DiskConfig{Dir: t.TempDir()})
	key := cachetest.Key(1)
	file := filepath.Join(disk.Dir(), key.String()[:2], key.String()[2:])
	require.NoError(t, os.MkdirAll(filepath.Join(file, "inside"), 0o700))
	require.Error(t, disk.Put(t.Context(), key, cachetest.Entry(1, 10)))
	r, err := cache.Repair(t.Context(), disk)
	require.NoError(t, err)
	require.Len(t, r.Damaged, 1)
	assert.Equal(t, key, r.Damaged[0].Key)
	require.NoError(t, disk.Put(t.Context(), key, cachetest.Entry(1, 10)))
}
