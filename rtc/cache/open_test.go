package cache_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func TestOpen(t *testing.T) {
	ctx := context.Background()
	dir := filepath.ToSlash(filepath.Join(t.TempDir(), "a b"))
	at := (&url.URL{Path: dir}).EscapedPath()
	if at[0] != '/' {
		at = "/" + at
	}
	disk, err := cache.Open("disk://"+at+"?size=64KiB", cache.OpenConfig{})
	require.NoError(t, err)
	defer disk.Close()
	assert.Equal(t, filepath.FromSlash(dir), filepath.FromSlash(disk.(*cache.Disk).Dir()))
	require.NoError(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 60_000)))
	assert.ErrorIs(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 66_000)), cache.ErrTooLarge)

	t.Setenv("PURECUDA_CACHE", "")
	own, err := cache.Open("disk:", cache.OpenConfig{})
	require.NoError(t, err)
	assert.Equal(t, "purecuda", filepath.Base(own.(*cache.Disk).Dir()))

	_, err = cache.Open("disk:a%20b/c", cache.OpenConfig{})
	assert.ErrorContains(t, err, `"a b/c" is a relative folder`)

	memory, err := cache.Open("memory:?size=1MiB", cache.OpenConfig{})
	require.NoError(t, err)
	require.NoError(t, memory.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 1_000_000)))

	file := filepath.Join(filepath.FromSlash(dir), "kernels.cache")
	out, err := os.Create(file)
	require.NoError(t, err)
	_, err = cache.Export(ctx, disk, out)
	require.NoError(t, err)
	require.NoError(t, out.Close())
	archive, err := cache.Open("archive://"+at+"/kernels.cache", cache.OpenConfig{})
	require.NoError(t, err)
	_, err = archive.Get(ctx, cachetest.Key(1))
	require.NoError(t, err)

	for _, c := range []struct{ url, says string }{
		{"", `no store has the scheme ""`},
		{"/var/cache", `no store has the scheme ""`},
		{"redis://:secret@host/0", "rediscache"},
		{"redis-sentinel://host/0?master=m&sentinel-password=secret", "sentinel-password=xxxxx"},
		{"disk:?sentinel-password=secret&size=1x", "unknown parameter sentinel-password"},
		{"disk:?x=secret;y", "disk:"},
		{"redis://:secret@host:x/0", "invalid port"},
		{"floppy:", "archive, disk, memory"},
		{"memory:?size=1GB", "size=1GB is no size"},
		{"memory:?size=-1", "no size"},
		{"memory:?size=9999999999TiB", "no size"},
		{"memory:?size=1&size=2", "given 2 times"},
		{"memory:?bytes=1", "unknown parameter bytes: it takes size"},
		{"memory:/folder", "no path"},
		{"disk://folder", "three slashes"},
		{"disk:///x?a=%zz", "%zz"},
		{"archive:///none/such", "none/such"},
		{"archive:///none/such?x=1", "it takes none"},
	} {
		s, err := cache.Open(c.url, cache.OpenConfig{})
		assert.ErrorContains(t, err, c.says, c.url)
		assert.Nil(t, s, c.url)
		if err != nil {
			assert.NotContains(t, err.Error(), "secret")
		}
	}
}

var registered int // by TestRegister, which may run several times

func TestRegister(t *testing.T) {
	registered++
	scheme := fmt.Sprint("test-register-", registered)
	var got *url.URL
	cache.Register(scheme, func(u *url.URL, _ cache.OpenConfig) (cache.Store, error) {
		got = u
		return cache.NewMemory(cache.MemoryConfig{}), nil
	})
	_, err := cache.Open(scheme+"://host/x", cache.OpenConfig{})
	require.NoError(t, err)
	assert.Equal(t, "host", got.Host)
	for _, taken := range []string{scheme, "disk"} {
		assert.Panics(t, func() { cache.Register(taken, nil) })
	}
}

// What was silently another folder, or is no URL, is told.
func TestOpenFolders(t *testing.T) {
	for text, want := range map[string]string{
		"disk:rel":    `"rel" is a relative folder`,
		"disk:///a#b": "%23",
		"/var/x":      "a folder is disk:///var/x",
		"memory":      "memory: has a colon behind it",
	} {
		_, err := cache.Open(text, cache.OpenConfig{})
		assert.ErrorContains(t, err, want, text)
	}
}
