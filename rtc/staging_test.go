package rtc_test

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

func TestSlice(t *testing.T) {
	onEach(t, func(t *testing.T, dev *rtc.Device) {
		// Longer than a piece, and no multiple of one.
		values := make(rtc.Slice[uint32], 700_001)
		for i := range values {
			values[i] = uint32(i)
		}
		x, err := rtc.NewArray(dev, rtc.Uint32, len(values))
		require.NoError(t, err)
		require.NoError(t, dev.Stream().Copy(x, values))
		clear(values)
		out, err := rtc.ToSlice[uint32](x)
		require.NoError(t, err)
		for i, v := range out {
			if v != uint32(i) {
				t.Fatalf("element %d is %d", i, v)
			}
		}
		part, err := x.Slice(3, 5)
		require.NoError(t, err)
		require.NoError(t, dev.Stream().Copy(part, rtc.Slice[uint32]{7, 8}))
		out, err = rtc.ToSlice[uint32](x)
		require.NoError(t, err)
		require.Equal(t, []uint32{2, 7, 8, 5}, out[2:6])
		none, err := rtc.NewArray(dev, rtc.Uint32, 0)
		require.NoError(t, err)
		require.NoError(t, dev.Stream().Copy(none, rtc.Slice[uint32](nil)))
		require.NoError(t, x.Close())
		require.ErrorIs(t, dev.Stream().Copy(x, values), rtc.ErrClosed)
		require.NoError(t, none.Close())
	})
}

func TestSliceRefused(t *testing.T) {
	dev, other := simulated(t), simulated(t)
	x, err := rtc.Zeros[float32](dev, 4)
	require.NoError(t, err)
	h, err := rtc.NewHostBuffer[float32](dev, 4)
	require.NoError(t, err)
	s, four := dev.Stream(), rtc.Slice[float32]{1, 2, 3, 4}
	assert.EqualError(t, s.Copy(four, x), "rtc: copy: to slice of 4 float32: no copy to Go's memory can be made while the program goes on; ToSlice waits for it, and a HostBuffer tells when it was made")
	assert.EqualError(t, s.Copy(x, four[:3]), "rtc: copy: slice of 3 float32 does not fit float32 array [4]")
	assert.EqualError(t, s.Copy(x, rtc.Slice[int32]{1, 2, 3, 4}), "rtc: copy: slice of 4 int32 does not fit float32 array [4]")
	assert.EqualError(t, s.Copy(h, four), "rtc: copy: both are on the host: Go's copy is for that")
	assert.ErrorContains(t, other.Stream().Copy(x, four), "float32 array [4] is on another Device")
	_, err = rtc.PlaceOf(four)
	assert.EqualError(t, err, "rtc: place: a Slice is Go's memory, which the driver can't use while the program goes on; a HostBuffer is for that")
	_, err = rtc.NewWork(dev, []rtc.Copyable{four}, nil)
	assert.ErrorContains(t, err, "rtc: new work: reads[0]: a Slice is Go's memory")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, s.CopyContext(over, x, four), context.Canceled)
}

// TestSliceWaits: with no room left who copies a Slice waits until there is, or his context has ended, or the stream is closed.
func TestSliceWaits(t *testing.T) {
	dev := simulated(t)
	rtc.SetStaging(dev, 4096)
	s, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	x, err := rtc.Zeros[uint8](dev, 1024)
	require.NoError(t, err)
	y, err := rtc.Zeros[uint8](dev, 8192)
	require.NoError(t, err)
	b, long := make(rtc.Slice[uint8], 1024), make(rtc.Slice[uint8], 8192)
	open := gateIn(t, s)
	for i := range 4 {
		b[0] = uint8(i)
		require.NoError(t, s.Copy(x, b))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	err = s.CopyContext(ctx, x, b)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "rtc: copy: ")

	done := make(chan error, 2)
	long[8191] = 9
	go func() { done <- other.CopyContext(t.Context(), y, long) }()
	second := make(chan error, 1)
	go func() { second <- s.Copy(x, b) }() // behind it, or in front
	select {
	case err := <-done:
		t.Fatal("there was no room for it", err)
	case <-time.After(20 * time.Millisecond):
	}
	open <- struct{}{}
	require.NoError(t, <-done)
	require.NoError(t, <-second)
	out, err := rtc.ToSlice[uint8](y)
	require.NoError(t, err)
	require.EqualValues(t, 9, out[8191])
	out, err = rtc.ToSlice[uint8](x)
	require.NoError(t, err)
	require.EqualValues(t, 3, out[0])
	require.NoError(t, other.Close())
	require.ErrorIs(t, other.Copy(x, b), rtc.ErrClosed)
	require.NoError(t, dev.Close())
	require.ErrorIs(t, s.Copy(x, b), rtc.ErrClosed)
}

// TestSliceAfterFault: who waits for room hears of the fault.
func TestSliceAfterFault(t *testing.T) {
	for _, ctx := range []context.Context{context.Background(), t.Context()} {
		r := newRig(t, drivertest.Config{})
		rtc.SetStaging(r.dev, 256)
		x, err := rtc.Zeros[uint8](r.dev, 1024)
		require.NoError(t, err)
		require.NoError(t, r.dev.Synchronize(ctx))
		r.double.Hold()
		done := make(chan error, 1)
		go func() { done <- r.dev.Stream().CopyContext(ctx, x, make(rtc.Slice[uint8], 1024)) }()
		time.Sleep(5 * time.Millisecond)
		r.double.Break(driver.IllegalAddress)
		r.double.Release()
		require.ErrorIs(t, <-done, driver.IllegalAddress)
		require.ErrorIs(t, r.dev.Stream().Copy(x, make(rtc.Slice[uint8], 1024)), driver.IllegalAddress)
	}
}

// TestSliceHammer: a Slice is copied as one, whatever others do with the array, also on a device's only stream.
func TestSliceHammer(t *testing.T) {
	for _, streams := range []int{1, 4} {
		t.Run(strconv.Itoa(streams), func(t *testing.T) {
			dev := simulatedWith(t, sim.Config{})
			rtc.SetStaging(dev, 1024) // so that each goes in pieces
			all := []*rtc.Stream{dev.Stream()}
			for len(all) < streams {
				s, err := dev.NewStream(rtc.StreamConfig{})
				require.NoError(t, err)
				all = append(all, s)
			}
			var arrays [3]*rtc.Array
			for i := range arrays {
				var err error
				arrays[i], err = rtc.Zeros[uint32](dev, 500)
				require.NoError(t, err)
			}
			end := time.Now().Add(300 * time.Millisecond)
			var wg sync.WaitGroup
			for g := range 12 {
				wg.Go(func() {
					dice := rand.New(rand.NewPCG(uint64(g), 5))
					mine := make(rtc.Slice[uint32], 500)
					for n := 0; n < 20 || time.Now().Before(end); n++ {
						a, b, s := arrays[dice.IntN(3)], arrays[dice.IntN(3)], all[dice.IntN(len(all))]
						switch k := dice.Uint32(); {
						case k%8 == 0:
							out, err := rtc.ToSlice[uint32](a)
							assert.NoError(t, err)
							for _, v := range out {
								if v != out[0] {
									t.Errorf("%d beside %d", v, out[0])
									return
								}
							}
						case k%8 < 4 && a != b:
							assert.NoError(t, s.Copy(a, b))
						default:
							for i := range mine {
								mine[i] = k
							}
							assert.NoError(t, s.Copy(a, mine))
						}
					}
				})
			}
			wg.Wait()
			require.NoError(t, dev.Close())
			require.Equal(t, driver.Counts{}, dev.Driver().Counts())
		})
	}
}
