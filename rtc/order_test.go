package rtc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// Nothing that mix wrote is ever lost by it: a launch that ran at the wrong time shows in the end.
const mixSource = `extern "C" __global__ void mix(const unsigned *a, const unsigned *b, unsigned *c, unsigned k) {
    int i = threadIdx.x;
    c[i] = c[i] * 3 + a[i] * 5 + (b[i] ^ k);
}
extern "C" __global__ void swap(unsigned *a, unsigned *b, unsigned k) {
    int i = threadIdx.x;
    unsigned t = a[i];
    a[i] = b[i] * 7 + k;
    b[i] = t + 1;
}`

const width = 32 // of what the kernels work on

// A tangle is a random program for the streams of a device, with a model of what its arrays hold.
type tangle struct {
	t       testing.TB
	dice    *rand.Rand
	devs    []*rtc.Device
	dev     *rtc.Device // of the step
	owner   func(*rtc.Device) rtc.Owner
	streams []*rtc.Stream
	arrays  []*rtc.Array // of width elements; some are views of the same
	model   [][]uint32
	mix     *rtc.Kernel
	swap    *rtc.Kernel
	host    *rtc.HostBuffer[uint32]
	ready   []*rtc.Prepared
	args    [][3]int // of ready
}

func newTangle(t testing.TB, devs []*rtc.Device, owner func(*rtc.Device) rtc.Owner, mod *rtc.Module, seed uint64) *tangle {
	g := &tangle{t: t, devs: devs, dev: devs[0], owner: owner, dice: rand.New(rand.NewPCG(seed, 7))}
	var err error
	g.mix, err = mod.Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	g.swap, err = mod.Kernel("swap", "unsigned *a, unsigned *b, unsigned k")
	require.NoError(t, err)
	g.host, err = rtc.NewHostBuffer[uint32](owner(devs[0]), width)
	require.NoError(t, err)
	for _, g.dev = range devs {
		g.streams = append(g.streams, g.dev.Stream())
		for range 3 {
			g.addArray()
		}
	}
	g.dev = devs[0]
	return g
}

func (g *tangle) addArray() {
	values := make([]uint32, 2*width)
	for i := range values {
		values[i] = g.dice.Uint32()
	}
	base, err := rtc.FromSlice(g.owner(g.dev), values, 2, width)
	require.NoError(g.t, err)
	for half := range 2 {
		v, err := base.Slice(half, half+1)
		require.NoError(g.t, err)
		g.arrays = append(g.arrays, v)
		g.model = append(g.model, values[half*width:][:width])
	}
}

// pick is an array of the step's device.
func (g *tangle) pick() int {
	for {
		if i := g.dice.IntN(len(g.arrays)); g.arrays[i].Device() == g.dev {
			return i
		}
	}
}

func (g *tangle) stream() *rtc.Stream {
	for {
		if s := g.streams[g.dice.IntN(len(g.streams))]; s.Device() == g.dev {
			return s
		}
	}
}

func (g *tangle) addStream() {
	s, err := g.dev.NewStream(rtc.StreamConfig{})
	require.NoError(g.t, err)
	g.streams = append(g.streams, s)
}

// launch enqueues a kernel on some arrays.
func (g *tangle) launch() given {
	a, b, c, k := g.pick(), g.pick(), g.pick(), g.dice.Uint32()
	one, block := rtc.Dim(1), rtc.Dim(width)
	if a != b && g.dice.IntN(6) == 0 {
		require.NoError(g.t, g.swap.Enqueue(g.stream(), one, block, 0, g.arrays[a], g.arrays[b], k))
		for i := range width {
			g.model[a][i], g.model[b][i] = g.model[b][i]*7+k, g.model[a][i]+1
		}
		return given{writes: []int{a, b}}
	}
	require.NoError(g.t, g.mix.Enqueue(g.stream(), one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k))
	g.mixed(a, b, c, k)
	return given{[]int{a, b}, []int{c}}
}

func (g *tangle) mixed(a, b, c int, k uint32) {
	for i := range width {
		g.model[c][i] = g.model[c][i]*3 + g.model[a][i]*5 + (g.model[b][i] ^ k)
	}
}

// across copies an array from another device, or to it.
func (g *tangle) across(other *rtc.Device) {
	s, here := g.stream(), g.pick()
	dev := g.dev
	g.dev = other
	there := g.pick()
	g.dev = dev
	to, from := here, there
	if g.dice.IntN(2) == 0 {
		to, from = there, here
	}
	require.NoError(g.t, s.Copy(g.arrays[to], g.arrays[from]))
	copy(g.model[to], g.model[from])
}

