package graph_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// gpu opens the machine's GPU, or a simulated device if that is asked for, or
// skips the test.
func gpu(t testing.TB) *rtc.Device {
	t.Helper()
	if os.Getenv("PURECUDA_DEVICE") == "sim" {
		return simulated(t, sim.Config{})
	}
	dev, err := rtc.Open(0)
	if errors.Is(err, rtc.ErrNoDevice) && !nvrtctest.Required("gpu") {
		t.Skip("no GPU here: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, dev.Close()) })
	return dev
}

// TestRunOnGPU is TestRun in whatever order a GPU finds.
func TestRunOnGPU(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, []*rtc.Device{gpu(t)}, seed) })
	}
}

// gpus opens two GPUs of the machine, or simulated devices if that is asked for, or
// skips the test.
func gpus(t testing.TB) []*rtc.Device {
	t.Helper()
	if os.Getenv("PURECUDA_DEVICE") == "sim" {
		return several(t, 2, sim.Config{})
	}
	first := gpu(t)
	n, err := first.Driver().DeviceCount()
	require.NoError(t, err)
	if n < 2 {
		if nvrtctest.Required("gpus") {
			t.Fatal("two GPUs are required")
		}
		t.Skip("there is one device only")
	}
	second, err := rtc.Open(1)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, second.Close()) })
	return []*rtc.Device{first, second}
}

// TestRunAcrossGPUs is TestRunAcross on two GPUs.
func TestRunAcrossGPUs(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, gpus(t), seed) })
	}
}

// TestDevicesOnGPUs is TestDevices on two GPUs: the second is closed before the CUDA
// graph that has work there.
func TestDevicesOnGPUs(t *testing.T) { twoDevices(t, gpus(t)) }

// TestGPUsOverlap: a CUDA graph of as much work on a second GPU takes hardly longer.
func TestGPUsOverlap(t *testing.T) {
	devs := gpus(t)
	if devs[0].Simulated() {
		t.Skip("a simulated device says nothing of time")
	}
	mix, _ := kernels(t)
	var took [2]time.Duration
	for i := range took {
		g := graph.New(devs[0])
		for _, dev := range devs[:i+1] {
			a := filled(t, dev, 1)
			for range 2000 {
				_, err := g.KernelOn(dev, mix, one, block, 0, a, a, a, 1)
				require.NoError(t, err)
			}
		}
		x, err := g.Instantiate()
		require.NoError(t, err)
		require.True(t, x.Native())
		took[i] = time.Hour
		for range 10 {
			begin := time.Now()
			require.NoError(t, x.Launch(devs[0].Stream()))
			require.NoError(t, devs[0].Stream().Synchronize(context.Background()))
			took[i] = min(took[i], time.Since(begin))
		}
		require.NoError(t, g.Close())
	}
	t.Logf("one GPU %v, two %v", took[0], took[1])
	require.Less(t, took[1], took[0]*3/2)
}

// BenchmarkReplay runs a hundred small kernels in a row: as a CUDA graph, by the
// driver's call alone and by this package's, with and without the wait, after one
// argument was changed, and over streams.
func BenchmarkReplay(b *testing.B) {
	dev := gpu(b)
	mix, _ := kernels(b)
	x, y := filled(b, dev, 1), filled(b, dev, 2)
	g := graph.New(dev)
	defer g.Close()
	for range 100 {
		_, err := g.Kernel(mix, one, block, 0, x, x, y, 1)
		require.NoError(b, err)
	}
	exec, err := g.Instantiate()
	require.NoError(b, err)
	node, s := g.Nodes()[50], dev.Stream()
	wait := func() error { return s.Synchronize(context.Background()) }
	for _, m := range []struct {
		name string
		do   func() error
		wait bool
	}{
		{"driver's call", func() error { return graph.Raw(exec).Launch(s.Raw()) }, false},
		{"call", func() error { return exec.Launch(s) }, false},
		{"driver's call and wait", func() error { return graph.Raw(exec).Launch(s.Raw()) }, true},
		{"call and wait", func() error { return exec.Launch(s) }, true},
		{"argument, call and wait", func() error { return errors.Join(node.SetArg(3, 2), exec.Launch(s)) }, true},
		{"over streams and wait", func() error { return g.Enqueue(s) }, true},
	} {
		b.Run(m.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				require.NoError(b, m.do())
				if m.wait || i%32 == 31 { // a queue that is full would make the call wait
					if !m.wait {
						b.StopTimer()
					}
					require.NoError(b, wait())
					b.StartTimer()
				}
			}
		})
	}
}
