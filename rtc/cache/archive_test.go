package cache_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

func exported(t *testing.T, s cache.Store) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := cache.Export(context.Background(), s, &b)
	require.NoError(t, err)
	return b.Bytes()
}

func TestArchive(t *testing.T) {
	ctx := context.Background()
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache")})
	for i := range 12 {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 500*i)))
	}
	require.NoError(t, os.WriteFile(fileOf(disk, cachetest.Key(3)), []byte("damaged"), 0o600))
	data := exported(t, disk)

	a, err := cache.LoadArchive(data)
	require.NoError(t, err)
	usage, err := cache.UsageOf(ctx, a)
	require.NoError(t, err)
	assert.Equal(t, 11, usage.Entries, "all but the damaged one")
	for i := range 12 {
		e, err := a.Get(ctx, cachetest.Key(i))
		if i == 3 {
			require.ErrorIs(t, err, cache.ErrMiss)
			continue
		}
		require.NoError(t, err)
		require.True(t, e.Equal(cachetest.Entry(i, 500*i)))
	}
	require.ErrorIs(t, a.Put(ctx, cachetest.Key(3), cachetest.Entry(3, 1)), cache.ErrReadOnly)

	memory := cache.NewMemory(cache.MemoryConfig{})
	n, err := cache.Import(ctx, memory, bytes.NewReader(data))
	require.NoError(t, err)
	assert.Equal(t, 11, n)
	assert.Equal(t, data, exported(t, memory), "the same entries are the same file")

	tiered := cache.NewTiered(cache.TieredConfig{}, cache.NewMemory(cache.MemoryConfig{}), a, disk)
	require.NoError(t, tiered.Put(ctx, cachetest.Key(99), cachetest.Entry(99, 1)))
	_, err = disk.Get(ctx, cachetest.Key(99))
	require.NoError(t, err)
	require.NoError(t, tiered.Close())
	_, err = a.Get(ctx, cachetest.Key(1))
	require.ErrorIs(t, err, cache.ErrClosed)
	require.ErrorIs(t, a.Put(ctx, cachetest.Key(1), nil), cache.ErrClosed)
}

func TestArchiveDamaged(t *testing.T) {
	ctx := context.Background()
	m := cache.NewMemory(cache.MemoryConfig{})
	for i := range 3 {
		require.NoError(t, m.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 20)))
	}
	data := exported(t, m)
	for n := range data {
		_, err := cache.LoadArchive(data[:n])
		require.Error(t, err, "cut to %d", n)
	}
	_, err := cache.LoadArchive(append(bytes.Clone(data), 0))
	require.Error(t, err)
	for at := range data {
		changed := bytes.Clone(data)
		changed[at] ^= 0x10
		a, err := cache.LoadArchive(changed)
		if err != nil {
			continue
		}
		n := 0
		for i := range 3 {
			e, err := a.Get(ctx, cachetest.Key(i))
			if err == nil {
				n++
				require.True(t, e.Equal(cachetest.Entry(i, 20)), "changed at %d", at)
			} else {
				require.ErrorIs(t, err, cache.ErrMiss)
			}
		}
		require.Less(t, n, 3, "a change at %d is not seen", at)
		_, err = cache.Import(ctx, cache.NewMemory(cache.MemoryConfig{}), bytes.NewReader(changed))
		require.Error(t, err, "changed at %d", at)
	}
}

// TestArchiveWithoutEnd: what is no archive, or none any more, is read no further.
func TestArchiveWithoutEnd(t *testing.T) {
	ctx := context.Background()
	m := cache.NewMemory(cache.MemoryConfig{})
	require.NoError(t, m.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 20)))
	data := exported(t, m)
	magic, entry := data[:12], data[12:len(data)-8]
	for what, begin := range map[string][]byte{
		"zeros": nil, "one of another version": append(bytes.Clone(data[:8]), 9, 9, 9, 9), "the magic alone": magic, "a whole one": data,
		"a length of more than there is": append(bytes.Clone(magic), 0, 0, 0, 0, 0, 0, 0, 1), "a length below 0": append(bytes.Clone(magic), 0, 0, 0, 0, 0, 0, 0, 0x80),
		"a short length": append(bytes.Clone(magic), 1, 0, 0, 0, 0, 0, 0, 0),
	} {
		r := &endless{begin: begin}
		_, err := cache.Import(ctx, m, r)
		require.Error(t, err, what)
		assert.Less(t, r.read, len(data)+100_000, what)
	}
	_, err := cache.ReadArchive(io.MultiReader(bytes.NewReader(data), iotest.ErrReader(io.ErrClosedPipe)))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	twice := slices.Concat(magic, entry, entry, data[len(data)-8:])
	_, err = cache.LoadArchive(twice)
	require.ErrorContains(t, err, "twice")
}