// step is one random operation.
func (g *tangle) step() {
	t, k := g.t, g.dice.Uint32()
	if len(g.devs) > 1 {
		from := g.dev
		g.dev = g.devs[g.dice.IntN(len(g.devs))]
		if from != g.dev && g.dice.IntN(3) == 0 {
			g.across(from)
			return
		}
	}
	one, block := rtc.Dim(1), rtc.Dim(width)
	a, b, c := g.pick(), g.pick(), g.pick()
	switch g.dice.IntN(26) {
	default:
		g.launch()
	case 0:
		require.NoError(t, g.mix.Launch(g.dev, one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k))
		g.mixed(a, b, c, k)
	case 3:
		p, err := g.mix.Prepare(g.dev, one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k)
		require.NoError(t, err)
		g.ready, g.args = append(g.ready, p), append(g.args, [3]int{a, b, c})
	case 4, 5, 6:
		if len(g.ready) > 0 {
			i := g.dice.IntN(len(g.ready))
			g.dev = g.arrays[g.args[i][0]].Device()
			c = g.pick()
			if g.dice.IntN(2) == 0 {
				g.args[i][2] = c
				require.NoError(t, g.ready[i].SetArg(2, g.arrays[c]))
			}
			require.NoError(t, g.ready[i].SetArg(3, k))
			require.NoError(t, g.ready[i].Enqueue(g.stream()))
			g.mixed(g.args[i][0], g.args[i][1], g.args[i][2], k)
		}
	case 7:
		g.look(a)
	case 8:
		values := make([]uint32, width)
		for i := range values {
			values[i] = g.dice.Uint32()
		}
		require.NoError(t, rtc.CopyFromSlice(g.arrays[a], values))
		copy(g.model[a], values)
	case 9:
		if len(g.streams) < 4+len(g.devs) {
			g.addStream()
		} else if g.dice.IntN(4) == 0 {
			i := len(g.devs) + g.dice.IntN(len(g.streams)-len(g.devs))
			require.NoError(t, g.streams[i].Close())
			g.streams = append(g.streams[:i:i], g.streams[i+1:]...)
		}
	case 11, 12:
		if a != b {
			require.NoError(t, g.stream().Copy(g.arrays[b], g.arrays[a]))
			copy(g.model[b], g.model[a])
		}
	case 13: // to the host on one stream and back on another
		g.dev, a, b = g.devs[0], 0, 1
		require.NoError(t, g.stream().Copy(g.host, g.arrays[a]))
		require.NoError(t, g.stream().Copy(g.arrays[b], g.host))
		copy(g.model[b], g.model[a])
	case 14:
		g.dev, a = g.devs[0], 0
		require.NoError(t, g.stream().Copy(g.host, g.arrays[a]))
		require.NoError(t, g.host.Wait(context.Background()))
		require.Equal(t, g.model[a], g.host.Slice())
	case 15: // what this package does not know
		s := g.stream()
		require.NoError(t, s.Do(nil, []*rtc.Array{g.arrays[a]}, func(handle uintptr) error {
			require.Equal(t, s.Raw().Handle(), handle)
			p, _, err := g.arrays[a].DevicePointer()
			require.NoError(t, err)
			return s.Raw().Memset32(driver.Pointer(p), k, width)
		}))
		for i := range width {
			g.model[a][i] = k
		}
	case 16:
		require.NoError(t, g.dev.Go(func(s *rtc.Stream) error {
			return g.mix.Enqueue(s, one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k)
		}))
		g.mixed(a, b, c, k)
	case 18, 19: // an array that is closed before its work begins
		tmp, err := rtc.Full(g.owner(g.dev), k, width)
		require.NoError(t, err)
		require.NoError(t, g.mix.Enqueue(g.stream(), one, block, 0, g.arrays[a], tmp, tmp, k))
		require.NoError(t, g.stream().Copy(g.arrays[b], tmp))
		require.NoError(t, tmp.Close())
		for i := range width {
			g.model[b][i] = k*3 + g.model[a][i]*5
		}
	case 17:
		e, err := g.stream().Record()
		require.NoError(t, err)
		require.NoError(t, g.stream().Wait(e))
		if g.dice.IntN(2) == 0 {
			require.NoError(t, e.Synchronize(t.Context()))
		}
		require.NoError(t, e.Close())
	case 10:
		if g.dice.IntN(4) == 0 {
			require.NoError(t, g.stream().Synchronize(context.Background()))
		}
	}
}

// look holds an array against the model.
func (g *tangle) look(i int) {
	out, err := rtc.ToSlice[uint32](g.arrays[i])
	require.NoError(g.t, err)
	require.Equal(g.t, g.model[i], out, "array %d", i)
}

func (g *tangle) end() {
	for _, i := range g.dice.Perm(len(g.arrays)) {
		g.look(i)
	}
}

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

// TestOrder: random programs for several streams give what they give one operation after the other, on a device that
// does whatever is not ordered in the worst order.
func TestOrder(t *testing.T) {
	mod := tangleModule(t)
	programs := 300
	if testing.Short() {
		programs = 50
	}
	for seed := range uint64(programs) {
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

// TestOrderAcross is TestOrder on three devices, between which arrays are copied.
func TestOrderAcross(t *testing.T) {
	mod := tangleModule(t)
	for seed := range uint64(200) {
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

// TestOrderAcrossGPUs is TestOrder on two GPUs of one machine.
func TestOrderAcrossGPUs(t *testing.T) {
	first := gpu(t)
	if n, err := first.Driver().DeviceCount(); err != nil || n < 2 {
		require.NoError(t, err)
		t.Skip("there is one device only")
	}
	devs := []*rtc.Device{first, gpuWith(t, rtc.OpenConfig{Ordinal: 1})}
	mod := tangleModule(t)
	for seed := range uint64(100) {
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
	for seed := range uint64(200) {
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
