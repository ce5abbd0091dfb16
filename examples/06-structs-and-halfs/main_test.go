package main

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/examples/internal/need"
	"github.com/purecuda/purecuda/rtc"
)

func TestStructsAndHalfs(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 8)
	assert.Equal(t, "wave(0.000) = 0.000", lines[0])
	want := 0.0
	for k := 1; k <= 15; k += 2 {
		want += 1.27 / float64(k) * math.Sin(float64(k)*2*math.Pi/8)
	}
	h := abi.HalfFromFloat64(want)
	assert.InDelta(t, want, h.Float64(), 1e-3)
	assert.Contains(t, lines[1], "wave(0.125) = ")
}

func TestSignatureFitsTheKernel(t *testing.T) {
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	need.NVRTC(t, err)
	defer mod.Close()
	_, err = mod.Kernel("wave", signature)
	require.NoError(t, err)
	_, err = mod.Kernel("wave", "struct Wave w, const __half *in, __half *out, long long n")
	require.ErrorContains(t, err, "argument 3 (n)")
}
