package rtc_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

func device(d *rtc.Device) rtc.Owner { return d }

func tangleModule(t testing.TB) *rtc.Module {
	return compile(t, mixSource, rtc.ModuleConfig{Options: []string{"-arch=compute_75"}})
}

func simulatedWith(t testing.TB, c sim.Config) *rtc.Device {
	return simulatedAs(t, c, rtc.OpenConfig{})
}

func simulatedAs(t testing.TB, c sim.Config, open rtc.OpenConfig) *rtc.Device {
	t.Helper()
	s, err := sim.New(c)
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	open.Driver = drv
	dev, err := rtc.OpenWith(open)
	require.NoError(t, err)
	return dev
}

// programs is how many random programs a test runs: a few, or as many as PURECUDA_PROGRAMS says.
func programs(t testing.TB, few int) uint64 {
	t.Helper()
	text := os.Getenv("PURECUDA_PROGRAMS")
	if text == "" {
		return uint64(few)
	}
	n, err := strconv.ParseUint(text, 10, 32)
	require.NoError(t, err, "PURECUDA_PROGRAMS")
	return n
}

// TestOrder: random programs for several streams give what they give one operation after the other, on a device that
// does whatever is not ordered in the worst order.
func TestOrder(t *testing.T) {
	mod := tangleModule(t)
	few := 300
	if testing.Short() {
		few = 50
	}
	for seed := range programs(t, few) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			var open rtc.OpenConfig
			if seed%2 == 1 {
				open.Pool = &rtc.PoolConfig{Keep: seed << 10}
			}
			dev := simulatedAs(t, sim.Config{Scheduler: sim.Worst, Seed: seed}, open)
			g := newTangle(t, []*rtc.Device{dev}, device, mod, seed)
			for range 80 {
				g.step()
			}
			g.end()
			require.NoError(t, dev.Close())
		})
	}
}

// TestOrderLong is TestOrder for programs of which much more is under way than a stream has events.
func TestOrderLong(t *testing.T) {
	mod := tangleModule(t)
	for seed := range uint64(5) {
		dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
		g := newTangle(t, []*rtc.Device{dev}, device, mod, seed)
		for range 4 {
			g.addStream()
		}
		// The last one gets something once in a while, and so waits for what lies far back.
		often, rare := g.streams[:4], g.streams[4:]
		for n := range 2000 {
			g.streams = often
			if n%400 == 399 {
				g.streams = rare
			}
			g.launch()
		}
		g.end()
		require.NoError(t, dev.Close())
	}
}

// TestOrderAcross is TestOrder on three devices, between which arrays are copied.
func TestOrderAcross(t *testing.T) {
	mod := tangleModule(t)
	for seed := range programs(t, 200) {
		s, err := sim.New(sim.Config{Scheduler: sim.Worst, Seed: seed, Devices: make([]sim.Device, 3)})
		require.NoError(t, err)
		drv, err := driver.Bind(s)
		require.NoError(t, err)
		var devs []*rtc.Device
		for i := range 3 {
			dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: i})
			require.NoError(t, err)
			devs = append(devs, dev)
		}
		g := newTangle(t, devs, device, mod, seed)
		for range 100 {
			g.step()
		}
		g.end()
		for _, dev := range devs {
			require.NoError(t, dev.Close())
		}
	}
}

// TestOrderAfterAcross: a device that has one stream again still keeps its arrays for copies of other devices that are under way.
func TestOrderAfterAcross(t *testing.T) {
	for seed := range uint64(20) {
		s, err := sim.New(sim.Config{Scheduler: sim.Worst, Seed: seed, Devices: make([]sim.Device, 2)})
		require.NoError(t, err)
		drv, err := driver.Bind(s)
		require.NoError(t, err)
		here, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
		require.NoError(t, err)
		there, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: 1})
		require.NoError(t, err)
		x, err := rtc.Full[uint32](there, 1, 4)
		require.NoError(t, err)
		other, err := rtc.Full[uint32](there, 2, 4)
		require.NoError(t, err)
		y, err := rtc.Zeros[uint32](here, 4)
		require.NoError(t, err)
		second, err := there.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		require.NoError(t, here.Stream().Copy(y, x))
		require.NoError(t, second.Close())
		require.NoError(t, there.Stream().Copy(x, other))
		require.NoError(t, there.Synchronize(context.Background())) // by which it is done before the first copy, if that is not waited for
		out, err := rtc.ToSlice[uint32](y)
		require.NoError(t, err)
		require.Equal(t, []uint32{1, 1, 1, 1}, out, "seed %d", seed)
		require.NoError(t, there.Close())
		require.NoError(t, here.Close())
	}
}

