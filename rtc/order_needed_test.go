package rtc_test

import (
	"context"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// A tape is a simulated driver that writes down what streams are given, and swallows one wait.
type tape struct {
	*sim.Driver
	entries []entry
	waits   int
	swallow int // the number of the wait, from 0; -1: none
	records map[uintptr]int
}

// An entry is a launch, a record or a wait on a stream; at is, for a wait, the entry that recorded the event.
type entry struct {
	kind   string
	stream uintptr
	at     int
}

func (p *tape) Lookup(name string) (dl.Func, error) {
	f, err := p.Driver.Lookup(name)
	if err != nil {
		return f, err
	}
	real := f.Go
	switch name {
	case "cuLaunchKernelEx":
		f.Go = func(a []uintptr) uintptr {
			config := *(**struct { // a CUlaunchConfig, which package driver keeps alive
				_      [7]uint32
				stream uintptr
			})(unsafe.Pointer(&a[0]))
			p.entries = append(p.entries, entry{kind: "launch", stream: config.stream})
			return real(a)
		}
	case "cuEventRecord":
		f.Go = func(a []uintptr) uintptr {
			p.records[a[0]] = len(p.entries)
			p.entries = append(p.entries, entry{kind: "record", stream: a[1]})
			return real(a)
		}
	case "cuStreamWaitEvent":
		f.Go = func(a []uintptr) uintptr {
			p.waits++
			if p.waits-1 == p.swallow {
				p.entries = append(p.entries, entry{kind: "swallowed"})
				return 0
			}
			p.entries = append(p.entries, entry{kind: "wait", stream: a[0], at: p.records[a[1]]})
			return real(a)
		}
	}
	return f, nil
}

// reaches tells for each launch which of the launches before it, by their numbers, it comes after.
func (p *tape) reaches() [][]bool {
	after := make([][]bool, len(p.entries)) // by entry, the launches it comes after
	last := map[uintptr]int{}
	var launches [][]bool
	n := 0
	for _, e := range p.entries {
		if e.kind == "launch" {
			n++
		}
	}
	merge := func(to, from []bool) {
		for i, b := range from {
			to[i] = to[i] || b
		}
	}
	for i, e := range p.entries {
		after[i] = make([]bool, n+1)
		if e.kind == "swallowed" {
			continue
		}
		if before, ok := last[e.stream]; ok {
			merge(after[i], after[before])
		}
		last[e.stream] = i
		switch e.kind {
		case "wait":
			merge(after[i], after[e.at])
		case "launch":
			launches = append(launches, slices.Clone(after[i]))
			after[i][len(launches)-1] = true
		}
	}
	return launches
}

// A given is what a launch of a tangle used.
type given struct{ reads, writes []int }

func (g given) conflicts(with given) bool {
	meet := func(a, b []int) bool {
		return slices.ContainsFunc(a, func(i int) bool { return slices.Contains(b, i) })
	}
	return meet(g.writes, with.writes) || meet(g.writes, with.reads) || meet(g.reads, with.writes)
}

// unordered reports whether two launches that must not overlap are not ordered.
func (p *tape) unordered(all []given) bool {
	reach := p.reaches()
	for q := range all {
		for o := range q {
			if all[o].conflicts(all[q]) && !reach[q][o] {
				return true
			}
		}
	}
	return false
}

// play runs the program of a seed, with one wait swallowed, and lets the trial say in which order the streams are waited for. It reports
// whether the result is what the model has.
func play(t *testing.T, mod *rtc.Module, seed, trial uint64, swallow int) (right bool, p *tape, all []given) {
	s, err := sim.New(sim.Config{Scheduler: sim.Worst, Seed: trial})
	require.NoError(t, err)
	p = &tape{Driver: s, swallow: swallow, records: map[uintptr]int{}}
	drv, err := driver.Bind(p)
	require.NoError(t, err)
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	g := newTangle(t, []*rtc.Device{dev}, device, mod, seed)
	g.apart()
	for range 3 {
		g.addStream()
	}
	require.NoError(t, dev.Synchronize(context.Background()))
	p.entries, p.waits = nil, 0
	for range 25 {
		all = append(all, g.launch())
	}
	entries := p.entries
	for i := range g.streams {
		s := g.streams[(i+int(trial))%len(g.streams)]
		require.NoError(t, s.Synchronize(context.Background()))
	}
	p.entries = entries
	right = true
	for i := range g.arrays {
		out, err := rtc.ToSlice[uint32](g.arrays[i])
		require.NoError(t, err)
		right = right && slices.Equal(out, g.model[i])
	}
	return right, p, all
}

// TestOrderNeeds leaves out one wait of a program, each in turn: without any of them two launches that must not overlap are no longer
// ordered, since no wait is made that follows from others, and the result is wrong on a device that does the worst. So the test above would
// have seen it.
func TestOrderNeeds(t *testing.T) {
	mod := tangleModule(t)
	waits, most := 0, uint64(0)
	for seed := range uint64(20) {
		right, p, all := play(t, mod, seed, 0, -1)
		require.True(t, right)
		require.False(t, p.unordered(all), "seed %d", seed)
		waits += p.waits
		for wait := range p.waits {
			right, p, all := play(t, mod, seed, 0, wait)
			require.True(t, p.unordered(all), "seed %d: wait %d follows from others", seed, wait)
			for trial := uint64(1); right; trial++ {
				require.Less(t, trial, uint64(100), "seed %d: nobody saw that wait %d is missing", seed, wait)
				right, _, _ = play(t, mod, seed, trial, wait)
				most = max(most, trial)
			}
		}
	}
	require.Greater(t, waits, 100)
	t.Logf("%d waits, all of them needed; each seen to be missing in %d runs at most", waits, most+1)
}

// TestCopiesAcrossWaitOnce: copies to another device, one behind the other in a stream, do not wait for what they come behind anyway; that
// device waits once for each.
func TestCopiesAcrossWaitOnce(t *testing.T) {
	s, err := sim.New(sim.Config{Devices: make([]sim.Device, 2)})
	require.NoError(t, err)
	p := &tape{Driver: s, swallow: -1, records: map[uintptr]int{}}
	drv, err := driver.Bind(p)
	require.NoError(t, err)
	here, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	require.NoError(t, err)
	there, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: 1})
	require.NoError(t, err)
	x, err := rtc.Full[uint32](here, 1, 4)
	require.NoError(t, err)
	y, err := rtc.Zeros[uint32](there, 4)
	require.NoError(t, err)
	require.NoError(t, here.Stream().Copy(y, x))
	p.waits = 0
	for range 2 * 256 { // more than there are events
		require.NoError(t, here.Stream().Copy(y, x))
	}
	require.Equal(t, 2*256, p.waits)
	require.NoError(t, there.Close())
	require.NoError(t, here.Close())
}

