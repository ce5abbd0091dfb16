package graph_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// TestRun: random graphs, over streams and as CUDA graphs, amid other work on
// other streams, give what their nodes give one by one, on a device that does
// whatever is not ordered in the worst order.
func TestRun(t *testing.T) {
	programs := 150
	if testing.Short() {
		programs = 30
	}
	for seed := range uint64(programs) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dev := simulated(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
			play(t, []*rtc.Device{dev}, seed)
		})
	}
}

// play makes a random graph and runs it in several ways amid other work.
func play(t *testing.T, devs []*rtc.Device, seed uint64) {
	dev := devs[0]
	x := newTangle(t, devs, graph.Config{Streams: 1 + int(seed%5), PerOwner: seed%3 == 0}, seed)
	streams := []*rtc.Stream{dev.Stream()}
	for range seed % 3 { // none: the device's own stream alone, where nothing is tracked
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		streams = append(streams, s)
	}
	for i := range 12 {
		x.node()
		if nodes := x.g.Nodes(); i%4 == 0 && len(nodes) > 0 {
			nodes[len(nodes)-1].Set(graph.NodeConfig{Owner: []string{"a", "b"}[x.dice.IntN(2)]})
		}
	}
	exec, err := x.g.Instantiate()
	require.NoError(t, err)
	require.True(t, exec.Native())
	for range 8 {
		stream := func() *rtc.Stream { return streams[x.dice.IntN(len(streams))] }
		switch x.dice.IntN(4) {
		case 0:
			a, b, c := x.three()
			k, on := x.dice.Uint32(), stream()
			if d := x.arrays[a].Device(); d != dev {
				on = d.Stream()
			}
			require.NoError(t, x.mix.Enqueue(on, one, block, 0, x.arrays[a], x.arrays[b], x.arrays[c], k))
			x.mixed(a, b, c, k)
		case 1:
			require.NoError(t, x.g.Enqueue(stream()))
			x.ran()
		case 2:
			require.NoError(t, exec.Launch(stream()))
			x.ran()
		case 3:
			require.NoError(t, x.g.Run(context.Background()))
			x.ran()
		}
	}
	require.True(t, x.right())
	require.NoError(t, x.host.Wait(context.Background()))
	require.Equal(t, x.onHost, x.host.Slice())
	if seed%2 == 0 { // else the device does
		require.NoError(t, x.g.Close())
		require.NoError(t, x.g.Close())
	}
}

// TestEveryWaitIsNeeded leaves out one wait of a plan at a time: the result is
// then wrong on a device that does the worst, and so TestRun would have seen it.
func TestEveryWaitIsNeeded(t *testing.T) {
	waits := everyWaitIsNeeded(t, 40, func(trial uint64) []*rtc.Device {
		return []*rtc.Device{simulated(t, sim.Config{Scheduler: sim.Worst, Seed: trial})}
	})
	require.Greater(t, waits, 30)
}

func everyWaitIsNeeded(t *testing.T, seeds int, open func(trial uint64) []*rtc.Device) (waits int) {
	for seed := range uint64(seeds) {
		try := func(drop int, trial uint64) (right bool, n int) {
			x := newTangle(t, open(trial), graph.Config{Streams: 3}, seed)
			for i := range 3 { // one array a memory: two halves are ordered, but need not be
				x.arrays[i], x.model[i] = x.arrays[2*i], x.model[2*i]
			}
			x.arrays, x.model = x.arrays[:3], x.model[:3]
			for range 10 {
				x.kernel()
				if len(x.devs) > 1 && x.dice.IntN(2) == 0 {
					x.across()
				}
			}
			p, err := x.g.Plan()
			require.NoError(t, err)
			if drop >= 0 {
				graph.DropWait(x.g, drop)
			}
			require.NoError(t, x.g.Enqueue(x.devs[0].Stream()))
			x.ran()
			right = x.right()
			require.NoError(t, x.g.Close())
			return right, len(p.Waits)
		}
		right, n := try(-1, 0)
		require.True(t, right)
		for drop := range n {
			waits++
			for trial := uint64(0); right; trial++ {
				require.Less(t, trial, uint64(60), "seed %d: nobody saw that wait %d is missing", seed, drop)
				right, _ = try(drop, trial)
			}
			right = true
		}
	}
	t.Logf("%d waits, each was missed", waits)
	return waits
}
