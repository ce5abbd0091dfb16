package rtc_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc"
)

// TestStrings: what one may want to print says what it is, not what it is made of, which others may be changing.
func TestStrings(t *testing.T) {
	dev := simulated(t)
	s, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	e, err := s.Record()
	require.NoError(t, err)
	h, err := rtc.NewHostBuffer[float32](dev, 3)
	require.NoError(t, err)
	mod := kernels(t)
	none := kernel(t, mod, "none", "")
	run, err := none.Prepare(dev, rtc.Dim(1), rtc.Dim(1), 0)
	require.NoError(t, err)
	for want, v := range map[string]any{
		"stream 0 of device 0": dev.Stream(), "stream 2 of device 0": s, "event in stream 2 of device 0": e,
		"host buffer of 3 float32": h, "launch of none": run, "none(void)": none,
		"module kernels": mod, "no module": new(rtc.Module),
		"no stream": new(rtc.Stream), "no event": new(rtc.Event), "no host buffer": new(rtc.HostBuffer[int8]), "no launch": new(rtc.Prepared),
	} {
		require.Equal(t, want, fmt.Sprint(v))
	}
	require.NoError(t, s.Close())
	other, err := dev.NewStream(rtc.StreamConfig{})
	require.NoError(t, err)
	require.Equal(t, "stream 2 of device 0", other.String())
	require.NoError(t, e.Close())
	require.EqualError(t, e.Synchronize(t.Context()), "rtc: wait for event: the event is closed")
	require.EqualError(t, other.Wait(e), "rtc: wait for event: the event is closed")
	_, err = e.Happened()
	require.EqualError(t, err, "rtc: ask event: the event is closed")
	x, err := rtc.Zeros[float32](dev, 4)
	require.NoError(t, err)
	require.NoError(t, x.Close())
	axpy := kernel(t, kernels(t), "axpy", axpySignature)
	require.EqualError(t, axpy.Enqueue(dev.Stream(), rtc.Dim(1), rtc.Dim(1), 0, x, nil, 1, 1), "rtc: enqueue axpy: argument 0 (x): float32 array [4] is closed")
}
