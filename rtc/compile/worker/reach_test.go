//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// A guest and a host have one cache. What the guest made, who couldn't read a file, is
// not given to the host, nor what the host made to the guest; all else is.
func TestOneCacheForAllWalls(t *testing.T) {
	if jail.Probe().Landlock == 0 {
		missing(t, "landlock", jail.Probe().String())
	}
	each(t, func(t *testing.T, c compiler) {
		folder := t.TempDir()
		open, secret := filepath.Join(folder, "open"), filepath.Join(folder, "secret")
		plant(t, folder, map[string]string{"open/o.h": "#define O 1\n", "secret/s.h": "#define S 1234567\n"})
		require.NoError(t, os.Symlink("../open/o.h", filepath.Join(secret, "leads-in.h")))
		store := cache.NewMemory(cache.MemoryConfig{})
		host := compile.NewService(compile.Config{Store: store})
		t.Cleanup(func() { assert.NoError(t, host.Close()) })
		guest := newService(t, worker.Config{Read: []string{open}}, compile.Config{Store: store})
		made := func(s *compile.Service, source string) (string, compile.Origin) {
			j, err := s.Submit(context.Background(), compile.Request{Compiler: c, Name: "k.cu", Source: source})
			require.NoError(t, err)
			r, err := j.Wait(context.Background())
			require.NoError(t, err)
			return string(r.Entry.Image), r.Origin
		}
		asks := func(file string) string {
			return "#if __has_include(\"" + file + "\")\n__device__ int there;\n#else\n__device__ int missing;\n#endif\n"
		}
		for _, services := range [][2]*compile.Service{{guest, host}, {host, guest}} {
			for i, s := range services {
				source := asks(filepath.Join(secret, "s.h"))
				if services[0] == host {
					source += "// again\n"
				}
				got, origin := made(s, source)
				assert.Equal(t, compile.Compiled, origin, "%d", i)
				if s == host {
					assert.Contains(t, got, "there")
				} else {
					assert.Contains(t, got, "missing")
				}
			}
		}
		for _, file := range []string{filepath.Join(open, "o.h"), filepath.Join(secret, "leads-in.h"), filepath.Join(secret, "none.h")} {
			one, _ := made(guest, asks(file))
			other, origin := made(host, asks(file))
			assert.Equal(t, one, other)
			assert.Equal(t, compile.Cached, origin, file)
			assert.Equal(t, filepath.Base(file) != "none.h", strings.Contains(one, "there"), file)
		}
	})
}
