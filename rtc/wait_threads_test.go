package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// gated is a libcuda whose waits block until its gate is opened.
const gated = `
#define cuStreamSynchronize stub_stream_synchronize
#define cuEventSynchronize stub_event_synchronize
#define cuEventQuery stub_event_query
#include "../ci/benchmark/c/stub.c"
#undef cuStreamSynchronize
#undef cuEventSynchronize
#undef cuEventQuery
#include <unistd.h>
static volatile int open, blocked;
static int block(void) {
    __atomic_add_fetch(&blocked, 1, __ATOMIC_SEQ_CST);
    while (!open) usleep(1000);
    __atomic_add_fetch(&blocked, -1, __ATOMIC_SEQ_CST);
    return 0;
}
int cuStreamSynchronize(void *stream) { return (void)stream, block(); }
int cuEventSynchronize(void *event) { return (void)event, block(); }
int cuEventQuery(void *event) { return (void)event, open ? 0 : 600; }
int gate(int now) { return open = now, blocked; }
`

// A gate is the gate of a libcuda of C whose waits block a thread each.
type gate struct {
	dev  *rtc.Device
	gate dl.Func
}

func newGate(t *testing.T) *gate {
	t.Helper()
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		if required("gcc") {
			t.Fatal("gcc on Linux is required")
		}
		t.Skip("no gcc here")
	}
	lib := filepath.Join(t.TempDir(), "libgated.so")
	cmd := exec.Command(gcc, "-O2", "-shared", "-fPIC", "-I../ci/benchmark/c", `-DAXPY="../ci/benchmark/axpy.cu"`, "-o", lib, "-x", "c", "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	go func() { fmt.Fprint(in, gated); in.Close() }()
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	l, err := dl.Open(lib)
	require.NoError(t, err)
	g := &gate{}
	g.gate, err = l.Lookup("gate")
	require.NoError(t, err)
	g.set(true)
	drv, err := driver.Bind(l)
	require.NoError(t, err)
	g.dev, err = rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	t.Cleanup(func() {
		g.set(true)
		require.NoError(t, g.dev.Close())
	})
	return g
}

// set opens or closes the gate, and says how many threads are blocked at it.
func (g *gate) set(open bool) int {
	var word uintptr
	if open {
		word = 1
	}
	return int(g.gate.Call(word))
}

func threads(t *testing.T) int {
	all, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	return len(all)
}

// TestWaitsShareThreads: however many goroutines wait for however many streams, they hold one thread; those without a context, that wait on
// threads of their own, as many as can run beside it.
func TestWaitsShareThreads(t *testing.T) {
	g := newGate(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	streams := []*rtc.Stream{g.dev.Stream()}
	for range 15 {
		s, err := g.dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		streams = append(streams, s)
	}
	event := func(s *rtc.Stream, ctx context.Context) error {
		e, err := s.Record()
		if err != nil {
			return err
		}
		return errors.Join(e.Synchronize(ctx), e.Close())
	}
	own := 1 + runtime.GOMAXPROCS(0)
	for name, c := range map[string]struct {
		wait func(s *rtc.Stream) error
		most int
	}{
		"stream":             {func(s *rtc.Stream) error { return s.Synchronize(ctx) }, 1},
		"stream, no context": {func(s *rtc.Stream) error { return s.Synchronize(context.Background()) }, own},
		"device":             {func(*rtc.Stream) error { return g.dev.Synchronize(ctx) }, 1},
		"device, no context": {func(*rtc.Stream) error { return g.dev.Synchronize(context.Background()) }, own},
		"event":              {func(s *rtc.Stream) error { return event(s, ctx) }, 1},
		"event, no context":  {func(s *rtc.Stream) error { return event(s, context.Background()) }, own},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range streams { // so that there is something to wait for
				require.NoError(t, s.Do(nil, nil, func(uintptr) error { return nil }))
			}
			g.set(false)
			before := threads(t)
			var all sync.WaitGroup
			for i := range 320 {
				all.Go(func() { assert.NoError(t, c.wait(streams[i%len(streams)])) })
			}
			time.Sleep(100 * time.Millisecond) // for more of them, if there were any
			blocked, more := g.set(false), threads(t)-before
			g.set(true)
			all.Wait()
			assert.Positive(t, blocked)
			assert.LessOrEqual(t, blocked, c.most)
			assert.Less(t, more, 40+c.most+runtime.GOMAXPROCS(0)) // of 320 that wait; the runtime has some
			assert.Zero(t, g.set(true))
		})
	}
}
