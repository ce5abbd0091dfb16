package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/examples/internal/need"
	"github.com/purecuda/purecuda/rtc"
)

func TestPipeline(t *testing.T) {
	t.Chdir(t.TempDir())
	var out strings.Builder
	need.NVRTC(t, run(&out, ""))
	assert.Contains(t, out.String(), "8 chunks of ")
	assert.Contains(t, out.String(), "the results are right")
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Empty(t, left, "nothing is written without an argument")
}

// The trace has every part, those of a stream one after the other, and a copy
// that overlaps with the kernel of another stream.
func TestTrace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.json")
	var out strings.Builder
	need.NVRTC(t, run(&out, file))
	assert.Contains(t, out.String(), "wrote "+file)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var trace struct{ TraceEvents []slice }
	require.NoError(t, json.Unmarshal(text, &trace))
	count, until, kernels, copies := map[string]int{}, map[int]float64{}, []slice{}, []slice{}
	for _, s := range trace.TraceEvents {
		count[s.Name]++
		if s.Phase != "X" {
			continue
		}
		assert.GreaterOrEqual(t, s.At, until[s.Thread]-0.5, "%+v", s) // GPUs give times in halves of a microsecond
		until[s.Thread] = s.At + s.Duration
		if s.Name == "kernel" {
			kernels = append(kernels, s)
		} else {
			copies = append(copies, s)
		}
	}
	assert.Equal(t, map[string]int{"process_name": 1, "thread_name": 3, "in": chunks, "kernel": chunks, "out": chunks}, count)
	overlaps := false
	for _, k := range kernels {
		for _, c := range copies {
			overlaps = overlaps || c.Thread != k.Thread && c.At < k.At+k.Duration && k.At < c.At+c.Duration
		}
	}
	assert.True(t, overlaps, out.String())
}

func TestChart(t *testing.T) {
	var out strings.Builder
	us := time.Microsecond
	chart(&out, []part{{0, 0, [4]time.Duration{0, 10 * us, 30 * us, 32 * us}}, {1, 1, [4]time.Duration{10 * us, 20 * us, 50 * us, 64 * us}}})
	assert.Equal(t, `chunk stream       in   kernel      out
    0      0     10.0     20.0      2.0 |<<<<<<<<<<####################>>                                |
    1      1     10.0     30.0     14.0 |          <<<<<<<<<<##############################>>>>>>>>>>>>>>|
`, out.String())
}

// A wrong element is found, and named.
func TestCheck(t *testing.T) {
	dev, err := rtc.OpenSimulated()
	require.NoError(t, err)
	defer dev.Close()
	j := &job{dev: dev, size: 4, rounds: 2}
	require.NoError(t, j.fill())
	for c := range chunks {
		for i, v := range j.in[c].Slice() {
			v = v*factor + summand
			j.out[c].Slice()[i] = v*factor + summand
		}
	}
	require.NoError(t, j.check())
	j.out[3].Slice()[2]++
	require.ErrorContains(t, j.check(), "chunk 3: element 2 is ")
}
