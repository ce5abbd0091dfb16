package main

import (
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/examples/internal/need"
	"github.com/purecuda/purecuda/rtc"
)

func TestFractal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f.png")
	need.NVRTC(t, run(file, 320, 180))
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	assert.Equal(t, 320, picture.Bounds().Dx())
	assert.Equal(t, 180, picture.Bounds().Dy())
	colours := map[any]bool{}
	for y := range 180 {
		for x := range 320 {
			colours[picture.At(x, y)] = true
		}
	}
	assert.Greater(t, len(colours), 1000, "a picture, not a plain")
}

func TestFractalCompiles(t *testing.T) {
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	need.NVRTC(t, err)
	defer mod.Close()
	_, err = mod.Kernel("mandelbrot", "uchar4 *pixels, int width, int height, double2 centre, double scale, int limit")
	require.NoError(t, err)
}
