package compile_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

const kernel = "extern \"C\" __global__ void k() {}\n"

func TestCompiledOnce(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{Store: memory()})
	r := compile.Request{Source: kernel, Name: "k.cu", Options: []string{"-arch=sm_90"}, Exports: []string{"one<float>"}}
	for i, want := range []compile.Origin{compile.Compiled, compile.Cached, compile.Cached} {
		if i == 2 {
			r.Options = []string{"--gpu-architecture", "sm_90"}
		}
		j, err := s.Submit(context.Background(), r)
		require.NoError(t, err)
		got := wait(t, j)
		assert.Equal(t, want, got.Origin)
		assert.NotZero(t, got.Key)
		assert.Empty(t, got.Uncached)
		e := got.Entry
		assert.Equal(t, cache.CUBIN, e.Kind)
		assert.Equal(t, "sm_90", e.Arch)
		assert.Contains(t, string(e.Image), "\x7fELF")
		assert.Contains(t, string(e.PTX), ".entry _Z3oneIfE")
		assert.Equal(t, map[string]string{"one<float>": "_Z3oneIfE"}, e.Lowered)
		assert.Equal(t, "NVRTC 12.8", e.Compiler)
	}
	r.Fresh = true
	j, err := s.Submit(context.Background(), r)
	require.NoError(t, err)
	assert.Equal(t, compile.Compiled, wait(t, j).Origin, "afresh")
	assert.Len(t, rig.fake.Compiles(), 2)
	assert.Equal(t, compile.Stats{Jobs: 4, Succeeded: 4, Compiled: 2, Cached: 2, Compiles: 2}, s.Stats())
}

func TestKindsOfOutput(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{})
	for _, row := range []struct {
		option string
		kind   cache.Kind
		begins string
	}{{"-arch=compute_90", cache.PTX, "//\n// Made by"}, {"-arch=sm_90", cache.CUBIN, "\x7fELF"}, {"-dlto", cache.LTOIR, "LTO IR"}, {"--optix-ir", cache.OptiXIR, "OptiX IR"}} {
		j, err := s.Submit(context.Background(), compile.Request{Source: kernel, Options: []string{row.option}})
		require.NoError(t, err)
		e := wait(t, j).Entry
		assert.Equal(t, row.kind, e.Kind)
		assert.Equal(t, row.begins, string(e.Image[:len(row.begins)]))
	}
}

// TestAnErrorIsNotKept: it is the same error as without a service, each time
// anew.
func TestAnErrorIsNotKept(t *testing.T) {
	rig := newRig(t, stoppable)
	store := cache.NewMemory(cache.MemoryConfig{})
	s := rig.service(compile.Config{Store: store})
	for range 2 {
		j := submit(t, s, "#error no\n")
		_, err := j.Wait(context.Background())
		var refused *nvrtc.CompileError
		require.ErrorAs(t, err, &refused)
		assert.Equal(t, "nvrtc: compile: k.cu(1): fatal error: #error directive: no", err.Error())
		_, err = j.Result()
		require.ErrorAs(t, err, &refused)
	}
	assert.Len(t, rig.fake.Compiles(), 2)
	assert.Zero(t, store.Stats().Puts)
	assert.Equal(t, uint64(2), s.Stats().Failed)
}

func TestWithoutAKey(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{Store: memory()})
	for range 2 {
		r := wait(t, submit(t, s, "const char *t = __TIME__;\n"))
		assert.Equal(t, "__TIME__ in k.cu", r.Uncached)
		assert.Zero(t, r.Key)
		assert.Equal(t, compile.Compiled, r.Origin)
	}
	assert.Equal(t, uint64(2), s.Stats().Uncached)
	assert.Len(t, rig.fake.Compiles(), 2)
}

