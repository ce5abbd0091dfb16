package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

func TestNewErrors(t *testing.T) {
	for want, c := range map[string]sim.Config{
		"sim: new: a driver of CUDA 7.5: from 8.0 on":                         {Version: dl.Version{Major: 7, Minor: 5}},
		"sim: new: 16 devices, at most 15":                                    {Devices: make([]sim.Device, 16)},
		"sim: new: -1 workers":                                                {Workers: -1},
		"sim: new: scheduler 7":                                               {Scheduler: 7},
		"sim: device 1: compute capability 3.5: from 5.0 on":                  {Devices: []sim.Device{{}, {Major: 3, Minor: 5}}},
		"sim: device 0: 2199023255552 bytes of memory, at most 1099511627776": {Devices: []sim.Device{{Memory: 2 << 40}}},
	} {
		_, err := sim.New(c)
		require.EqualError(t, err, want)
	}
}

func TestAxpy(t *testing.T) {
	r := newRig(t, sim.Config{})
	const n = 1000
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	px, py := r.alloc(t, 4*n), r.alloc(t, 4*n)
	set(t, r.ctx, px, x...)
	set(t, r.ctx, py, y...)
	a, count := float32(2), uint32(n)
	l := r.launch(t, "axpy", driver.LaunchConfig{Grid: driver.Dim(4), Block: driver.Dim(256)}, ptr(&px), ptr(&py), ptr(&a), ptr(&count))
	require.NoError(t, l.Enqueue(r.s))
	require.NoError(t, r.s.Synchronize())
	for i, v := range read[float32](t, r.ctx, py, n) {
		require.Equal(t, 2*x[i]+1, v)
	}
	require.Eventually(t, func() bool { return sim.Goroutines(r.sim) == 0 }, 5*time.Second, time.Millisecond, "nothing runs when there is nothing to do")
}

// Functions that came later than the version are missing, and all others are there.
func TestVersions(t *testing.T) {
	for _, v := range []dl.Version{{Major: 8}, {Major: 9, Minor: 2}, {Major: 11, Minor: 8}, {Major: 13}} {
		r := newRig(t, sim.Config{Version: v})
		require.Equal(t, v, r.drv.Version())
		for _, f := range driver.Functions() {
			require.Equal(t, v.Compare(f.Since) >= 0, r.drv.Has(f.Name), "%s of %s in %s", f.Name, f.Since, v)
		}
	}
	s, err := sim.New(sim.Config{})
	require.NoError(t, err)
	_, err = s.Lookup("cuMemAlloc")
	require.ErrorIs(t, err, dl.ErrNoSymbol)
	s, err = sim.New(sim.Config{Devices: []sim.Device{}})
	require.NoError(t, err)
	_, err = driver.Bind(s)
	require.ErrorIs(t, err, driver.NoDevice)
}
