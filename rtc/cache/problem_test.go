package cache_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func TestProblem(t *testing.T) {
	top := t.TempDir()
	file := filepath.Join(top, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))

	for _, good := range []string{filepath.Join(top, "new"), filepath.Join(top, "a", "b", "new"), top} {
		require.NoError(t, os.Chmod(top, 0o700))
		require.NoError(t, cache.NewDisk(cache.DiskConfig{Dir: good}).Problem(), good)
	}
	left, err := os.ReadDir(top)
	require.NoError(t, err)
	assert.Len(t, left, 1, "asking makes nothing")

	disk := cache.NewDisk(cache.DiskConfig{Dir: file})
	require.EqualError(t, disk.Problem(), "cache: "+file+" is not a folder")
	below := filepath.Join(file, "cache")
	require.ErrorContains(t, cache.NewDisk(cache.DiskConfig{Dir: below}).Problem(), below)

	// It is asked about now, whatever was before.
	disk = cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(top, "cache")})
	require.NoError(t, disk.Put(context.Background(), cachetest.Key(1), cachetest.Entry(1, 10)))
	require.NoError(t, disk.Problem())
	require.NoError(t, os.RemoveAll(disk.Dir()))
	require.NoError(t, os.WriteFile(disk.Dir(), nil, 0o600))
	require.ErrorContains(t, disk.Problem(), "is not a folder")
	require.NoError(t, os.Remove(disk.Dir()))
	require.NoError(t, disk.Problem())
	require.NoError(t, disk.Close())
	require.ErrorIs(t, disk.Problem(), cache.ErrClosed)
}

func TestDefault(t *testing.T) {
	ctx := context.Background()
	for _, off := range []string{"off", "OFF"} {
		t.Setenv("PURECUDA_CACHE", off)
		assert.Nil(t, cache.Default(cache.OpenConfig{}))
		require.NoError(t, cache.Default(cache.OpenConfig{}).Problem())
		_, err := cache.Open("disk:?size=1MiB", cache.OpenConfig{})
		require.ErrorIs(t, err, cache.ErrOff)
		require.EqualError(t, err, "cache: open disk:?size=1MiB: the cache is off (PURECUDA_CACHE)")
		named, err := cache.Open("disk:"+filepath.ToSlash(t.TempDir()), cache.OpenConfig{})
		require.NoError(t, err, "who names a folder means it")
		require.NoError(t, named.Close())
	}
	folder := filepath.Join(t.TempDir(), "kept")
	t.Setenv("PURECUDA_CACHE", folder)
	disk := cache.Default(cache.OpenConfig{})
	assert.Equal(t, folder, disk.Dir())
	opened, err := cache.Open("disk:?size=64KiB", cache.OpenConfig{})
	require.NoError(t, err)
	assert.Equal(t, folder, opened.(*cache.Disk).Dir())
	assert.ErrorIs(t, opened.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 66_000)), cache.ErrTooLarge)
	require.NoError(t, disk.Problem())
	require.NoError(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 10)))
	assert.FileExists(t, fileOf(disk, cachetest.Key(1)))

	// A relative folder is refused, not made.
	t.Chdir(t.TempDir())
	t.Setenv("PURECUDA_CACHE", "kept")
	disk = cache.Default(cache.OpenConfig{})
	require.EqualError(t, disk.Problem(), `cache: PURECUDA_CACHE is "kept", a relative folder: give it from the root on, or "off"`)
	require.Error(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 10)))
	assert.NoFileExists(t, "kept")

	t.Setenv("PURECUDA_CACHE", "")
	assert.Equal(t, cache.NewDisk(cache.DiskConfig{}).Dir(), cache.Default(cache.OpenConfig{}).Dir())
}
