package worker_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

func TestMain(m *testing.M) {
	worker.Main()
	m.Run()
}

// double opens the NVRTC of testdata, which TestUnderWine builds beside this program.
func double(t *testing.T) *nvrtc.Compiler {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	library := filepath.Join(filepath.Dir(program), "nvrtc64_120_0.dll")
	if _, err := os.Stat(library); err != nil {
		t.Skip("no NVRTC of testdata lies beside this program")
	}
	c, err := nvrtc.Open(nvrtc.Config{Path: library})
	require.NoError(t, err)
	return c
}

// TestOnWindows has workers compile, be refused, crash, hang and be cancelled.
func TestOnWindows(t *testing.T) {
	c := double(t)
	secret, err := os.Executable()
	require.NoError(t, err)
	p, err := worker.NewPool(worker.Config{Workers: 2, CPU: 2 * time.Second})
	require.NoError(t, err)
	defer p.Close()
	compiles := func(ctx context.Context, source string, options ...string) error {
		e, err := p.Run(ctx, &compile.Request{Compiler: c, Source: source, Name: "k.cu", Options: options})
		if err == nil {
			assert.Contains(t, string(e.Image), ".entry k()")
		}
		return err
	}
	ctx := context.Background()
	require.NoError(t, p.Ping(ctx, c))
	for range 5 {
		require.NoError(t, compiles(ctx, "good", "--gpu-architecture=compute_70"))
	}
	assert.NoError(t, compiles(ctx, "deep"), "a large stack")
	var refused *nvrtc.CompileError
	assert.ErrorAs(t, compiles(ctx, "refuse"), &refused)
	var crash *worker.CrashError
	assert.ErrorAs(t, compiles(ctx, "crash"), &crash)
	// Wine gives a process's own time for that of any other.
	if syscall.NewLazyDLL("ntdll.dll").NewProc("wine_get_version").Find() != nil {
		var limit *worker.LimitError
		if assert.ErrorAs(t, compiles(ctx, "hang"), &limit) {
			assert.Equal(t, "CPU", limit.Limit)
		}
	}
	soon, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	assert.ErrorIs(t, compiles(soon, "hang again"), context.DeadlineExceeded)
	assert.Less(t, time.Since(start), 2*time.Second)
	// Nothing but a look at the text and the options keeps files from it.
	assert.ErrorContains(t, compiles(ctx, "#include \""+filepath.ToSlash(secret)+"\""), "is not in the folders for headers")
	var bad *nvrtc.OptionError
	assert.ErrorAs(t, compiles(ctx, "good", "--pre-include="+secret), &bad)
	assert.NoError(t, compiles(ctx, "good"))
	_, err = worker.NewPool(worker.Config{Isolation: worker.Required})
	assert.ErrorIs(t, err, worker.ErrNoWalls)

	var busy = make(chan error)
	go func() { busy <- compiles(ctx, "hang until it is closed") }()
	time.Sleep(300 * time.Millisecond)
	require.NoError(t, p.Close())
	assert.ErrorIs(t, <-busy, worker.ErrClosed)
}
