//go:build linux && (amd64 || arm64)

package nvrtc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// soakRounds is how many rounds ci/soak asks for.
func soakRounds(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("PURECUDA_SOAK"))
	if err != nil || n < 100 {
		t.Skip("for ci/soak: PURECUDA_SOAK=10000")
	}
	return n
}

// soak runs f so many times and holds what the process uses at the end against
// what it used after a tenth.
func soak(t *testing.T, rounds int, f func(i int)) {
	begin := time.Now()
	var early, now usage
	for i := range rounds {
		f(i)
		if (i+1)%(rounds/10) == 0 {
			now = use(t)
			fmt.Printf("soak: %s: %6d in %6.1f s: RSS %d KiB, %d files, %d threads\n", t.Name(), i+1, time.Since(begin).Seconds(), now.rssKB, now.files, now.threads)
			if early == (usage{}) {
				early = now
			}
		}
	}
	assert.LessOrEqual(t, now.rssKB-early.rssKB, 32<<10, "KiB more than after the first tenth")
	assert.Equal(t, early.files, now.files)
	assert.LessOrEqual(t, now.threads, early.threads+3)
}

// Each source is another one, every fifth is refused, every fiftieth nests deeply.
func TestSoakCompiles(t *testing.T) {
	rounds := soakRounds(t)
	real := nvrtctest.Real(t, dlVersion(0, 0))
	before := actions(t)
	c, err := nvrtc.Open(nvrtc.Config{Path: real.Path()})
	require.NoError(t, err)
	defer c.Close()
	fmt.Println("soak:", c)
	soak(t, rounds, func(i int) {
		source := fmt.Sprintf("extern \"C\" __global__ void k%d(float *x) { x[threadIdx.x] += %d; }", i, i)
		var compileError *nvrtc.CompileError
		switch {
		case i%50 == 49:
			require.NoError(t, compile(c, nested(2000+i%1000)))
		case i%5 == 4:
			p, err := c.NewProgram(source+" x", nvrtc.ProgramConfig{Name: "refused.cu"})
			require.NoError(t, err)
			require.ErrorAs(t, p.Compile(t.Context(), "-arch=compute_80"), &compileError)
			require.NoError(t, p.Close())
		default:
			require.NoError(t, compile(c, source))
		}
	})
	assert.Equal(t, before, actions(t))
}

// Compiles that are given up, against the double that stops when it is told to:
// all of them share the one callback.
func TestSoakCancelled(t *testing.T) {
	rounds := soakRounds(t)
	config, _, began := blocking(nvrtctest.Config{Version: dlVersion(12, 8)})
	c, fake := bindTo(t, config)
	soak(t, rounds, func(int) {
		p, err := c.NewProgram(axpyC, nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-began; cancel() }()
		if err := p.Compile(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v", err)
		}
		require.NoError(t, p.Close())
	})
	require.Eventually(t, func() bool { return fake.Running() == 0 && c.Busy() == 0 }, 10*time.Second, time.Millisecond)
}
