//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// TestSameAsInProcess holds what comes out of a worker to what comes out here.
func TestSameAsInProcess(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		_, err := compile.InProcess{}.Run(context.Background(), &compile.Request{Compiler: c, Source: axpy})
		require.NoError(t, err) // its thread is there before, and so isn't waited for
		p := newPool(t, worker.Config{})
		for name, r := range map[string]compile.Request{
			"PTX":       {Source: axpy, Options: []string{"--gpu-architecture=compute_70"}},
			"no arch":   {Source: axpy},
			"cubin":     {Source: axpy, Name: "axpy.cu", Options: []string{"-arch", "sm_80"}},
			"template":  {Source: "template <class T> __global__ void t(T *x) { *x = 1; }\n__constant__ int cc;", Exports: []string{"t<float>", "t<int>", "&cc"}},
			"headers":   {Source: "#include \"a.h\"\nextern \"C\" __global__ void k(int *x) { *x = A; }", Headers: map[string]string{"a.h": "#include \"b.h\"", "b.h": "#define A 7"}},
			"bytes":     {Source: "// \xff\x80 are no UTF-8\n" + axpy, Name: "\xe4.cu"},
			"warning":   {Source: "extern \"C\" __global__ void k() { int unused; }"},
			"refused":   {Source: "extern \"C\" __global__ void k() { int x = y; }\n#error no", Name: "bad.cu"},
			"option":    {Source: axpy, Options: []string{"-DX=1", "--gpu-architecture=sm_20"}},
			"export":    {Source: axpy, Exports: []string{"nothing<int>"}},
			"NUL":       {Source: "a\x00b"},
			"no source": {},
		} {
			t.Run(name, func(t *testing.T) {
				r.Compiler = c
				want, wantErr := compile.InProcess{}.Run(context.Background(), &r)
				got, err := p.Run(context.Background(), &r)
				if wantErr != nil {
					require.Error(t, err)
					var refused, wantRefused *nvrtc.CompileError
					assert.Equal(t, errors.As(wantErr, &wantRefused), errors.As(err, &refused), "%v", err)
					assert.Equal(t, wantRefused, refused)
					var text, wantText *nvrtc.TextError
					assert.Equal(t, errors.As(wantErr, &wantText), errors.As(err, &text), "%v", err)
					assert.Equal(t, wantText, text)
					return
				}
				require.NoError(t, err)
				assert.True(t, want.Equal(got), "in this process:\n%+v\nin a worker:\n%+v", want, got)
			})
		}
	})
}

// slow takes many seconds.
var slow = "template <int D, int I> struct T { static const int v = T<D - 1, 2 * I>::v + T<D - 1, 2 * I + 1>::v; };\n" +
	"template <int I> struct T<0, I> { static const int v = I & 1; };\nextern \"C\" __global__ void k(int *x) { *x = T<22, 0>::v; }"

func TestTimeoutKills(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		s := newService(t, worker.Config{Workers: 1}, compile.Config{Compiler: c, MaxThreads: 1, Store: cache.NewMemory(cache.MemoryConfig{})})
		j, err := s.Submit(context.Background(), compile.Request{Source: slow, Name: "slow.cu", Timeout: time.Second})
		require.NoError(t, err)
		start := time.Now()
		_, err = j.Wait(context.Background())
		require.ErrorIs(t, err, compile.ErrTimeout)
		t.Logf("ended after %v", time.Since(start))
		j, err = s.Submit(context.Background(), compile.Request{Source: axpy, Name: "axpy.cu", Options: []string{"-arch=sm_80"}})
		require.NoError(t, err)
		result, err := j.Wait(context.Background())
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(result.Entry.Image), "\x7fELF"))
	})
}

func TestCrashIsRefused(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		p := newPool(t, worker.Config{Workers: 2, Memory: 70 << 20})
		// 2 GB of an array with values, which NVRTC makes in memory.
		bomb := "__device__ int a[1ull << 29] = {1, 2, 3};\n" + axpy
		good := make(chan error)
		go func() { // beside it
			var err error
			for i := range 8 {
				if _, err = run(p, c, axpy, "-DN="+strconv.Itoa(i)); err != nil {
					break
				}
			}
			good <- err
		}()
		_, err := run(p, c, bomb, "-DX=1")
		require.NoError(t, <-good)
		var crash *worker.CrashError
		require.ErrorAs(t, err, &crash)
		t.Log(err)
		assert.Equal(t, []string{"-DX=1"}, crash.Options)
		assert.Equal(t, int64(len(bomb)), crash.Input)
		assert.ErrorContains(t, err, "worker: compile k.cu: the compiler crashed, twice, on a source of "+strconv.Itoa(len(bomb))+" bytes: ")
		assert.ErrorContains(t, err, "Config.Memory")
		_, again := run(p, c, bomb, "-DX=1")
		var same *worker.CrashError
		require.ErrorAs(t, again, &same)
		assert.Same(t, crash, same, "no worker is asked")
		_, err = run(p, c, axpy, "-DX=1")
		assert.NoError(t, err)
	})
}

// TestDeepNesting has sources that end a process whose thread has a stack of Go's
// usual size.
func TestDeepNesting(t *testing.T) {
	all(t, func(t *testing.T, c *nvrtc.Compiler) {
		p := newPool(t, worker.Config{Workers: 1})
		for name, source := range map[string]string{
			"parentheses": kernel("*x = " + strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000) + ";"),
			"braces":      kernel(strings.Repeat("{", 10_000) + strings.Repeat("}", 10_000)),
			"signs":       kernel("*x = " + strings.Repeat("- ", 10_000) + "1;"),
			"#if":         strings.Repeat("#if (1)\n", 3_000) + strings.Repeat("#endif\n", 3_000) + kernel(""),
		} {
			_, err := run(p, c, source)
			assert.NoError(t, err, name)
		}
	})
}

