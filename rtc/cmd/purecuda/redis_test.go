//go:build unix

package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// TestCacheInRedis: a store by URL is like any other, and nothing prints its
// password.
func TestCacheInRedis(t *testing.T) {
	d := newDesk(t, dl.Version{Major: 12, Minor: 4})
	addr, stop := startRedis(t, "--requirepass", "verysecret")
	url := "redis://:verysecret@" + addr + "/0?timeout=5s"
	var said string
	good := func(args ...string) string {
		r := d.good(args...)
		said += r.out + r.err
		return r.out + r.err
	}
	assert.Contains(t, good("cache", "stats", url), "0 entries")
	assert.Contains(t, good("compile", "-warm", "-cache", url, "-arch", "sm_80,sm_90", "scale.cu"), "2 compiled")
	assert.Contains(t, good("compile", "-warm", "-cache", url, "-arch", "sm_80,sm_90", "scale.cu"), "2 cached before")
	assert.Contains(t, good("compile", "-list", "-cache", url, "-arch", "sm_80", "scale.cu"), "sm_80: cached")
	assert.Contains(t, good("cache", "stats", url), "2 entries")
	assert.Contains(t, good("cache", "verify", url), "none is damaged")
	good("cache", "export", "k.cache", url)
	assert.Contains(t, good("cache", "clear", "-y", url), "2 entries removed")
	good("cache", "import", "k.cache", url)
	assert.Contains(t, good("cache", "stats", "-json", url), `"entries": 2`)

	for _, wrong := range []string{"redis://:verysecretandwrong@" + addr + "/0", url + "&tll=1h"} {
		r := d.run("cache", "stats", wrong)
		assert.Contains(t, []int{2, 3}, r.code)
		said += r.out + r.err
	}
	stop()
	r := d.run("cache", "stats", url)
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.err, "connection refused")
	said += r.out + r.err
	// A dead server fails no compile, but those that are for the cache alone.
	r = d.good("compile", "-cache", url, "-arch", "sm_80", "scale.cu")
	assert.Regexp(t, `^purecuda: warning: redis 127\.0\.0\.1:\d+: \d calls failed: not all is kept\n$`, r.err, "and nothing else")
	said += r.out + r.err
	r = d.run("compile", "-cache", url, "-arch", "sm_80", "scale.cu", "-warm")
	assert.Equal(t, 3, r.code)
	assert.Contains(t, r.err, "not all is kept")
	said += r.out + r.err
	assert.NotContains(t, said, "verysecret")
}

// startRedis starts a redis-server, which ends when stop is called, and at the
// latest with this process: the shell that starts it waits for its input's end.
func startRedis(t *testing.T, arguments ...string) (addr string, stop func()) {
	t.Helper()
	program, libraries := "", ""
	for dir, _ := os.Getwd(); filepath.Dir(dir) != dir && program == ""; dir = filepath.Dir(dir) {
		usr := filepath.Join(dir, ".deps", "redis", "usr")
		if _, err := os.Stat(filepath.Join(usr, "bin", "redis-server")); err == nil {
			program, libraries = filepath.Join(usr, "bin", "redis-server"), filepath.Join(usr, "lib", "x86_64-linux-gnu")
		}
	}
	if program == "" {
		var err error
		if program, err = exec.LookPath("redis-server"); err != nil {
			if nvrtctest.Required("redis") {
				t.Fatal("redis is required: there is no redis-server; ci/setup gets one")
			}
			t.Skip("no redis: ci/setup gets a redis-server")
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr = l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	require.NoError(t, l.Close())
	c := exec.Command("sh", append([]string{"-c", `"$@" >/dev/null & cat >/dev/null; kill -9 $!; wait`, "sh", program,
		"--port", port, "--bind", "127.0.0.1", "--dir", t.TempDir(), "--save", "", "--appendonly", "no"}, arguments...)...)
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+libraries)
	in, err := c.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	stop = func() {
		in.Close()
		_ = c.Wait()
	}
	t.Cleanup(stop)
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", addr)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}, 20*time.Second, 5*time.Millisecond)
	return addr, stop
}
