package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

const faultySource = `
extern "C" __global__ void innocent(int *p) { *p = 1; }
extern "C" __global__ void wild(int *p) { p[1ll << 40] = 1; }
extern "C" __global__ void trap(int *p) { __trap(); }
template <int N> __global__ void wildN(int *p) { p[(1ll << 40) + N] = 1; }
`

// A fault costs the process its GPU, so each happens in a process of its own:
// this test binary, called with PURECUDA_TEST_FAULT.
func TestFaults(t *testing.T) {
	gpu(t)
	for _, c := range []struct {
		name string
		want []string
		not  string
	}{
		{"launch wild", []string{"kernel wild", "illegal memory address"}, "innocent"},
		{"launch trap", []string{"kernel trap"}, "innocent"},
		{"launch wildN<3>", []string{"kernel wildN<3>"}, "innocent"},
		{"enqueue", []string{"innocent", "wild"}, "trap"},
	} {
		if simulating() { // which knows the one that it was
			for i := range c.want {
				c.want[i] = strings.TrimPrefix(c.want[i], "kernel ")
			}
			c.want = slices.DeleteFunc(c.want, func(w string) bool { return w == "innocent" })
		}
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestFaultChild$", "-test.v")
			cmd.Env = append(os.Environ(), "PURECUDA_TEST_FAULT="+c.name)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, string(out))
			require.Contains(t, string(out), "first: ")
			for _, line := range strings.Split(string(out), "\n") {
				if first, ok := strings.CutPrefix(line, "first: "); ok {
					for _, w := range c.want {
						assert.Contains(t, first, w)
					}
					assert.NotContains(t, first, c.not)
				}
				if later, ok := strings.CutPrefix(line, "later: "); ok {
					for _, w := range c.want {
						assert.Contains(t, later, w)
					}
				}
			}
			assert.Equal(t, 6, strings.Count(string(out), "later: "), string(out))
		})
	}
}

func TestFaultChild(t *testing.T) {
	what := os.Getenv("PURECUDA_TEST_FAULT")
	if what == "" {
		t.Skip("TestFaults calls it in a process of its own")
	}
	c := rtc.OpenConfig{}
	if simulating() {
		c.Driver = simulatedDriver(t)
	}
	dev, err := rtc.OpenWith(c)
	require.NoError(t, err)
	mod := compile(t, faultySource, rtc.ModuleConfig{Exports: []string{"wildN<3>"}})
	p, err := rtc.Zeros[int32](dev, 1)
	require.NoError(t, err)
	run := func(name string, wait bool) error {
		k, err := mod.Kernel(name, "int *p")
		require.NoError(t, err)
		if wait {
			return k.Launch(dev, rtc.Dim(1), rtc.Dim(1), 0, p)
		}
		return k.Enqueue(dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0, p)
	}
	require.NoError(t, run("innocent", true))
	if name, ok := strings.CutPrefix(what, "launch "); ok {
		err = run(name, true)
	} else {
		require.NoError(t, run("innocent", false))
		require.NoError(t, run("wild", false))
		_, err = rtc.ToSlice[int32](p)
	}
	fmt.Println("first:", err)
	var e *driver.Error
	require.True(t, errors.As(err, &e) && e.Fatal(), "%v", err)
	_, zerr := rtc.Zeros[int32](dev, 1)
	_, oerr := rtc.OpenWith(c)
	for _, later := range []error{run("innocent", true), run("innocent", false), zerr, dev.Health(), dev.Synchronize(t.Context()), oerr} {
		fmt.Println("later:", later)
		assert.Error(t, later)
	}
	start := time.Now()
	p.Close()
	mod.Close()
	dev.Close()
	assert.Less(t, time.Since(start), 30*time.Second)
}