// endless is a file that has no end, like /dev/zero.
type endless struct {
	begin []byte
	read  int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.read > 10<<20 {
		return 0, io.ErrNoProgress
	}
	clear(b)
	if e.read < len(e.begin) {
		b = b[:copy(b, e.begin[e.read:])]
	}
	e.read += len(b)
	return len(b), nil
}

func FuzzLoadArchive(f *testing.F) {
	m := cache.NewMemory(cache.MemoryConfig{})
	for i := range 2 {
		_ = m.Put(context.Background(), cachetest.Key(i), cachetest.Entry(i, 20))
	}
	var b bytes.Buffer
	_, _ = cache.Export(context.Background(), m, &b)
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := cache.LoadArchive(data)
		if err != nil {
			return
		}
		n := 0
		for info, err := range a.All(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if n += int(info.Bytes); n > len(data) {
				t.Fatal("entries of more bytes than there are")
			}
			if e, err := a.Get(context.Background(), info.Key); err == nil && !bytes.Contains(data, cache.Encode(info.Key, e)) {
				t.Fatal("an entry that is not in the archive")
			}
		}
	})
}

func TestVerifyAndClear(t *testing.T) {
	ctx := context.Background()
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache")})
	for i := range 10 {
		require.NoError(t, disk.Put(ctx, cachetest.Key(i), cachetest.Entry(i, 1000)))
	}
	require.NoError(t, os.Truncate(fileOf(disk, cachetest.Key(2)), 100))
	require.NoError(t, os.Rename(fileOf(disk, cachetest.Key(3)), fileOf(disk, cachetest.Key(4))))
	for _, look := range []func(context.Context, cache.Store) (cache.Report, error){cache.Verify, cache.Repair} {
		r, err := look(ctx, disk)
		require.NoError(t, err)
		assert.Equal(t, 7, r.Whole.Entries)
		require.Len(t, r.Damaged, 2)
	}
	r, err := cache.Verify(ctx, disk)
	require.NoError(t, err)
	assert.Empty(t, r.Damaged, "they were removed")
	n, err := cache.Clear(ctx, disk)
	require.NoError(t, err)
	assert.Equal(t, 7, n)
	usage, err := cache.UsageOf(ctx, disk)
	require.NoError(t, err)
	assert.Zero(t, usage)

	a, err := cache.LoadArchive(exported(t, cache.NewMemory(cache.MemoryConfig{})))
	require.NoError(t, err)
	_, err = cache.Verify(ctx, a)
	require.NoError(t, err)
	_, err = cache.Repair(ctx, a)
	require.NoError(t, err, "there is nothing to repair")
	bytes := exported(t, disk1(t))
	bytes[len(bytes)-20] ^= 1
	a, err = cache.LoadArchive(bytes)
	require.NoError(t, err)
	_, err = cache.Repair(ctx, a)
	require.ErrorIs(t, err, cache.ErrReadOnly)
	_, err = cache.Clear(ctx, cache.NewTiered(cache.TieredConfig{}, a))
	assert.ErrorIs(t, err, errors.ErrUnsupported)

	require.NoError(t, disk.Put(ctx, cachetest.Key(1), cachetest.Entry(1, 10)))
	_, err = cache.Export(ctx, disk, brokenWriter{})
	assert.ErrorIs(t, err, io.ErrShortWrite)
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, err = cache.Verify(done, disk)
	assert.ErrorIs(t, err, context.Canceled)
}

// disk1 has one entry.
func disk1(t *testing.T) *cache.Disk {
	disk := cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache")})
	require.NoError(t, disk.Put(context.Background(), cachetest.Key(1), cachetest.Entry(1, 100)))
	return disk
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
