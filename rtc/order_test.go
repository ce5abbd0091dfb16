package rtc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

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
	dev     *rtc.Device
	streams []*rtc.Stream
	arrays  []*rtc.Array // of width elements; some are views of the same
	model   [][]uint32
	mix     *rtc.Kernel
	swap    *rtc.Kernel
	ready   []*rtc.Prepared
	args    [][3]int // of ready
}

func newTangle(t testing.TB, dev *rtc.Device, mod *rtc.Module, seed uint64) *tangle {
	g := &tangle{t: t, dev: dev, dice: rand.New(rand.NewPCG(seed, 7))}
	var err error
	g.mix, err = mod.Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	g.swap, err = mod.Kernel("swap", "unsigned *a, unsigned *b, unsigned k")
	require.NoError(t, err)
	g.streams = []*rtc.Stream{dev.Stream()}
	for range 3 {
		g.addArray()
	}
	return g
}

func (g *tangle) addArray() {
	values := make([]uint32, 2*width)
	for i := range values {
		values[i] = g.dice.Uint32()
	}
	base, err := rtc.FromSlice(g.dev, values, 2, width)
	require.NoError(g.t, err)
	for half := range 2 {
		v, err := base.Slice(half, half+1)
		require.NoError(g.t, err)
		g.arrays = append(g.arrays, v)
		g.model = append(g.model, values[half*width:][:width])
	}
}

func (g *tangle) pick() int { return g.dice.IntN(len(g.arrays)) }

func (g *tangle) stream() *rtc.Stream { return g.streams[g.dice.IntN(len(g.streams))] }

// step is one random operation.
func (g *tangle) step() {
	t, k := g.t, g.dice.Uint32()
	one, block := rtc.Dim(1), rtc.Dim(width)
	a, b, c := g.pick(), g.pick(), g.pick()
	mixed := func(a, b, c int, k uint32) {
		for i := range width {
			g.model[c][i] = g.model[c][i]*3 + g.model[a][i]*5 + (g.model[b][i] ^ k)
		}
	}
	switch g.dice.IntN(16) {
	default:
		require.NoError(t, g.mix.Enqueue(g.stream(), one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k))
		mixed(a, b, c, k)
	case 0:
		require.NoError(t, g.mix.Launch(g.dev, one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k))
		mixed(a, b, c, k)
	case 1, 2:
		if a != b {
			require.NoError(t, g.swap.Enqueue(g.stream(), one, block, 0, g.arrays[a], g.arrays[b], k))
			for i := range width {
				g.model[a][i], g.model[b][i] = g.model[b][i]*7+k, g.model[a][i]+1
			}
		}
	case 3:
		p, err := g.mix.Prepare(g.dev, one, block, 0, g.arrays[a], g.arrays[b], g.arrays[c], k)
		require.NoError(t, err)
		g.ready, g.args = append(g.ready, p), append(g.args, [3]int{a, b, c})
	case 4, 5, 6:
		if len(g.ready) > 0 {
			i := g.dice.IntN(len(g.ready))
			if g.dice.IntN(2) == 0 {
				g.args[i][2] = c
				require.NoError(t, g.ready[i].SetArg(2, g.arrays[c]))
			}
			require.NoError(t, g.ready[i].SetArg(3, k))
			require.NoError(t, g.ready[i].Enqueue(g.stream()))
			mixed(g.args[i][0], g.args[i][1], g.args[i][2], k)
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
		if len(g.streams) < 5 {
			s, err := g.dev.NewStream(rtc.StreamConfig{})
			require.NoError(t, err)
			g.streams = append(g.streams, s)
		} else if g.dice.IntN(4) == 0 {
			i := 1 + g.dice.IntN(len(g.streams)-1)
			require.NoError(t, g.streams[i].Close())
			g.streams = append(g.streams[:i:i], g.streams[i+1:]...)
		}
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

func tangleModule(t testing.TB) *rtc.Module {
	return compile(t, mixSource, rtc.ModuleConfig{Options: []string{"-arch=compute_75"}})
}

func simulatedWith(t testing.TB, c sim.Config) *rtc.Device {
	t.Helper()
	s, err := sim.New(c)
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
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
			dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
			g := newTangle(t, dev, mod, seed)
			for range 80 {
				g.step()
			}
			g.end()
			require.NoError(t, dev.Close())
		})
	}
}
