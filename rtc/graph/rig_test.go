package graph_test

import (
	_ "embed"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

//go:embed testdata/mix.ptx
var mixPTX []byte

const (
	mixSignature  = "const unsigned *a, const unsigned *b, unsigned *c, unsigned k"
	swapSignature = "unsigned *a, unsigned *b, unsigned k"
	width         = 32 // elements that the kernels work on
)

var one, block = rtc.Dim(1), rtc.Dim(width)

// simulated opens a simulated device, and sees to it that nothing of the driver's
// is left when the test ends.
func simulated(t testing.TB, c sim.Config) *rtc.Device {
	t.Helper()
	s, err := sim.New(c)
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.NoError(t, dev.Close())
		assert.Equal(t, driver.Counts{}, drv.Counts(), "what is left of the driver's")
	})
	return dev
}

func kernels(t testing.TB) (mix, swap *rtc.Kernel) {
	t.Helper()
	mod, err := rtc.LoadModule(mixPTX, rtc.ModuleConfig{Name: "mix.ptx"})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, mod.Close()) })
	mix, err = mod.Kernel("mix", mixSignature)
	require.NoError(t, err)
	swap, err = mod.Kernel("swap", swapSignature)
	require.NoError(t, err)
	return mix, swap
}

// A tangle is a random graph, with a model of what its arrays hold: run is what
// a run of it does, one node after the other.
type tangle struct {
	t      testing.TB
	dice   *rand.Rand
	devs   []*rtc.Device
	g      *graph.Graph
	mix    *rtc.Kernel
	swap   *rtc.Kernel
	arrays []*rtc.Array // of width elements; two by two of one memory
	model  [][]uint32
	copies map[*rtc.Device]*rtc.Array // what across copied last
	host   *rtc.HostBuffer[uint32]
	onHost []uint32 // the model of that
	run    []func()
}

func newTangle(t testing.TB, devs []*rtc.Device, c graph.Config, seed uint64) *tangle {
	x := &tangle{t: t, devs: devs, dice: rand.New(rand.NewPCG(seed, 9)), g: graph.NewWith(devs[0], c), onHost: make([]uint32, width)}
	x.mix, x.swap = kernels(t)
	var err error
	x.host, err = rtc.NewHostBuffer[uint32](devs[0], width)
	require.NoError(t, err)
	for i := range 3 {
		values := make([]uint32, 2*width)
		for i := range values {
			values[i] = x.dice.Uint32()
		}
		base, err := rtc.FromSlice(devs[i%len(devs)], values, 2, width)
		require.NoError(t, err)
		for half := range 2 {
			v, err := base.Slice(half, half+1)
			require.NoError(t, err)
			x.arrays = append(x.arrays, v)
			x.model = append(x.model, values[half*width:][:width])
		}
	}
	return x
}

func (x *tangle) pick() int { return x.dice.IntN(len(x.arrays)) }

// three are arrays of one device.
func (x *tangle) three() (a, b, c int) {
	mates := []int{x.pick()}
	for i := range x.arrays {
		if x.arrays[i].Device() == x.arrays[mates[0]].Device() {
			mates = append(mates, i)
		}
	}
	pick := func() int { return mates[x.dice.IntN(len(mates))] }
	return pick(), pick(), pick()
}

// kernel adds a launch.
func (x *tangle) kernel() *graph.Node {
	a, b, c := x.three()
	k, dev := x.dice.Uint32(), x.arrays[a].Device()
	if a != b && x.dice.IntN(6) == 0 {
		n, err := x.g.KernelOn(dev, x.swap, one, block, 0, x.arrays[a], x.arrays[b], k)
		require.NoError(x.t, err)
		x.run = append(x.run, func() {
			for i := range width {
				x.model[a][i], x.model[b][i] = x.model[b][i]*7+k, x.model[a][i]+1
			}
		})
		return n
	}
	n, err := x.g.KernelOn(dev, x.mix, one, block, 0, x.arrays[a], x.arrays[b], x.arrays[c], k)
	require.NoError(x.t, err)
	x.run = append(x.run, func() { x.mixed(a, b, c, k) })
	return n
}

func (x *tangle) mixed(a, b, c int, k uint32) {
	for i := range width {
		x.model[c][i] = x.model[c][i]*3 + x.model[a][i]*5 + (x.model[b][i] ^ k)
	}
}

// across adds a copy to another device of what a kernel wrote, and a kernel that uses
// it: so that no value is overwritten that nobody used, nor by itself.
func (x *tangle) across() {
	a, b, k := x.pick(), x.pick(), x.dice.Uint32()
	dev := x.arrays[b].Device()
	if x.arrays[a].Device() == dev {
		return
	}
	if x.copies == nil {
		x.copies = map[*rtc.Device]*rtc.Array{}
	}
	if x.copies[dev] == nil {
		x.copies[dev] = filled(x.t, dev, 0)
	}
	c := x.copies[dev]
	_, err := x.g.KernelOn(x.arrays[a].Device(), x.mix, one, block, 0, x.arrays[a], x.arrays[a], x.arrays[a], k)
	require.NoError(x.t, err)
	_, err = x.g.Copy(c, x.arrays[a])
	require.NoError(x.t, err)
	_, err = x.g.KernelOn(dev, x.mix, one, block, 0, c, c, x.arrays[b], k)
	require.NoError(x.t, err)
	x.run = append(x.run, func() {
		x.mixed(a, a, a, k)
		for i := range width {
			x.model[b][i] = x.model[b][i]*3 + x.model[a][i]*5 + (x.model[a][i] ^ k)
		}
	})
}

// node adds something.
func (x *tangle) node() {
	t, a, b, k := x.t, x.pick(), x.pick(), x.dice.Uint32()
	var n *graph.Node
	var err error
	switch x.dice.IntN(12) {
	default:
		n = x.kernel()
	case 0:
		if a != b {
			n, err = x.g.Copy(x.arrays[b], x.arrays[a])
			x.run = append(x.run, func() { copy(x.model[b], x.model[a]) })
		}
	case 1:
		n, err = x.g.Copy(x.host, x.arrays[a])
		x.run = append(x.run, func() { copy(x.onHost, x.model[a]) })
	case 2:
		n, err = x.g.Copy(x.arrays[b], x.host)
		x.run = append(x.run, func() { copy(x.model[b], x.onHost) })
	case 3:
		n, err = graph.FillWith(x.g, x.arrays[a], k)
		x.run = append(x.run, func() {
			for i := range width {
				x.model[a][i] = k
			}
		})
	case 4:
		double := func(s []uint32) {
			for i := range s {
				s[i] = s[i]*3 + k
			}
		}
		n, err = x.g.Host(func() { double(x.host.Slice()) }, nil, []rtc.Copyable{x.host})
		x.run = append(x.run, func() { double(x.onHost) })
	case 5:
		n, err = x.g.Empty()
	case 6:
		n, err = x.g.Event()
	}
	require.NoError(t, err)
	if nodes := x.g.Nodes(); n != nil && len(nodes) > 1 && x.dice.IntN(4) == 0 {
		n.After(nodes[x.dice.IntN(len(nodes)-1)])
	}
}

// ran has the model follow a run.
func (x *tangle) ran() {
	for _, f := range x.run {
		f()
	}
}

// right reports whether the arrays are as the model has them.
func (x *tangle) right() bool {
	right := true
	for _, i := range x.dice.Perm(len(x.arrays)) {
		out, err := rtc.ToSlice[uint32](x.arrays[i])
		require.NoError(x.t, err)
		right = right && assert.ObjectsAreEqual(x.model[i], out)
	}
	return right
}
