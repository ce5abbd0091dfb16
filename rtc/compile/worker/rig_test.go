//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

const axpy = `extern "C" __global__ void axpy(const float *x, float *y, float a) { int i = threadIdx.x; y[i] += a * x[i]; }`

// each runs a test with NVRTC 12.4 and 11.8; under the race detector with the first.
func each(t *testing.T, f func(t *testing.T, c *nvrtc.Compiler)) {
	versions := []dl.Version{{Major: 12, Minor: 4}, {Major: 11, Minor: 8}}
	if racing {
		versions = versions[:1]
	}
	for _, v := range versions {
		t.Run(v.String(), func(t *testing.T) { f(t, nvrtctest.Real(t, v)) })
	}
}

type compiler = *nvrtc.Compiler

// missing skips a test that needs what isn't here, or fails it.
func missing(t *testing.T, what, why string) {
	t.Helper()
	if nvrtctest.Required(what) {
		t.Fatalf("PURECUDA_REQUIRE wants %s: %s", what, why)
	}
	t.Skipf("no %s here: %s", what, why)
}

// writeFile writes a file of a test's own, without blanks in its name.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// begin starts a process that sleeps, and gives its number.
func begin(t *testing.T) (pid int, stop func()) {
	t.Helper()
	c := exec.Command("sleep", "60")
	require.NoError(t, c.Start())
	stop = sync.OnceFunc(func() { _ = c.Process.Kill(); _ = c.Wait() })
	t.Cleanup(stop)
	return c.Process.Pid, stop
}

func notify(t *testing.T, s os.Signal) <-chan os.Signal {
	c := make(chan os.Signal, 10)
	signal.Notify(c, s)
	t.Cleanup(func() { signal.Stop(c) })
	return c
}

// newPool makes a pool, closed when the test ends: then no child and no goroutine
// is left.
func newPool(t testing.TB, c worker.Config) *worker.Pool {
	t.Helper()
	before := runtime.NumGoroutine()
	if _, again := watched.LoadOrStore(t, true); !again { // when all pools of the test are closed
		t.Cleanup(func() {
			assert.Empty(t, children(), "processes that are left")
			waitFor(t, func() bool { return runtime.NumGoroutine() <= before+1 }) // the thread that starts children stays
		})
	}
	p, err := worker.NewPool(c)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, p.Close()) })
	return p
}

var watched sync.Map // testing.TB → true

// newService makes a service of a pool of its own.
func newService(t testing.TB, c worker.Config, s compile.Config) *compile.Service {
	t.Helper()
	s.Runner = newPool(t, c)
	service := compile.NewService(s)
	t.Cleanup(func() { assert.NoError(t, service.Close()) })
	return service
}

// children are the processes that this one has started, dead ones too.
func children() (pids []int) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			pids = append(pids, pid)
		}
	}
	return pids
}

func run(p *worker.Pool, c *nvrtc.Compiler, source string, options ...string) (string, error) {
	e, err := p.Run(context.Background(), &compile.Request{Compiler: c, Source: source, Name: "k.cu", Options: options})
	if err != nil {
		return "", err
	}
	return string(e.Image), nil
}

const patience = time.Minute

func waitFor(t testing.TB, what func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !what(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 1<<20)
			t.Fatalf("waited for %v; goroutines:\n%s", patience, buf[:runtime.Stack(buf, true)])
		}
	}
}
