package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// What doesn't go together is found by the versions of both libraries and the
// devices.
func TestCompare(t *testing.T) {
	version := func(major, minor int) dl.Version { return dl.Version{Major: major, Minor: minor} }
	for name, row := range map[string]struct {
		nvrtc, driver dl.Version
		capability    [2]int
		note, problem string
	}{
		"all of one age":       {version(12, 4), version(12, 4), [2]int{9, 0}, "", ""},
		"a newer driver":       {version(11, 8), version(13, 0), [2]int{9, 0}, "", ""},
		"an older driver":      {version(12, 4), version(12, 2), [2]int{9, 0}, "the driver supports CUDA 12.2 and NVRTC is of 12.4: PTX of this NVRTC is too new for the driver, and only machine code (sm_XY) of it is loaded", ""},
		"a much older driver":  {version(13, 0), version(12, 2), [2]int{9, 0}, "; an NVRTC of CUDA 12.2 or older does all", ""},
		"a newer device":       {version(12, 4), version(13, 0), [2]int{12, 0}, "device 0 has compute capability 12.0, newer than this NVRTC: it runs PTX for compute_90", ""},
		"too old a device":     {version(12, 4), version(12, 4), [2]int{3, 7}, "", "device 0 has compute capability 3.7; this NVRTC compiles for compute_50 and later"},
		"one of the same kind": {version(12, 4), version(12, 4), [2]int{5, 0}, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{Version: row.nvrtc}))
			require.NoError(t, err)
			defer c.Close()
			drv, err := driver.Bind(drivertest.New(drivertest.Config{Version: row.driver, Devices: []drivertest.Device{{Major: row.capability[0], Minor: row.capability[1]}}}))
			require.NoError(t, err)
			one, err := look(drv, 0)
			require.NoError(t, err)
			d := &diagnosis{NVRTC: &compiler{open: c}, Driver: &gpus{open: drv, Devices: []device{one}}}
			d.compare()
			if row.note == "" {
				assert.Empty(t, d.Notes)
			} else {
				require.Len(t, d.Notes, 1)
				assert.Contains(t, d.Notes[0], row.note)
			}
			if row.problem == "" {
				assert.Empty(t, d.Problems)
			} else {
				require.Len(t, d.Problems, 1)
				assert.Contains(t, d.Problems[0], row.problem)
			}
		})
	}
}

// Each device that the driver has is told and tried.
func TestTryEachDevice(t *testing.T) {
	simulated, err := sim.New(sim.Config{Devices: []sim.Device{{}, {}}})
	require.NoError(t, err)
	drv, err := driver.Bind(simulated)
	require.NoError(t, err)
	d := &diagnosis{NVRTC: &compiler{}, Driver: &gpus{open: drv}}
	for i := range 2 {
		one, err := look(drv, i)
		require.NoError(t, err)
		assert.Equal(t, "9.0", one.Capability)
		assert.Equal(t, i, one.Ordinal)
		assert.NotZero(t, one.Memory)
		d.Driver.Devices = append(d.Driver.Devices, one)
	}
	d.try(t.Context())
	require.Len(t, d.Launches, 2)
	for _, l := range d.Launches {
		assert.True(t, l.Works, l.Error)
	}
	assert.Empty(t, d.Problems)
	_, err = look(drv, 2)
	require.Error(t, err)
}

// A device that fails is a problem that names it.
func TestTryADeviceThatFails(t *testing.T) {
	double := drivertest.New(drivertest.Config{})
	drv, err := driver.Bind(double)
	require.NoError(t, err)
	double.Fail("cuModuleLoadData", driver.UnsupportedPTXVersion, 1000)
	double.Fail("cuModuleLoadDataEx", driver.UnsupportedPTXVersion, 1000)
	double.Fail("cuLibraryLoadData", driver.UnsupportedPTXVersion, 1000)
	one, err := look(drv, 0)
	require.NoError(t, err)
	d := &diagnosis{NVRTC: &compiler{}, Driver: &gpus{open: drv, Devices: []device{one}}}
	d.try(t.Context())
	require.Len(t, d.Launches, 1)
	assert.False(t, d.Launches[0].Works)
	require.Len(t, d.Problems, 1)
	assert.Contains(t, d.Problems[0], "a launch on ")
	assert.Contains(t, d.Problems[0], "PTX")
}
