package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// early has half of a block end before the barrier that the others reach.
const early = `.version 7.0
.target sm_70
.address_size 64
.visible .entry early()
{
	.reg .pred %p;
	.reg .b32 %r;
	mov.u32 %r, %tid.x;
	setp.ge.u32 %p, %r, 32;
	@%p ret;
	bar.sync 0;
	ret;
}
`

// A barrier that some threads never reach goes on, as on a GPU; Check.Sync tells of it.
func TestSync(t *testing.T) {
	for _, check := range []bool{false, true} {
		r := newRig(t, sim.Config{Check: sim.Check{Sync: check}})
		f, err := r.load(t, early).Function("early")
		require.NoError(t, err)
		l, err := f.Prepare(driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(64)}, nil)
		require.NoError(t, err)
		require.NoError(t, l.Enqueue(r.s))
		err = r.s.Synchronize()
		if !check {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, driver.LaunchFailed)
		require.ErrorContains(t, err, "early: a barrier that not all threads reach: 32 threads (0-31) wait at barrier 0, PTX line 11 (bar.sync); 32 (32-63) have ended")
	}
}