func TestOutputLimit(t *testing.T) {
	each(t, func(t *testing.T, c *nvrtc.Compiler) {
		p := newPool(t, worker.Config{Workers: 1, Output: 10_000})
		large := ""
		for i := range 40 {
			large += strings.Replace(axpy, "axpy", "axpy"+strconv.Itoa(i), 1) + "\n"
		}
		_, err := run(p, c, large)
		var limit *worker.LimitError
		require.ErrorAs(t, err, &limit)
		assert.Equal(t, "Output", limit.Limit)
		assert.Regexp(t, `^worker: compile k.cu: what it made has \d+ bytes, and the limit is 10000 \(Config.Output\)$`, err.Error())
		_, err = run(p, c, axpy)
		assert.NoError(t, err)
	})
}

// TestMemoryIsTold: when it is the front end of NVRTC that has too little, it says
// so by itself, and not who bounds it.
func TestMemoryIsTold(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1, Memory: 64 << 20})
	for range 2 {
		_, err := run(p, c, starving)
		var refused *nvrtc.CompileError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, []string{"a worker may have 67108864 bytes of memory (Config.Memory)"}, refused.Hints)
	}
}

// TestInputLimit has what is too large refused before anything is done with it.
func TestInputLimit(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1, Input: 1000})
	r := &compile.Request{Compiler: c, Name: "k.cu", Source: axpy + strings.Repeat(" ", 990-len(axpy)), Headers: map[string]string{"a.h": "1234567"}}
	_, err := p.Run(context.Background(), r)
	require.NoError(t, err)
	before := children()
	r.Headers["b.h"] = ""
	r.Headers["a.h"] = "12345678"
	_, err = p.Run(context.Background(), r)
	var limit *worker.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "Input", limit.Limit)
	assert.EqualError(t, err, "worker: compile k.cu: its source and headers have 1004 bytes, and the limit is 1000 (Config.Input)")
	assert.Equal(t, before, children(), "no worker is asked")
	p = newPool(t, worker.Config{Workers: 1})
	_, err = run(p, c, strings.Repeat(" ", 64<<20+1))
	assert.ErrorContains(t, err, "have 67108865 bytes, and the limit is 67108864 (Config.Input)")
}

// TestProcessorTime bounds that of a compile, not of a worker's life.
func TestProcessorTime(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1, CPU: 500 * time.Millisecond})
	for i := range 8 { // together they take more
		_, err := run(p, c, axpy+strings.Repeat(" ", i), "--gpu-architecture=sm_80")
		require.NoError(t, err)
	}
	start := time.Now()
	_, err := run(p, c, slow)
	var limit *worker.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, "worker: compile k.cu: it took more processor time than 500ms (Config.CPU)", err.Error())
	t.Logf("ended after %v", time.Since(start))
	_, again := run(p, c, slow)
	var same *worker.LimitError
	require.ErrorAs(t, again, &same)
	assert.Same(t, limit, same, "no worker is asked")
}

func TestIdleWorkersEnd(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Idle: 100 * time.Millisecond})
	for range 2 {
		_, err := run(p, c, axpy)
		require.NoError(t, err)
		assert.NotEmpty(t, children())
		waitFor(t, func() bool { return len(children()) == 0 })
	}
}

// TestReplaced has each worker compile twice, or once because of what it keeps.
func TestReplaced(t *testing.T) {
	for name, config := range map[string]worker.Config{"jobs": {Workers: 1, Jobs: 2}, "growth": {Workers: 1, Resident: 1}} {
		t.Run(name, func(t *testing.T) { replaced(t, config) })
	}
}

func replaced(t *testing.T, config worker.Config) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, config)
	seen := map[int]bool{}
	for i := range 6 {
		_, err := run(p, c, axpy, "-DN="+strconv.Itoa(i))
		require.NoError(t, err)
		for _, pid := range children() {
			seen[pid] = true
		}
	}
	assert.GreaterOrEqual(t, len(seen), 3)
}

func TestCancelIsQuick(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1})
	_, err := run(p, c, axpy)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	var cancelled time.Time
	time.AfterFunc(300*time.Millisecond, func() { cancelled = time.Now(); cancel() })
	_, err = p.Run(ctx, &compile.Request{Compiler: c, Source: slow})
	assert.ErrorIs(t, err, context.Canceled)
	t.Logf("cancel returned after %v", time.Since(cancelled))
	assert.Less(t, time.Since(cancelled), 2*time.Second, "the compile would take many")
}

// TestCloseWhileStarting has workers that never begin, a compile that waits for
// one, and one that waits for its turn.
func TestCloseWhileStarting(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Path: "/bin/sh", Args: []string{"-c", "while :; do sleep 60; done"}, Workers: 1})
	failed := make(chan error)
	for i := range 2 {
		go func() { _, err := run(p, c, axpy, "-DN="+strconv.Itoa(i)); failed <- err }()
	}
	waitFor(t, func() bool { return len(children()) > 0 })
	start := time.Now()
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-failed, worker.ErrClosed)
	assert.ErrorIs(t, <-failed, worker.ErrClosed)
	assert.Less(t, time.Since(start), 10*time.Second)
}

func TestClosed(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1})
	failed := make(chan error)
	go func() { _, err := run(p, c, slow); failed <- err }()
	waitFor(t, func() bool { return len(children()) > 0 })
	time.Sleep(300 * time.Millisecond)
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-failed, worker.ErrClosed)
	_, err := run(p, c, axpy)
	assert.ErrorIs(t, err, worker.ErrClosed)
	assert.NoError(t, p.Close())
	assert.NoError(t, (*worker.Pool)(nil).Close())
}
