//go:build linux && (amd64 || arm64)

package nvrtc_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// Compiles that are given up at any moment, where the real NVRTC can be told to
// stop (12.8). A process has room for 2,000 callbacks.
func TestSoakCancelledReal(t *testing.T) {
	rounds := soakRounds(t)
	real := nvrtctest.Real(t, dlVersion(0, 0))
	c, err := nvrtc.Open(nvrtc.Config{Path: real.Path()})
	require.NoError(t, err)
	defer c.Close()
	if !c.Features().Cancel {
		t.Skipf("%v can't be told to stop", c)
	}
	options := []string{"-arch=sm_90"}
	if c.Version().AtLeast(12, 9) {
		options = append(options, "--no-cache")
	}
	fmt.Println("soak:", c)
	var body strings.Builder
	for i := range 100 {
		fmt.Fprintf(&body, "x[%d] = sinf(x[%d]) * %d.5f;\n", i, (i*7)%100, i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	cancelled, finished := 0, 0
	var slowest time.Duration
	soak(t, rounds, func(i int) {
		p, err := c.NewProgram(fmt.Sprintf("__global__ void k%d(float *x) {\n%s}", i, &body), nvrtc.ProgramConfig{Name: "k.cu"})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(random.IntN(40_000))*time.Microsecond)
		defer cancel()
		err = p.Compile(ctx, options...)
		late := time.Duration(0)
		if deadline, _ := ctx.Deadline(); errors.Is(err, context.DeadlineExceeded) {
			late = time.Since(deadline)
		}
		switch {
		case err == nil:
			finished++
		case errors.Is(err, context.DeadlineExceeded):
			cancelled++
			slowest = max(slowest, late)
		default:
			t.Fatal(err)
		}
		require.NoError(t, p.Close())
	})
	fmt.Printf("soak: %d cancelled, the latest %v after its deadline; %d finished before theirs\n", cancelled, slowest, finished)
	assert.Greater(t, cancelled, rounds/20)
	require.Eventually(t, func() bool { return c.Busy() == 0 }, 30*time.Second, time.Millisecond)
}
