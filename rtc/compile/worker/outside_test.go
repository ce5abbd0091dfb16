//go:build linux && (amd64 || arm64)

package worker_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// Somebody kills all workers, or the machine has no memory left: that says nothing of
// the sources that were compiled just then, which are compiled when they are asked for
// again.
func TestWorkersKilledFromOutside(t *testing.T) {
	c := nvrtctest.Real(t, dl.Version{Major: 12, Minor: 4})
	p := newPool(t, worker.Config{Workers: 1})
	require.NoError(t, p.Ping(context.Background(), c))
	r := &compile.Request{Compiler: c, Name: "k.cu", Source: "template<int D, int I> struct T { static const int v = T<D - 1, 2 * I>::v + T<D - 1, 2 * I + 1>::v; };\n" +
		"template<int I> struct T<0, I> { static const int v = I; };\n__device__ int x = T<22, 1>::v;\n"} // it takes minutes
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run(context.Background(), r)
		ended <- err
	}()
	var err error
	for running := true; running; {
		select {
		case err = <-ended:
			running = false
		case <-time.After(10 * time.Millisecond):
			for _, pid := range children() {
				if used(pid) > 100 { // a second: more than to begin takes
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			}
		}
	}
	var crash *worker.CrashError
	require.ErrorAs(t, err, &crash)
	assert.Equal(t, syscall.SIGKILL, crash.Exit.Signal)
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	_, err = p.Run(ctx, r)
	assert.ErrorIs(t, err, context.DeadlineExceeded, "it is compiled again")
}

// used is the processor time of a process, in hundredths of a second.
func used(pid int) (ticks int) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	for _, field := range fields[11:13] {
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return ticks
}
