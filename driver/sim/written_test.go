package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// TestUninitialised has the detector see what the host writes, by all ways there are, and what it copies on the device.
func TestUninitialised(t *testing.T) {
	for name, test := range map[string]struct {
		write func(r *rig, p, q driver.Pointer) error
		want  string // of the fault
	}{
		"nothing":              {func(r *rig, p, q driver.Pointer) error { return nil }, "nobody has written"},
		"copied":               {func(r *rig, p, q driver.Pointer) error { return r.ctx.CopyToDevice(p, make([]byte, 4)) }, ""},
		"copied in the stream": {func(r *rig, p, q driver.Pointer) error { return r.s.CopyToDevice(p, make([]byte, 4)) }, ""},
		"the half of it":       {func(r *rig, p, q driver.Pointer) error { return r.ctx.CopyToDevice(p, make([]byte, 2)) }, "2 of the 4 bytes"},
		"filled":               {func(r *rig, p, q driver.Pointer) error { return r.s.Memset8(p, 1, 4) }, ""},
		"another one":          {func(r *rig, p, q driver.Pointer) error { return r.s.Memset32(q, 1, 4) }, "nobody has written"},
		"copied from another": {func(r *rig, p, q driver.Pointer) error {
			if err := r.s.Memset32(q, 1, 4); err != nil {
				return err
			}
			return r.s.CopyDevice(p, q+4, 4)
		}, ""},
		"copied from another that is not written": {func(r *rig, p, q driver.Pointer) error { return r.s.CopyDevice(p, q, 4) }, "nobody has written"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, sim.Config{Check: sim.Check{Uninitialised: true, Race: true}})
			p, q, one := r.alloc(t, 64), r.alloc(t, 64), uint32(1)
			require.NoError(t, test.write(r, p, q))
			require.NoError(t, r.launch(t, "digit", driver.LaunchConfig{}, ptr(&p), ptr(&one)).Enqueue(r.s))
			err := r.s.Synchronize()
			if test.want == "" {
				require.NoError(t, err)
				require.NoError(t, r.ctx.Free(p))
				require.NoError(t, r.ctx.Free(q))
				return
			}
			require.ErrorIs(t, err, driver.LaunchFailed)
			require.ErrorContains(t, err, test.want)
		})
	}
}

// TestRace has the detector of races find one between blocks.
func TestRace(t *testing.T) {
	r := newRig(t, sim.Config{Check: sim.Check{Race: true}})
	p, one := r.alloc(t, 64), uint32(1)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{Grid: driver.Dim(2)}, ptr(&p), ptr(&one)).Enqueue(r.s))
	err := r.s.Synchronize()
	require.ErrorIs(t, err, driver.LaunchFailed)
	require.ErrorContains(t, err, "thread (0,0,0) of block (0,0,0) wrote there")
}
