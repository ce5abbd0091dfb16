//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// all runs a test with every NVRTC that ci/setup gets; under the race detector,
// which sees this process and not them, with one.
func all(t *testing.T, f func(t *testing.T, c *nvrtc.Compiler)) {
	nvrtctest.Real(t, dl.Version{}) // there is one
	compilers := nvrtctest.Reals()
	if racing {
		compilers = compilers[:1]
	}
	for _, c := range compilers {
		t.Run(c.Version().String(), func(t *testing.T) { f(t, c) })
	}
}

// A bomb is a source that would take all time or memory, or the process.
type bomb struct {
	name, source string
	want         string // of the error
}

// What ends a bomb: which one it is depends on NVRTC's version.
const (
	byLimit = `Config\.(CPU|Memory)|out of memory|catastrophic error`
	byNVRTC = `^nvrtc: compile: hostile.cu\(`
)

func kernel(body string) string {
	return "extern \"C\" __global__ void k(int *x) { " + body + " }\n"
}

func bombs() []bomb {
	double := func(n int, first, next string) string {
		var b strings.Builder
		b.WriteString(first + "\n")
		for i := 1; i <= n; i++ {
			fmt.Fprintf(&b, next+"\n", i, i-1)
		}
		return b.String()
	}
	return []bomb{
		{"endless templates", "template <int N> struct T { static const int v = T<N + 1>::v; };\n" + kernel("*x = T<0>::v;"), byNVRTC + "|" + byLimit},
		{"a tree of templates", slow, byLimit},
		{"a doubling type", "template <class A, class B> struct P {};\ntypedef int T0;\n" + double(28, "", "typedef P<T%[2]d, T%[2]d> T%[1]d;") + "template <class A, class B> __global__ void f(P<A, B> p) {}\ntemplate __global__ void f(T28 p);", byLimit},
		{"doubling macros", double(30, "#define M0 x[0]++;", "#define M%[1]d M%[2]d M%[2]d") + kernel("M30"), byLimit},
		{"endless constexpr", "__device__ constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n" + kernel("constexpr int n = f(60); *x = n;"), byNVRTC + "|" + byLimit},
		{"a large object", "struct __align__(1 << 28) S { int a; };\n" + kernel("S a = *(S *)x, b = a; *(S *)(x + 1) = b;"), byLimit},
		{"a long chain", "struct N { N *n; };\nextern \"C\" __global__ void k(N *p) { p" + strings.Repeat("->n", 20_000) + " = 0; }", byLimit},
	}
}

// TestBombs has each be refused or stopped in time, while good sources beside them
// are compiled as ever.
func TestBombs(t *testing.T) {
	all(t, func(t *testing.T, c *nvrtc.Compiler) {
		s := newService(t, worker.Config{Workers: 2, CPU: 400 * time.Millisecond, Memory: 80 << 20}, compile.Config{Compiler: c, MaxThreads: 2})
		stop, good := make(chan struct{}), make(chan int)
		go func() {
			n := 0
			defer func() { good <- n }()
			for ; ; n++ {
				select {
				case <-stop:
					return
				case <-time.After(30 * time.Millisecond):
				}
				j, err := s.Submit(context.Background(), compile.Request{Source: axpy, Options: []string{"-DN=" + strconv.Itoa(n)}})
				if err == nil {
					_, err = j.Wait(context.Background())
				}
				if !assert.NoError(t, err, "beside bombs") {
					return
				}
			}
		}()
		for _, b := range bombs() {
			start := time.Now()
			j, err := s.Submit(context.Background(), compile.Request{Source: b.source, Name: "hostile.cu", Options: []string{"--std=c++14"}})
			require.NoError(t, err)
			_, err = j.Wait(context.Background())
			t.Logf("%s: %v, %.150v", b.name, time.Since(start).Round(time.Millisecond), err)
			if assert.Error(t, err, b.name) {
				assert.Regexp(t, b.want, err.Error(), b.name)
			}
		}
		close(stop)
		n := <-good
		t.Logf("%d good compiles beside them", n)
		assert.Positive(t, n)
	})
}

