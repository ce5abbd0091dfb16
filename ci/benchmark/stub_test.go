//go:build !rtcalone

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/nvrtc"
)

// missing skips a test for want of something, or fails it where PURECUDA_REQUIRE lists that.
func missing(t *testing.T, what string, why any) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what) {
		t.Fatalf("%s is required: %v", what, why)
	}
	t.Skipf("no %s: %v", what, why)
}

// The whole benchmark on a driver that has no GPU and does what axpy does: every way must give the right result, or it
// is another thing that is measured.
func TestRunOnTheStub(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" {
		missing(t, "gcc", "needs gcc on Linux")
	}
	compiler, err := nvrtc.Open(nvrtc.Config{})
	if err != nil {
		missing(t, "nvrtc", err)
	}
	folder := t.TempDir()
	build := func(name, source string, flags ...string) {
		args := append([]string{"-O2", "-Wall", "-Wextra", "-Werror", `-DAXPY="axpy.cu"`, "-o", filepath.Join(folder, name), "c/" + source}, flags...)
		out, err := exec.Command(gcc, args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	build("libpaths.so", "paths.c", "-shared", "-fPIC")
	build("libcuda.so.1", "stub.c", "-shared", "-fPIC")
	build("first", "first.c", "-ldl")
	self, alone := filepath.Join(folder, "benchmark"), filepath.Join(folder, "rtcalone")
	for _, args := range [][]string{{"build", "-o", self, "."}, {"build", "-tags", "rtcalone", "-o", alone, "."}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			missing(t, "go", string(out))
		}
	}
	stub := filepath.Join(folder, "libcuda.so.1")
	command := func(seed string, args ...string) *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(os.Environ(), "PURECUDA_CUDA="+stub, "PURECUDA_NVRTC="+compiler.Path(), "SEED="+seed, "STUB_DEVICES=2",
			"LD_LIBRARY_PATH="+filepath.Dir(compiler.Path()))
		return cmd
	}

	t.Run("C and Go start alike", func(t *testing.T) {
		for _, args := range [][]string{{filepath.Join(folder, "first"), stub, compiler.Path(), "41"}, {alone, "first", "41"}} {
			out, err := command("41", args...).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Regexp(t, `^ok open=\d+ compile=\d+ load=\d+ run=\d+\n$`, string(out))
			out, err = command("42", args...).CombinedOutput()
			require.Error(t, err, "the result is looked at")
			require.Contains(t, string(out), "41")
		}
	})
	t.Run("a start finds the kernel in the cache", func(t *testing.T) {
		dir := filepath.Join(folder, "cache")
		for _, args := range [][]string{{alone, "first", "41"}, {alone, "module", "41"}} {
			var took []time.Duration
			for range 2 {
				cmd := command("41", args...)
				cmd.Env = append(cmd.Env, "PURECUDA_CACHE="+dir)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				line := regexp.MustCompile(`compile=(\d+)`).FindStringSubmatch(string(out))
				require.NotNil(t, line, string(out))
				us, err := strconv.Atoi(line[1])
				require.NoError(t, err)
				took = append(took, time.Duration(us)*time.Microsecond)
			}
			require.Less(t, took[1], took[0], args[1])
		}
		entries, err := filepath.Glob(filepath.Join(dir, "??", "*"))
		require.NoError(t, err)
		require.Len(t, entries, 2)
	})
	t.Run("service", func(t *testing.T) {
		server, err := filepath.Abs("../../.deps/redis/usr/bin/redis-server")
		require.NoError(t, err)
		if _, err := os.Stat(server); err != nil {
			if server, err = exec.LookPath("redis-server"); err != nil {
				missing(t, "redis", err)
			}
		}
		setting := serviceSetting{redis: server, nvrtcs: []string{compiler.Path()}}
		out, err := command("0", append([]string{self}, setting.arguments(2)...)...).Output()
		require.NoError(t, err)
		var r serviceResults
		require.NoError(t, json.Unmarshal(out, &r))
		require.Empty(t, r.Absent)
		require.Equal(t, []string{fmt.Sprintf("%s (%s)", compiler.Version(), compiler.Path())}, r.NVRTCs)
		bounds := 0
		for _, c := range r.Comparisons {
			for _, w := range c.Ways {
				require.Positive(t, w.Time.P10, c.Title+": "+w.Name)
			}
			for _, b := range c.Bounds {
				bounds++
				require.False(t, c.find(b.Way).Time.zero(), "%s: %s has a bound and is none of its ways", c.Title, b.Way)
				require.False(t, c.find(b.Of).Time.zero(), "%s: %s", c.Title, b.Of)
			}
		}
		require.Len(t, r.criteria(), bounds)
	})
	t.Run("launches", func(t *testing.T) {
		out, err := command("0", alone, "launches", folder, "40", "65536").Output()
		require.NoError(t, err)
		var r launchResults
		require.NoError(t, json.Unmarshal(out, &r))
		require.Equal(t, compiler.Path(), r.LibNVRTC)
		require.Len(t, r.Peer, len(peerSizes))
		for _, ways := range append(r.Peer, r.Enqueue, r.Wait, r.Compile, r.Across, r.Replay, r.ReplayWait, r.ReplayChanged) {
			require.NotEmpty(t, ways)
			for _, w := range ways {
				require.Positive(t, w.Time.P10, w.Name)
				require.LessOrEqual(t, w.Time.P10, w.Time.Median, w.Name)
			}
		}
		for _, w := range r.Replay[1:] {
			require.NotZero(t, w.Beyond, w.Name)
		}
		require.Zero(t, allocations(r.Enqueue, prepared))
		require.Zero(t, allocations(r.Replay, replayed))
		require.Zero(t, allocations(r.ReplayWait, replayedWait))
	})
}
