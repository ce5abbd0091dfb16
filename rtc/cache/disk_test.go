package cache_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/cache/cachetest"
)

// fileOf is where a Disk keeps an entry.
func fileOf(d *cache.Disk, key cache.Key) string {
	name := key.String()
	return filepath.Join(d.Dir(), name[:2], name[2:])
}

func TestDisk(t *testing.T) {
	cachetest.Test(t, cachetest.Suite{
		Open: func(t *testing.T) cache.Store {
			return cache.NewDisk(cache.DiskConfig{Dir: filepath.Join(t.TempDir(), "cache")})
		},
		Damage: func(t *testing.T, s cache.Store, key cache.Key, n int) bool {
			d := s.(*cache.Disk)
			file := fileOf(d, key)
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			other, err := os.ReadFile(fileOf(d, cachetest.Key(2)))
			require.NoError(t, err)
			ways := []func(){
				func() { data = nil },
				func() { data = data[:len(data)-1] },
				func() { data = append(data, 0) },
				func() { data[len(data)/2] ^= 1 },
				func() { data = make([]byte, len(data)) },
				func() { data = other }, // whole, but another's
				func() { data[8]++ },    // the version
			}
			if n >= len(ways) {
				return false
			}
			ways[n]()
			require.NoError(t, os.WriteFile(file, data, 0o600))
			return true
		},
	})
}