// TestOneFlight: identical requests share one compile, and one that is
// cancelled leaves it to the others.
func TestOneFlight(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{Store: memory()})
	const n = 20
	var jobs []*compile.Job
	for range n {
		jobs = append(jobs, submit(t, s, "// wait\n"+kernel))
	}
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	_, err := jobs[1].Result()
	assert.ErrorIs(t, err, compile.ErrNotDone)
	for _, i := range []int{0, 7} { // the first one began it
		began := time.Now()
		jobs[i].Cancel()
		jobs[i].Cancel()
		_, err := jobs[i].Wait(context.Background())
		assert.ErrorIs(t, err, context.Canceled)
		assert.Less(t, time.Since(began), time.Second)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = jobs[2].Wait(ctx)
	assert.ErrorIs(t, err, context.Canceled, "that ends the waiting")
	rig.open()
	for i, j := range jobs {
		if i == 0 || i == 7 {
			continue
		}
		assert.Equal(t, compile.Shared, wait(t, j).Origin)
	}
	assert.Len(t, rig.fake.Compiles(), 1)
	assert.Equal(t, compile.Stats{Jobs: n, Succeeded: n - 2, Cancelled: 2, Shared: n - 2, Compiles: 1}, s.Stats())
}

// TestTheLastOneEndsTheFlight, where NVRTC can be stopped, and one who comes
// later gets a compile of his own.
func TestTheLastOneEndsTheFlight(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1, Store: memory()})
	ctx, cancel := context.WithCancelCause(context.Background())
	one := submit(t, s, "// wait\n"+kernel)
	two, err := s.Submit(ctx, compile.Request{Source: "// wait\n" + kernel, Name: "k.cu"})
	require.NoError(t, err)
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	one.Cancel()
	tired := errors.New("tired")
	cancel(tired)
	_, err = two.Wait(context.Background())
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, err, tired)
	waitFor(t, func() bool { return len(rig.fake.Compiles()) == 1 })
	assert.Equal(t, nvrtc.Cancelled, rig.fake.Compiles()[0].Result)
	three := submit(t, s, "// wait\n"+kernel)
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	rig.open()
	assert.Equal(t, compile.Compiled, wait(t, three).Origin)
}

// TestTimeout: what NVRTC can't stop goes on, and takes nobody's turn here.
func TestTimeout(t *testing.T) {
	for _, v := range []string{"stoppable", "not"} {
		t.Run(v, func(t *testing.T) {
			version := stoppable
			if v == "not" {
				version = unstopped
			}
			rig := newRig(t, version)
			s := rig.service(compile.Config{MaxThreads: 1, Timeout: time.Hour, Store: memory()})
			j, err := s.Submit(context.Background(), compile.Request{Source: "// wait", Name: "slow.cu", Timeout: 10 * time.Millisecond})
			require.NoError(t, err)
			_, err = j.Wait(context.Background())
			require.ErrorIs(t, err, compile.ErrTimeout)
			assert.NotErrorIs(t, err, context.DeadlineExceeded, "it is nobody's context that ended")
			assert.Equal(t, "compile: slow.cu was stopped after 10ms: it ran for too long", err.Error())
			if v == "not" {
				assert.Equal(t, 1, rig.fake.Running())
			}
			if rig.compiler.Busy() < 2 { // with one processor NVRTC has one thread
				rig.open()
			}
			wait(t, submit(t, s, kernel))
			assert.Equal(t, uint64(1), s.Stats().TimedOut)
		})
	}
}

func TestClose(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1, QueueSize: 1, Store: memory()})
	running := submit(t, s, "// wait")
	waitFor(t, func() bool { return rig.fake.Running() == 1 && s.Stats().Waiting == 0 })
	queued := submit(t, s, "1")
	blocked := make(chan error)
	go func() {
		_, err := s.Submit(context.Background(), compile.Request{Source: "2"})
		blocked <- err
	}()
	time.Sleep(5 * time.Millisecond)
	require.NoError(t, s.Close())
	require.NoError(t, s.Close())
	for _, j := range []*compile.Job{running, queued} {
		_, err := j.Result()
		assert.ErrorIs(t, err, compile.ErrClosed)
	}
	assert.ErrorIs(t, <-blocked, compile.ErrClosed)
	_, err := s.Submit(context.Background(), compile.Request{Source: "3"})
	assert.ErrorIs(t, err, compile.ErrClosed)
	var none *compile.Service
	assert.NoError(t, none.Close())
}