// devices are some of one simulated driver that does the worst, with an array of a number each.
func devices(t *testing.T, seed uint64, n int) (devs []*rtc.Device, arrays []*rtc.Array) {
	s, err := sim.New(sim.Config{Scheduler: sim.Worst, Seed: seed, Devices: make([]sim.Device, n)})
	require.NoError(t, err)
	drv, err := driver.Bind(s)
	require.NoError(t, err)
	for i := range n {
		dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: i})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, dev.Close()) })
		a, err := rtc.Full(dev, uint32(i), 1)
		require.NoError(t, err)
		require.NoError(t, dev.Synchronize(context.Background()))
		devs, arrays = append(devs, dev), append(arrays, a)
	}
	return devs, arrays
}

func holds(t *testing.T, want uint32, a *rtc.Array, seed uint64) {
	out, err := rtc.ToSlice[uint32](a)
	require.NoError(t, err)
	require.Equal(t, []uint32{want}, out, "seed %d", seed)
}

// TestWriteAcrossAfterReadsOfOthers: who read an array of another device last, and then writes it, still comes behind others that read it.
func TestWriteAcrossAfterReadsOfOthers(t *testing.T) {
	for seed := range uint64(20) {
		devs, a := devices(t, seed, 3)
		kept, err := rtc.Zeros[uint32](devs[2], 1)
		require.NoError(t, err)
		require.NoError(t, devs[1].Stream().Copy(a[1], a[0]))
		require.NoError(t, devs[2].Stream().Copy(kept, a[0]))
		require.NoError(t, devs[2].Stream().Copy(a[0], a[2]))
		require.NoError(t, devs[2].Synchronize(context.Background()))
		holds(t, 0, a[1], seed)
		holds(t, 2, a[0], seed)
	}
}

// TestWriteAcrossAfterManyEvents: the event that is told by the place of a write is that of the write, not of a later one.
func TestWriteAcrossAfterManyEvents(t *testing.T) {
	for seed := range uint64(20) {
		devs, a := devices(t, seed, 3)
		other, err := rtc.Zeros[uint32](devs[0], 1)
		require.NoError(t, err)
		require.NoError(t, devs[1].Stream().Copy(a[0], a[1]))
		for range 256 {
			require.NoError(t, devs[2].Stream().Copy(other, a[2]))
		}
		require.NoError(t, devs[2].Stream().Copy(a[0], a[2]))
		require.NoError(t, devs[2].Synchronize(context.Background()))
		require.NoError(t, devs[1].Synchronize(context.Background()))
		holds(t, 2, a[0], seed)
	}
}
