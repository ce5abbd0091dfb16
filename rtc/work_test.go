package rtc_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// TestPlaceOf: views have their base's memory and an offset.
func TestPlaceOf(t *testing.T) {
	dev := simulated(t)
	a, err := rtc.FromSlice(dev, []float32{1, 2, 3, 4}, 2, 2)
	require.NoError(t, err)
	v, err := a.Slice(1, 2)
	require.NoError(t, err)
	h, err := rtc.NewHostBuffer[float32](dev, 3)
	require.NoError(t, err)
	base, err := rtc.PlaceOf(a)
	require.NoError(t, err)
	view, err := rtc.PlaceOf(v)
	require.NoError(t, err)
	host, err := rtc.PlaceOf(h)
	require.NoError(t, err)
	require.Equal(t, base.Memory, view.Memory)
	require.NotEqual(t, base.Memory, host.Memory)
	require.Equal(t, base.Pointer+8, view.Pointer)
	require.Equal(t, []int{0, 16, 8, 8}, []int{base.Offset, base.Bytes, view.Offset, view.Bytes})
	require.Len(t, host.Host, 12)
	require.Zero(t, host.Pointer)
	require.Nil(t, base.Host)
	require.NoError(t, a.Close())
	gone, err := rtc.PlaceOf(v)
	require.ErrorIs(t, err, rtc.ErrClosed)
	require.Equal(t, rtc.Place{Memory: base.Memory, Name: "float32 array [1 2]"}, gone)
	require.NoError(t, h.Close())
	gone, err = rtc.PlaceOf(h)
	require.ErrorIs(t, err, rtc.ErrClosed)
	require.Equal(t, rtc.Place{Memory: host.Memory, Name: "host buffer of 3 float32"}, gone)
	_, err = rtc.PlaceOf(nil)
	require.EqualError(t, err, "rtc: place: an array or host buffer is nil")
}

// TestWorkAcross: a Work of two devices is ordered with launches on both.
func TestWorkAcross(t *testing.T) {
	mod := tangleModule(t)
	mix, err := mod.Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
	require.NoError(t, err)
	for seed := range uint64(40) {
		s, err := sim.New(sim.Config{Scheduler: sim.Worst, Seed: seed, Devices: make([]sim.Device, 2)})
		require.NoError(t, err)
		drv, err := driver.Bind(s)
		require.NoError(t, err)
		var devs []*rtc.Device
		var arrays []*rtc.Array
		var places []rtc.Place
		for i := range 2 {
			dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: i})
			require.NoError(t, err)
			a, err := rtc.Full[uint32](dev, uint32(1+i), width)
			require.NoError(t, err)
			p, err := rtc.PlaceOf(a)
			require.NoError(t, err)
			devs, arrays, places = append(devs, dev), append(arrays, a), append(places, p)
		}
		launch := func(i int) {
			t.Helper()
			s, err := devs[i].NewStream(rtc.StreamConfig{})
			require.NoError(t, err)
			require.NoError(t, mix.Enqueue(s, rtc.Dim(1), rtc.Dim(width), 0, arrays[i], arrays[i], arrays[i], 0)) // times 9
		}
		copied := func(s *driver.Stream) error {
			return s.CopyPeer(places[0].Pointer, devs[0].Context(), places[1].Pointer, devs[1].Context(), 4*width)
		}
		w, err := rtc.NewWork(devs[0], []rtc.Copyable{arrays[1]}, []rtc.Copyable{arrays[0]})
		require.NoError(t, err)
		want := []uint32{1, 2}
		for range 3 {
			launch(0)
			launch(1)
			require.NoError(t, w.Enqueue(devs[0].Stream(), copied))
			launch(1)
			launch(0)
			want[0], want[1] = want[1]*9*9, want[1]*9*9
		}
		for i := range arrays {
			i ^= int(seed % 2) // what the one needs of the other's work is done first
			out, err := rtc.ToSlice[uint32](arrays[i])
			require.NoError(t, err)
			require.Equal(t, want[i], out[0], "seed %d, device %d", seed, i)
		}
		own := errors.New("its own")
		require.ErrorIs(t, w.Enqueue(devs[0].Stream(), func(*driver.Stream) error { return own }), own)
		require.NoError(t, arrays[1].Close())
		require.ErrorIs(t, w.Enqueue(devs[0].Stream(), copied), rtc.ErrClosed)
		require.NoError(t, devs[1].Close())
		require.ErrorIs(t, w.Enqueue(devs[0].Stream(), copied), rtc.ErrClosed)
		require.NoError(t, devs[0].Close())
	}
}

// TestWork: a Work is ordered with launches on other streams, each time that it
// is given, and those behind it too.
func TestWork(t *testing.T) {
	mod := tangleModule(t)
	for seed := range uint64(30) {
		dev := simulatedWith(t, sim.Config{Scheduler: sim.Worst, Seed: seed})
		mix, err := mod.Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k")
		require.NoError(t, err)
		a, err := rtc.Full[uint32](dev, 1, width)
		require.NoError(t, err)
		c, err := rtc.Full[uint32](dev, 2, width)
		require.NoError(t, err)
		p, err := mix.Prepare(dev, rtc.Dim(1), rtc.Dim(width), 0, a, a, c, 0)
		require.NoError(t, err)
		reads, writes := p.Uses()
		require.Equal(t, []*rtc.Array{a, a}, reads)
		require.Equal(t, []*rtc.Array{c}, writes)
		w, err := rtc.NewWork(dev, []rtc.Copyable{a, c}, []rtc.Copyable{c})
		require.NoError(t, err)
		want := uint32(2)
		for range 3 {
			for _, give := range []func(s *rtc.Stream) error{p.Enqueue, func(s *rtc.Stream) error { return w.Enqueue(s, p.Raw().Enqueue) }} {
				s, err := dev.NewStream(rtc.StreamConfig{})
				require.NoError(t, err)
				require.NoError(t, give(s))
				want = want*3 + 5 + 1
			}
		}
		out, err := rtc.ToSlice[uint32](c)
		require.NoError(t, err)
		require.Equal(t, want, out[0], "seed %d", seed)

		own := errors.New("its own")
		require.ErrorIs(t, w.Enqueue(dev.Stream(), func(*driver.Stream) error { return own }), own)
		other := simulatedWith(t, sim.Config{})
		require.ErrorContains(t, w.Enqueue(other.Stream(), nil), "rtc: enqueue work: it is for device 0")
		_, err = rtc.NewWork(other, []rtc.Copyable{a}, nil)
		require.ErrorContains(t, err, "rtc: new work: reads[0]: uint32 array [32] is on ")
		require.NoError(t, a.Close())
		require.ErrorIs(t, w.Enqueue(dev.Stream(), func(*driver.Stream) error { return nil }), rtc.ErrClosed)
		require.NoError(t, other.Close())
		require.NoError(t, dev.Close())
	}
}
