package rtc_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// TestHostBufferWait: it waits for all that uses the buffer, on whatever streams, and says once that it gave up.
func TestHostBufferWait(t *testing.T) {
	dev := simulated(t)
	h, err := rtc.NewHostBuffer[uint32](dev, 4)
	require.NoError(t, err)
	h.Slice()[3] = 9
	var gates []chan<- struct{}
	var arrays []*rtc.Array
	for range 3 {
		s, err := dev.NewStream(rtc.StreamConfig{})
		require.NoError(t, err)
		gates = append(gates, gateIn(t, s))
		x, err := rtc.NewArray(dev, rtc.Uint32, 4)
		require.NoError(t, err)
		require.NoError(t, s.Copy(x, h))
		arrays = append(arrays, x)
	}
	for _, gate := range gates {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		require.EqualError(t, h.Wait(ctx), "rtc: wait for host buffer of 4 uint32: context deadline exceeded")
		cancel()
		gate <- struct{}{}
	}
	require.NoError(t, h.Wait(t.Context()))
	h.Slice()[3] = 8 // which no copy sees
	for _, x := range arrays {
		out, err := rtc.ToSlice[uint32](x)
		require.NoError(t, err)
		require.Equal(t, []uint32{0, 0, 0, 9}, out)
	}
	require.NoError(t, h.Close())
	require.EqualError(t, h.Wait(t.Context()), "rtc: wait: host buffer of 4 uint32 is closed")
}

// TestHostBufferWaitAfterFault: who waits for a copy that may never have been made is told.
func TestHostBufferWaitAfterFault(t *testing.T) {
	r := newRig(t, plain)
	h, err := rtc.NewHostBuffer[uint32](r.dev, 4)
	require.NoError(t, err)
	x := array(t, r.dev, uint32(1))
	part, err := rtc.NewHostBuffer[uint32](r.dev, 1)
	require.NoError(t, err)
	require.NoError(t, r.dev.Stream().Copy(part, x))
	r.double.Break(driver.IllegalAddress)
	require.ErrorIs(t, r.dev.Synchronize(t.Context()), driver.IllegalAddress)
	require.ErrorIs(t, h.Wait(t.Context()), driver.IllegalAddress)
	require.ErrorIs(t, part.Wait(t.Context()), driver.IllegalAddress)
}