// spellings are ways to include a file, or to ask whether it is there, which then
// is an error that says so.
var spellings = map[string]string{
	"quotes":       "#include \"%s\"\n",
	"angles":       "#include <%s>\n",
	"next":         "#include_next \"%s\"\n",
	"digraph":      "%%:include \"%s\"\n",
	"trigraph":     "?" + "?=include \"%s\"\n",
	"spliced":      "#\\\ninc\\\nlude \"%s\"\n",
	"comments":     "/**/ # /*x*/ include /*y*/ \"%s\"\n",
	"macro":        "#define F \"%s\"\n#include F\n",
	"asked":        "#if __has_include(\"%s\")\n#error IT IS THERE\n#endif\n#error done\n",
	"asked, glued": "#define C(a, b) a##b\n#if C(__has_, include)(\"%s\")\n#error IT IS THERE\n#endif\n#error done\n",
	"as text":      "#define S(x) #x\n#define T(x) S(x)\n__device__ const char text[] = T(\n#include \"%s\"\n);\n",
}

// TestFilesOfOthers has sources include what a worker may not read. Without walls
// each finds the file, which shows that it would.
func TestFilesOfOthers(t *testing.T) {
	secret := writeFile(t, "secret", "hush_hush\n")
	allowed := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(allowed, "mine.h"), []byte("#define MINE 7\n"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(allowed, "link.h")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(allowed, "fifo"), 0o600))
	all(t, func(t *testing.T, c *nvrtc.Compiler) {
		p := newPool(t, worker.Config{Workers: 1, Read: []string{allowed}})
		if p.Walls().Landlock == 0 {
			missing(t, "landlock", p.Walls().String())
		}
		found := func(p *worker.Pool, spelling, path string) (string, bool) {
			e, err := p.Run(context.Background(), &compile.Request{Compiler: c, Name: "hostile.cu", Options: []string{"--std=c++14"}, Source: fmt.Sprintf(spelling, path)})
			if err == nil {
				return "", strings.Contains(string(e.Image), "hush") || len(e.Image) > 0
			}
			var refused *nvrtc.CompileError
			require.ErrorAs(t, err, &refused)
			return refused.Log, strings.Contains(refused.Log, "IT IS THERE") || strings.Contains(refused.Log, "hush") || strings.Contains(refused.Log, "secret(1)")
		}
		open := newPool(t, worker.Config{Workers: 1, Isolation: worker.Off})
		for name, spelling := range spellings {
			paths := []string{secret}
			if name == "quotes" {
				paths = append(paths, filepath.Join(allowed, "link.h"), "/proc/self/environ")
			}
			for _, path := range paths {
				log, there := found(p, spelling, path)
				assert.False(t, there, "%s %s: %s", name, path, log)
			}
			if _, err := os.Stat("/etc/ld.so.cache"); err == nil && strings.HasPrefix(name, "asked") {
				log, there := found(p, spelling, "/etc/ld.so.cache")
				assert.False(t, there, "%s, of the system's files: %s", name, log)
			}
			if c == nvrtctest.Reals()[0] {
				log, there := found(open, spelling, secret)
				assert.True(t, there, "%s without walls: %s", name, log)
			}
			if strings.HasPrefix(name, "asked") {
				log, there := found(p, spelling, filepath.Join(allowed, "mine.h"))
				assert.True(t, there, "%s in an allowed folder: %s", name, log)
			}
		}
		_, err := run(p, c, "#include \"mine.h\"\n"+kernel("*x = MINE;"), "-I"+allowed)
		assert.NoError(t, err)
		for _, path := range []string{"/dev/zero", "/dev/stdin", allowed} {
			_, err = run(p, c, "#include \""+path+"\"\n")
			assert.ErrorContains(t, err, "nvrtc: compile: k.cu(1): fatal error: ", path)
		}
		// One that may be opened, and never ends.
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		defer cancel()
		_, err = p.Run(ctx, &compile.Request{Compiler: c, Source: "#include \"fifo\"\n", Options: []string{"-I" + allowed}})
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		ctx, cancel = context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err = p.Run(ctx, &compile.Request{Compiler: c, Source: axpy})
		assert.NoError(t, err)
	})
}