// TestOrderAcrossGPUs is TestOrder on two GPUs of one machine.
func TestOrderAcrossGPUs(t *testing.T) {
	first := gpu(t)
	n, err := first.Driver().DeviceCount()
	require.NoError(t, err)
	if n < 2 {
		if required("gpus") {
			t.Fatal("two GPUs are required")
		}
		t.Skip("there is one device only")
	}
	devs := []*rtc.Device{first, gpuWith(t, rtc.OpenConfig{Ordinal: 1})}
	mod := tangleModule(t)
	for seed := range programs(t, 100) {
		require.NoError(t, devs[0].Scope(func(s0 *rtc.Scope) error {
			return devs[1].Scope(func(s1 *rtc.Scope) error {
				g := newTangle(t, devs, func(d *rtc.Device) rtc.Owner { return []*rtc.Scope{s0, s1}[d.Ordinal()] }, mod, seed)
				for range 100 {
					g.step()
				}
				g.end()
				for _, s := range g.streams[2:] {
					require.NoError(t, s.Close())
				}
				return nil
			})
		}))
	}
}

// TestOrderOnGPU is TestOrder on whatever order a GPU finds.
func TestOrderOnGPU(t *testing.T) {
	mod := tangleModule(t)
	t.Run("each array for itself", func(t *testing.T) { tangles(t, gpu(t), mod) })
	t.Run("pool", func(t *testing.T) { tangles(t, gpuWith(t, rtc.OpenConfig{Pool: &rtc.PoolConfig{Keep: 1 << 20}}), mod) })
}

func tangles(t *testing.T, dev *rtc.Device, mod *rtc.Module) {
	for seed := range programs(t, 200) {
		require.NoError(t, dev.Scope(func(s *rtc.Scope) error {
			g := newTangle(t, []*rtc.Device{dev}, func(*rtc.Device) rtc.Owner { return s }, mod, seed)
			for range 80 {
				g.step()
			}
			g.end()
			for _, s := range g.streams[1:] {
				require.NoError(t, s.Close())
			}
			return nil
		}))
	}
}

// TestOrderOverlaps: what may overlap does: two kernels of some milliseconds on two arrays take hardly longer than one.
func TestOrderOverlaps(t *testing.T) {
	dev := gpu(t)
	if dev.Simulated() {
		t.Skip("it is about time, which is not simulated here")
	}
	mod := compile(t, `extern "C" __global__ void spin(unsigned *x, long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles) ;
    *x += 1;
}`, rtc.ModuleConfig{})
	spin, err := mod.Kernel("spin", "unsigned *x, long long cycles")
	require.NoError(t, err)
	x, err := rtc.Zeros[uint32](dev, 1)
	require.NoError(t, err)
	y, err := rtc.Zeros[uint32](dev, 1)
	require.NoError(t, err)
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	both := func(second *rtc.Array) time.Duration {
		require.NoError(t, dev.Synchronize(context.Background()))
		start := time.Now()
		require.NoError(t, spin.Enqueue(dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0, x, 20_000_000))
		require.NoError(t, spin.Enqueue(other, rtc.Dim(1), rtc.Dim(1), 0, second, 20_000_000))
		require.NoError(t, dev.Synchronize(context.Background()))
		return time.Since(start)
	}
	both(y)
	apart, same := both(y), both(x)
	t.Logf("two arrays: %v, one array: %v", apart, same)
	require.Less(t, apart, same*6/10)
}
