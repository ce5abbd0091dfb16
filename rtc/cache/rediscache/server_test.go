//go:build unix

package rediscache_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// A server is a redis-server of a test's own.
type server struct {
	t         testing.TB
	addr      string
	arguments []string
	pid       int
	stop      func()
}

// start starts a redis-server on a free port of the loopback, with arguments.
func start(t testing.TB, arguments ...string) *server {
	t.Helper()
	s := &server{t: t, addr: "127.0.0.1:" + freePort(t), arguments: arguments}
	if !slices.Contains(arguments, "--sentinel") {
		s.arguments = append(s.arguments, "--dir", t.TempDir(), "--save", "", "--appendonly", "no")
	}
	s.run()
	t.Cleanup(func() { s.stop() })
	return s
}

// run starts the server, also again after kill. It ends with the shell that
// starts it, which ends when its input does: at the latest with this process.
func (s *server) run() {
	s.t.Helper()
	binary, libraries := program(s.t)
	_, port, _ := net.SplitHostPort(s.addr)
	c := exec.Command("sh", append([]string{"-c", `"$@" >&2 & echo $!; cat >/dev/null; kill -9 $!; wait`, "sh", binary}, s.arguments...)...)
	if !slices.Contains(s.arguments, "--tls-cert-file") {
		c.Args = append(c.Args, "--port", port)
	} else {
		c.Args = append(c.Args, "--port", "0", "--tls-port", port)
	}
	c.Args = append(c.Args, "--bind", "127.0.0.1")
	c.Env = append(os.Environ(), "LD_LIBRARY_PATH="+libraries)
	var said strings.Builder
	c.Stderr = &said
	in, err := c.StdinPipe()
	require.NoError(s.t, err)
	out, err := c.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, c.Start())
	s.stop = func() {
		in.Close()
		_ = c.Wait()
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(s.t, err)
	s.pid, err = strconv.Atoi(strings.TrimSpace(line))
	require.NoError(s.t, err)
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", s.addr); err == nil {
			conn.Close()
			return
		}
		if time.Since(began) > patience || syscall.Kill(s.pid, 0) != nil {
			s.stop()
			s.t.Fatalf("redis-server does not listen on %s:\n%s", s.addr, said.String())
		}
	}
}

// kill ends the server as kill -9 does.
func (s *server) kill() {
	s.t.Helper()
	require.NoError(s.t, syscall.Kill(s.pid, syscall.SIGKILL))
	s.stop()
}

// client is a plain client of the server.
func (s *server) client(change ...func(*redis.Options)) *redis.Client {
	o := &redis.Options{Addr: s.addr, Protocol: 2, DisableIdentity: true}
	for _, c := range change {
		c(o)
	}
	client := redis.NewClient(o)
	s.t.Cleanup(func() { client.Close() })
	return client
}

func freePort(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// cluster starts three servers that share the slots of a cluster.
func cluster(t testing.TB) []*server {
	t.Helper()
	ctx := context.Background()
	var all []*server
	for range 3 {
		all = append(all, start(t, "--cluster-enabled", "yes", "--cluster-port", freePort(t), "--cluster-node-timeout", "2000"))
	}
	for i, s := range all {
		c := s.client()
		require.NoError(t, c.ClusterAddSlotsRange(ctx, i*16384/3, (i+1)*16384/3-1).Err())
		host, port, _ := net.SplitHostPort(s.addr)
		bus := s.arguments[slices.Index(s.arguments, "--cluster-port")+1]
		require.NoError(t, all[0].client().Do(ctx, "CLUSTER", "MEET", host, port, bus).Err())
	}
	for _, s := range all {
		eventually(t, "the cluster to be ready", func() error {
			info, err := s.client().ClusterInfo(ctx).Result()
			if err == nil && !(strings.Contains(info, "cluster_state:ok") && strings.Contains(info, "cluster_known_nodes:3")) {
				err = errors.New(info)
			}
			return err
		})
	}
	return all
}

// sentinel starts a sentinel that knows a server by the name "main".
func sentinel(t testing.TB, of *server) *server {
	t.Helper()
	host, port, _ := net.SplitHostPort(of.addr)
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "sentinel monitor main %s %s 1\nsentinel down-after-milliseconds main 300\n", host, port), 0o600))
	return start(t, file, "--sentinel")
}

// patience is how long tests wait for what a busy machine does late.
const patience = time.Minute

func eventually(t testing.TB, what string, f func() error) {
	t.Helper()
	var err error
	for began := time.Now(); time.Since(began) < patience; time.Sleep(20 * time.Millisecond) {
		if err = f(); err == nil {
			return
		}
	}
	t.Fatalf("waited in vain for %s: %v", what, err)
}

// program finds redis-server: the one that ci/setup unpacks, with its libraries,
// or the system's. Without one the test is skipped, or fails where
// PURECUDA_REQUIRE lists redis.
func program(t testing.TB) (binary, libraries string) {
	t.Helper()
	for dir, _ := os.Getwd(); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		usr := filepath.Join(dir, ".deps", "redis", "usr")
		if _, err := os.Stat(filepath.Join(usr, "bin", "redis-server")); err == nil {
			return filepath.Join(usr, "bin", "redis-server"), filepath.Join(usr, "lib", "x86_64-linux-gnu")
		}
	}
	if binary, err := exec.LookPath("redis-server"); err == nil {
		return binary, os.Getenv("LD_LIBRARY_PATH")
	}
	if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), "redis") {
		t.Fatal("redis is required: there is no redis-server; ci/setup gets one")
	}
	t.Skip("no redis: ci/setup gets a redis-server")
	return "", ""
}