// TestFewerWalls has machines that lack some.
func TestFewerWalls(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	secret := writeFile(t, "secret", "hush_hush\n")
	allowed := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(allowed, "mine.h"), []byte("#define MINE 7\n"), 0o600))
	has := jail.Probe()
	if !has.Seccomp {
		missing(t, "seccomp", has.String())
	}
	mine := compile.Request{Compiler: c, Source: "#include \"mine.h\"\n" + kernel("*x = MINE;"), Headers: map[string]string{"mine.h": "#define MINE 7\n"}}
	disk := compile.Request{Compiler: c, Source: mine.Source, Options: []string{"-I" + allowed}}
	for _, w := range []jail.Walls{{Seccomp: true}, {}} {
		t.Run(w.String(), func(t *testing.T) {
			defer worker.SetProbe(w)()
			p := newPool(t, worker.Config{Workers: 1, Read: []string{allowed}})
			assert.Equal(t, w, p.Walls())
			for name, spelling := range spellings {
				_, err := p.Run(context.Background(), &compile.Request{Compiler: c, Name: "hostile.cu", Options: []string{"--std=c++14"}, Source: fmt.Sprintf(spelling, secret)})
				if assert.Error(t, err, name) {
					assert.NotContains(t, err.Error(), "hush", name)
					if w.Seccomp || name != "asked, glued" { // which no look at a text can see
						assert.NotContains(t, err.Error(), "IT IS THERE", name)
					}
				}
			}
			_, err := p.Run(context.Background(), &mine)
			assert.NoError(t, err)
			_, err = p.Run(context.Background(), &disk)
			assert.NoError(t, err)
			_, err = run(p, c, axpy, "-arch=sm_80")
			assert.NoError(t, err)
		})
	}
}

// TestOptions has those that read and write files be refused, unless they may.
func TestOptions(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		secret := writeFile(t, "secret.h", "#error hush\n")
		p := newPool(t, worker.Config{Workers: 1})
		for _, option := range []string{
			"--time=" + secret, "--pre-include=" + secret, " --pre-include=" + secret, "--ptxas-options=--options-file=" + secret,
			"-I" + filepath.Dir(secret), "-I/", "-I" + t.TempDir() + "/..", "--nothing", "x.cu", "",
		} {
			_, err := run(p, c, axpy, "-DX", option)
			var bad *nvrtc.OptionError
			if assert.ErrorAs(t, err, &bad, "%q", option) {
				assert.Equal(t, 1, bad.Index)
				assert.ErrorContains(t, err, "worker: compile k.cu: nvrtc: safe options: ")
				assert.ErrorContains(t, err, "Config.Unsafe")
			}
		}
		assert.Empty(t, children(), "no worker is asked")
		_, err := run(p, c, axpy, "-DX", "-arch", "compute_70", "-use_fast_math", "-I/usr/lib/../lib/none")
		assert.Error(t, err)
		_, err = run(p, c, axpy, "-DX", "-arch", "compute_70", "-use_fast_math")
		assert.NoError(t, err)
		// They pass, and the walls stand.
		p = newPool(t, worker.Config{Workers: 1, Unsafe: true})
		_, err = run(p, c, axpy, "--pre-include="+secret)
		assert.ErrorContains(t, err, "secret.h")
		assert.NotContains(t, err.Error(), "hush")
		p = newPool(t, worker.Config{Workers: 1, Isolation: worker.Off})
		_, err = run(p, c, axpy, "--pre-include="+secret)
		assert.ErrorContains(t, err, "hush")
	})
}

// TestWallsAreRequired has what the machine lacks be an error.
func TestWallsAreRequired(t *testing.T) {
	p, err := worker.NewPool(worker.Config{Isolation: worker.Required})
	if err != nil {
		assert.True(t, errors.Is(err, worker.ErrNoWalls), err)
		missing(t, "landlock", err.Error())
	}
	assert.Positive(t, p.Walls().Landlock)
	assert.True(t, p.Walls().Seccomp)
	require.NoError(t, p.Close())
	p, err = worker.NewPool(worker.Config{Isolation: worker.Off})
	require.NoError(t, err)
	assert.Equal(t, "no Landlock, no seccomp, no user namespaces", p.Walls().String())
	require.NoError(t, p.Close())
	_, err = worker.NewPool(worker.Config{Isolation: 7})
	assert.EqualError(t, err, "worker: new pool: Isolation(7) is not Auto, Required or Off")
	_, err = worker.NewPool(worker.Config{Read: []string{"/", "/does/not/exist"}})
	assert.ErrorContains(t, err, "worker: new pool: Config.Read[1]: stat /does/not/exist: ")
	for _, i := range []worker.Isolation{worker.Auto, worker.Required, worker.Off} {
		same, err := worker.ParseIsolation(i.String())
		assert.NoError(t, err)
		assert.Equal(t, i, same)
	}
	_, err = worker.ParseIsolation("on")
	assert.EqualError(t, err, `worker: isolation "on": it is not auto, required or off`)
}
