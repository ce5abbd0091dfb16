package cache_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// insideVariable tells a test that it runs in a process made for it.
const insideVariable = "PURECUDA_CACHE_TEST_INSIDE"

// again runs the test again in a process of its own.
func again(t *testing.T, attributes *syscall.SysProcAttr) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	c := exec.Command(self, "-test.run=^"+t.Name()+"$", "-test.v")
	c.Env = append(os.Environ(), insideVariable+"=1")
	c.SysProcAttr = attributes
	out, err := c.CombinedOutput()
	if c.Process == nil {
		missing(t, "namespaces", err.Error())
	}
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// TestDiskFull fills a file system of 256 KiB, then makes it read only.
func TestDiskFull(t *testing.T) {
	if os.Getenv(insideVariable) == "" {
		again(t, &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		})
		return
	}
	ctx := context.Background()
	mount := t.TempDir()
	require.NoError(t, syscall.Mount("tmpfs", mount, "tmpfs", 0, "size=256k,mode=0700"))
	defer syscall.Unmount(mount, syscall.MNT_DETACH)
	dir := filepath.Join(mount, "cache")
	disk, log := logged(dir)
	s := cache.NewTiered(cache.TieredConfig{}, disk)

	stored := 0
	for k := range 30 {
		require.NoError(t, s.Put(ctx, cachetest.Key(k), variant(k, 5)))
	}
	for k := range 30 {
		e, err := disk.Get(ctx, cachetest.Key(k))
		if err != nil {
			require.ErrorIs(t, err, cache.ErrMiss)
			continue
		}
		stored++
		require.True(t, isVariant(k, e))
	}
	assert.Greater(t, stored, 10)
	assert.Less(t, stored, 30)
	assert.Empty(t, leftOvers(t, dir))
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
	assert.Contains(t, log.String(), "no space left")
	// Puts that replace an entry leave the old one if there is no room.
	for k := range 30 {
		_ = disk.Put(ctx, cachetest.Key(k), variant(k, 6))
	}
	assert.GreaterOrEqual(t, allWhole(t, dir, 30), stored)
	unlock, err := disk.Lock(ctx, cachetest.Key(1))
	require.NoError(t, err)
	unlock()

	n, err := cache.Clear(ctx, disk)
	require.NoError(t, err)
	assert.GreaterOrEqual(t, n, stored)
	require.NoError(t, disk.Put(ctx, cachetest.Key(1), variant(1, 1)), "there is room again")

	require.NoError(t, syscall.Mount("", mount, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	unusable(t, dir, "read-only file system")
	assert.Equal(t, 1, allWhole(t, dir, 30), "what is there is read")
	report, err := cache.Repair(ctx, disk)
	require.NoError(t, err)
	assert.Equal(t, 1, report.Whole.Entries)
}

// TestDiskFileLimit has writes break off in the middle of an entry, as where a
// quota ends.
func TestDiskFileLimit(t *testing.T) {
	if os.Getenv(insideVariable) == "" {
		again(t, nil)
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 5000, Max: 5000}))
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "cache")
	disk, log := logged(dir)
	require.NoError(t, disk.Put(ctx, cachetest.Key(1), variant(1, 0)))
	assert.ErrorIs(t, disk.Put(ctx, cachetest.Key(1), variant(1, 6)), syscall.EFBIG)
	assert.ErrorIs(t, disk.Put(ctx, cachetest.Key(2), variant(2, 6)), syscall.EFBIG)
	assert.Equal(t, 1, allWhole(t, dir, 3))
	assert.Empty(t, leftOvers(t, dir))
	assert.Equal(t, 1, strings.Count(log.String(), "\n"), log.String())
}
