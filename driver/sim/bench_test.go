package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

func BenchmarkLaunch(b *testing.B) {
	r := newRig(b, sim.Config{})
	l := r.launch(b, "bounded", driver.LaunchConfig{})
	b.ReportAllocs()
	for b.Loop() {
		_ = l.Enqueue(r.s)
		_ = r.s.Synchronize()
	}
}

func TestLaunchesAllocateNothing(t *testing.T) {
	r := newRig(t, sim.Config{})
	l, e := r.launch(t, "bounded", driver.LaunchConfig{}), r.event(t)
	launch := func() {
		require.NoError(t, l.Enqueue(r.s))
		require.NoError(t, r.s.Record(e))
		require.NoError(t, e.Synchronize())
	}
	require.Zero(t, testing.AllocsPerRun(100, launch))
}
