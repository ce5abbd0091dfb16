package compile_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A runner is a user's own.
type runner func(context.Context, *compile.Request) (*cache.Entry, error)

func (f runner) Run(ctx context.Context, r *compile.Request) (*cache.Entry, error) { return f(ctx, r) }
func (f runner) Close() error                                                      { return nil }

// TestForeignRunners have all that their compile holds given back, whatever they do:
// for requests with a key, and without.
func TestForeignRunners(t *testing.T) {
	mine := errors.New("mine")
	for name, x := range map[string]struct {
		bad  func() (*cache.Entry, error)
		want string
		is   error
	}{
		"panics":            {func() (*cache.Entry, error) { panic("no GPU here") }, "compile: k.cu: the Runner panicked: no GPU here", nil},
		"panics with error": {func() (*cache.Entry, error) { panic(mine) }, "compile: k.cu: the Runner panicked: mine", mine},
		"faults":            {func() (*cache.Entry, error) { var e *cache.Entry; return e, errors.New(e.Log) }, "compile: k.cu: the Runner panicked: runtime error: invalid memory address or nil pointer dereference", nil},
		"ends":              {func() (*cache.Entry, error) { runtime.Goexit(); return nil, nil }, "compile: k.cu: the Runner ended its goroutine, as runtime.Goexit does", nil},
		"nothing":           {func() (*cache.Entry, error) { return nil, nil }, "compile: k.cu: the Runner gave neither an entry nor an error", nil},
		"an empty one":      {func() (*cache.Entry, error) { return &cache.Entry{}, nil }, "compile: k.cu: the Runner gave an entry without an image", nil},
	} {
		t.Run(name, func(t *testing.T) {
			rig := newRig(t, unstopped)
			good := false
			disk := cache.NewDisk(cache.DiskConfig{Dir: t.TempDir()})
			s := rig.service(compile.Config{Store: disk, MaxThreads: 1, QueueSize: 1, Runner: runner(func(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
				if good {
					return compile.InProcess{}.Run(ctx, r)
				}
				return x.bad()
			})})
			sources := []string{"int x;", "const char *t = __TIME__;"}
			for _, source := range sources {
				for range 3 {
					_, err := submit(t, s, source).Wait(context.Background())
					require.EqualError(t, err, x.want)
					if x.is != nil {
						assert.ErrorIs(t, err, x.is)
					}
				}
			}
			waitFor(t, func() bool { n := s.Stats(); return n.Running == 0 && n.Waiting == 0 && n.Failed == 6 })
			good = true
			for _, source := range sources {
				assert.Equal(t, compile.Compiled, wait(t, submit(t, s, source)).Origin)
			}
		})
	}
}

// TestPanicHasItsStack, which is longer than a message may be.
func TestPanicHasItsStack(t *testing.T) {
	s := newRig(t, unstopped).service(compile.Config{Runner: runner(func(context.Context, *compile.Request) (*cache.Entry, error) { return culprit() })})
	_, err := submit(t, s, "int x;").Wait(context.Background())
	var p *compile.PanicError
	require.ErrorAs(t, err, &p)
	assert.Equal(t, "guilty", p.Value)
	assert.Contains(t, string(p.Stack), "culprit")
}

//go:noinline
func culprit() (*cache.Entry, error) { panic("guilty") }

// TestSubmitWhileRanging has the one who takes what is done submit more than the queue
// holds, and close.
func TestSubmitWhileRanging(t *testing.T) {
	s := newRig(t, unstopped).service(compile.Config{MaxThreads: 1, QueueSize: 1})
	done := s.Completed(context.Background())
	submit(t, s, "int x;")
	n := 0
	for range done {
		switch n++; {
		case n < 20:
			submit(t, s, "int x;")
			submit(t, s, "int y;")
		case n == 20:
			require.NoError(t, s.Close())
		}
	}
	assert.Equal(t, s.Stats().Jobs, uint64(n), "it was told of all")
}

// TestRunnerThatSubmits may do so as long as it doesn't wait, and what it waits for ends
// with its context.
func TestRunnerThatSubmits(t *testing.T) {
	var s *compile.Service
	s = newRig(t, unstopped).service(compile.Config{MaxThreads: 1, Runner: runner(func(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
		if r.Name == "outer.cu" {
			j, err := s.Submit(ctx, compile.Request{Source: "int inner;", Name: "inner.cu"})
			if err != nil {
				return nil, err
			}
			_, err = j.Wait(ctx)
			return nil, err
		}
		return compile.InProcess{}.Run(ctx, r)
	})})
	j, err := s.Submit(context.Background(), compile.Request{Source: "int outer;", Name: "outer.cu"})
	require.NoError(t, err)
	waitFor(t, func() bool { return s.Stats().Jobs == 2 })
	j.Cancel()
	_, err = j.Wait(context.Background())
	assert.ErrorIs(t, err, context.Canceled)
	wait(t, submit(t, s, "int y;"))
	n := s.Stats()
	assert.Zero(t, n.Running+n.Waiting)
}
