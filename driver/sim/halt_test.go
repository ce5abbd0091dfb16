package sim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/driver/sim"
)

// A kernel that never ends is ended, and the fault says where it was. What was enqueued behind it never runs.
func TestHalt(t *testing.T) {
	for name, c := range map[string]sim.Config{"in order": {}, "one worker": {Workers: 1}, "worst": {Scheduler: sim.Worst}} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, c)
			require.NoError(t, r.drv.Halt(), "there is nothing to end")
			require.NoError(t, r.drv.Health())
			p, one := r.alloc(t, 4), uint32(1)
			set(t, r.ctx, p, uint32(0))
			require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&one)).Enqueue(r.s))
			require.NoError(t, r.s.Synchronize())
			require.NoError(t, r.drv.Halt(), "all is done")
			require.NoError(t, r.s.Synchronize())

			require.NoError(t, r.launch(t, "endless", driver.LaunchConfig{}).Enqueue(r.s))
			waited := make(chan error, 1)
			go func() { waited <- r.s.Synchronize() }()
			require.Eventually(t, func() bool { return sim.Runs(r.sim) }, 10*time.Second, time.Millisecond)
			require.NoError(t, r.drv.Halt())
			err := <-waited
			require.ErrorIs(t, err, driver.LaunchTimeout)
			require.Contains(t, r.sim.Fault(), "was stopped")
			require.Contains(t, r.sim.Fault(), "PTX line")
		})
	}
}

// What is held back is dropped too, though nothing runs.
func TestHaltWhatHasNotBegun(t *testing.T) {
	r := newRig(t, sim.Config{Scheduler: sim.Worst})
	require.NoError(t, r.launch(t, "bounded", driver.LaunchConfig{}).Enqueue(r.s))
	require.NoError(t, r.drv.Halt())
	require.ErrorIs(t, r.s.Synchronize(), driver.LaunchTimeout)
}

func TestHaltOfGPU(t *testing.T) {
	drv, err := driver.Bind(drivertest.New(drivertest.Config{}))
	require.NoError(t, err)
	require.ErrorContains(t, drv.Halt(), "a GPU can't stop a kernel")
}
