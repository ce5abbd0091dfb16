//go:build !rtcalone

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// shell makes a program of a shell script; $1 is the number it is given.
func shell(t *testing.T, name, script string, runs int) program {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	return program{name: name, args: []string{"sh", "-c", script, "sh"}, runs: runs}
}

func TestStartAll(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	a := shell(t, "a", `echo "a $1 $WHAT" >>"`+log+`"; echo ok open=1000 compile=2000 load=0 run=500; sleep 1`, 3)
	a.env = []string{"WHAT=env"}
	b := shell(t, "b", `echo "b $1" >>"`+log+`"; echo ok`, 1)
	b.warm = true
	starts, errs := startAll([]program{a, b}, 40)
	require.Empty(t, errs)

	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, "a 41 env\nb 1\na 42 env\nb 1\na 43 env\na 44 env\n", string(text),
		"by turns, each once to warm up, and a new number each time but where the cache may know the source")

	require.Equal(t, 3, starts[0].Total.Samples)
	require.Less(t, starts[0].Total.Median, float64(time.Second), "what comes after the line does not count")
	require.Len(t, starts[0].Steps, len(stepNames))
	require.Equal(t, 1e6, starts[0].Steps[1].Median)
	require.Equal(t, 5e5, starts[0].Steps[4].Median)
	require.InDelta(t, starts[0].Total.Median, starts[0].Steps[0].Median+3.5e6, 1)
	require.Empty(t, starts[1].Steps)
}

func TestStartAllGoesOnAfterAFailure(t *testing.T) {
	starts, errs := startAll([]program{
		shell(t, "bad", `echo one >&2; echo "no device" >&2; exit 3`, 5),
		shell(t, "silent", `echo hello`, 5),
		{name: "absent", args: []string{"/nowhere/at/all"}, runs: 5},
		shell(t, "good", `echo ok`, 2),
	}, 0)
	require.Len(t, errs, 3)
	require.EqualError(t, errs[0], "bad: exit status 3: no device")
	require.ErrorContains(t, errs[1], `silent: no line that begins with ok, but "hello"`)
	require.ErrorContains(t, errs[2], "absent: ")
	require.True(t, starts[0].Total.zero())
	require.Equal(t, 2, starts[3].Total.Samples)
}

func TestStepsOf(t *testing.T) {
	_, err := stepsOf("ok open=12 lunch=3", time.Second)
	require.ErrorContains(t, err, "lunch=3")
	_, err = stepsOf("ok open=soon", time.Second)
	require.ErrorContains(t, err, "open=soon")
	_, err = stepsOf("ok process=3", time.Second)
	require.Error(t, err, "that is what is left")
}

func TestOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs sh")
	}
	var r pythonResult
	require.NoError(t, output(&r, "sh", "-c", `echo '{"name": "x", "wait": {"p10": 2.5, "median": 3, "samples": 4}}'`))
	require.Equal(t, pythonResult{Name: "x", Wait: figure{2.5, 3, 4}}, r)
	require.ErrorContains(t, output(&r, "sh", "-c", "echo nonsense"), "nonsense")
	err := output(&r, "sh", "-c", "echo \"ModuleNotFoundError: No module named 'cupy'\" >&2; exit 1")
	require.EqualError(t, err, "exit status 1: ModuleNotFoundError: No module named 'cupy'")
}

func TestSourceIsNew(t *testing.T) {
	require.NotEqual(t, source(1), source(2))
	require.True(t, strings.HasPrefix(source(12), "#define SEED 12\n"))
}