func TestShutdown(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1})
	jobs := []*compile.Job{submit(t, s, "// wait"), submit(t, s, "1")}
	down := make(chan error)
	go func() { down <- s.Shutdown(context.Background()) }()
	waitFor(t, func() bool {
		_, err := s.Submit(context.Background(), compile.Request{Source: "late"})
		return errors.Is(err, compile.ErrClosed)
	})
	rig.open()
	require.NoError(t, <-down)
	for _, j := range jobs {
		_, err := j.Result()
		assert.NoError(t, err)
	}

	rig = newRig(t, stoppable)
	s = rig.service(compile.Config{})
	j := submit(t, s, "// wait")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, s.Shutdown(ctx), context.DeadlineExceeded)
	_, err := j.Result()
	assert.ErrorIs(t, err, compile.ErrClosed)
}

// TestChangedMeanwhile: a header that changes while NVRTC runs is not taken for
// what it was.
func TestChangedMeanwhile(t *testing.T) {
	rig := newRig(t, stoppable)
	t.Chdir(t.TempDir())
	write(t, "h.h", "1")
	store := cache.NewMemory(cache.MemoryConfig{})
	s := rig.service(compile.Config{Store: store})
	j := submit(t, s, "// wait\n#include \"h.h\"\n")
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	write(t, "h.h", "2")
	rig.open()
	wait(t, j)
	assert.Zero(t, store.Stats().Puts)
	assert.Equal(t, compile.Compiled, wait(t, submit(t, s, "// wait\n#include \"h.h\"\n")).Origin)
	assert.Equal(t, compile.Cached, wait(t, submit(t, s, "// wait\n#include \"h.h\"\n")).Origin)
}

// TestOptionsOfOthers: an error names the options that its own request has.
func TestOptionsOfOthers(t *testing.T) {
	rig := newRig(t, stoppable)
	s := rig.service(compile.Config{MaxThreads: 1, Store: memory()})
	submit(t, s, "// wait")
	waitFor(t, func() bool { return rig.fake.Running() == 1 })
	one, err := s.Submit(context.Background(), compile.Request{Source: "x", Options: []string{"-DX", "-arch=sm_1"}})
	require.NoError(t, err)
	two, err := s.Submit(context.Background(), compile.Request{Source: "x", Options: []string{"-arch", "sm_1", "-DX"}})
	require.NoError(t, err)
	rig.open()
	_, err = one.Wait(context.Background())
	require.ErrorContains(t, err, `options[1] "-arch=sm_1"`)
	_, err = two.Wait(context.Background())
	require.ErrorContains(t, err, `options[0] "-arch" "sm_1"`)
}

// TestTheMachinesNVRTC is opened when needed, and closed with the service.
func TestTheMachinesNVRTC(t *testing.T) {
	t.Setenv("PURECUDA_NVRTC", nvrtctest.Real(t, unstopped).Path())
	s := compile.NewService(compile.Config{})
	r := wait(t, submit(t, s, kernel))
	assert.Equal(t, "NVRTC 12.4", r.Entry.Compiler)
	require.NoError(t, s.Close())
}

// TestRealCompile goes through the real NVRTCs.
func TestRealCompile(t *testing.T) {
	nvrtctest.Real(t, unstopped)
	for _, c := range nvrtctest.Reals() {
		s := compile.NewService(compile.Config{Compiler: c, Store: memory()})
		var first *compile.Result
		for _, want := range []compile.Origin{compile.Compiled, compile.Cached} {
			j, err := s.Submit(context.Background(), compile.Request{Source: "template <class T> __global__ void k(T *x) { int unused; *x = 1; }", Name: "k.cu", Options: []string{"-arch=sm_80"}, Exports: []string{"k<float>"}})
			require.NoError(t, err)
			r := wait(t, j)
			assert.Equal(t, want, r.Origin)
			assert.Equal(t, cache.CUBIN, r.Entry.Kind)
			assert.NotEmpty(t, r.Entry.PTX)
			assert.Equal(t, "_Z1kIfEvPT_", r.Entry.Lowered["k<float>"])
			assert.Contains(t, r.Entry.Log, "unused")
			if first != nil {
				assert.True(t, first.Entry.Equal(r.Entry))
			}
			first = r
		}
		assert.NoError(t, s.Close())
	}
}

func TestOriginString(t *testing.T) {
	assert.Equal(t, "shared", compile.Shared.String())
	assert.Equal(t, "Origin(9)", compile.Origin(9).String())
}
