package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/examples/internal/need"
	"github.com/purecuda/purecuda/rtc"
)

func TestTwoGPUs(t *testing.T) {
	var out strings.Builder
	need.NVRTC(t, run(&out))
	lines := strings.Split(out.String(), "\n")
	assert.Equal(t, 1, strings.Count(lines[0], " device "), lines[0])
	assert.Contains(t, lines[1], " device 0 (")
	assert.Contains(t, lines[1], " device 1 (")
	assert.Contains(t, lines[2], "two steps a graph")
}

// Whatever is not ordered runs in the worst order, on one device, two and three:
// the rows along which parts meet must still be there in time.
func TestWorstOrder(t *testing.T) {
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{Options: []string{"-arch=compute_75"}})
	need.NVRTC(t, err)
	defer mod.Close()
	step, err := mod.Kernel("step", "const float *from, float *to, int width, int height")
	require.NoError(t, err)
	for seed := range uint64(10) {
		var devs []*rtc.Device
		first, err := rtc.OpenSimulatedWith(sim.Config{Scheduler: sim.Worst, Seed: seed, Devices: make([]sim.Device, 3)})
		require.NoError(t, err)
		devs = append(devs, first)
		for i := 1; i < 3; i++ {
			dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: first.Driver(), Ordinal: i})
			require.NoError(t, err)
			devs = append(devs, dev)
		}
		const width, height, steps = 9, 14, 8
		plate := make([]float32, width*height)
		for i := range plate {
			plate[i] = float32(i * i % 37)
		}
		want := inGo(plate, width, steps)
		for n := 1; n <= 3; n++ {
			got, _, err := spread(devs[:n], step, plate, width, steps)
			require.NoError(t, err)
			require.NoError(t, same(got, want, width), "%d devices", n)
			got, _, err = replay(devs[:n], step, plate, width, steps)
			require.NoError(t, err)
			require.NoError(t, same(got, want, width), "%d devices, as a graph", n)
		}
		for _, dev := range devs {
			require.NoError(t, dev.Close())
		}
	}
}

func TestSame(t *testing.T) {
	assert.NoError(t, same([]float32{1, 2, 3, 4}, []float32{1, 2, 3, 4}, 2))
	assert.ErrorContains(t, same([]float32{1, 2, 3, 5}, []float32{1, 2, 3, 4}, 2), "row 1, column 1: 5, in Go 4")
	assert.Error(t, same([]float32{1, 2}, []float32{1, 2, 3, 4}, 2))
}
