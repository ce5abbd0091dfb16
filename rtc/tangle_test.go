package rtc_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
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
		if g.dev.Simulated() {
			rtc.SetStaging(g.dev, 256) // so that an array goes in two pieces, and there is room for two
		}
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

// apart gives each array memory of its own: the halves of one are ordered though they are not the same.
func (g *tangle) apart() {
	for i, v := range g.model {
		var err error
		g.arrays[i], err = rtc.FromSlice(g.owner(g.arrays[i].Device()), v, width)
		require.NoError(g.t, err)
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
	switch g.dice.IntN(28) {
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
	case 20, 21: // what is changed as soon as it was given
		values := make(rtc.Slice[uint32], width)
		for i := range values {
			values[i] = g.dice.Uint32()
		}
		copy(g.model[a], values)
		require.NoError(t, g.stream().Copy(g.arrays[a], values))
		for i := range values {
			values[i] = g.dice.Uint32()
		}
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
		require.NoError(t, s.Do(nil, []rtc.Copyable{g.arrays[a]}, func(handle uintptr) error {
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
