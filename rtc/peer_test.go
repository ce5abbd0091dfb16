package rtc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// An enabling is a simulated driver that counts who is let reach the memory of another.
type enabling struct {
	*sim.Driver
	calls int
}

func (e *enabling) Lookup(symbol string) (dl.Func, error) {
	f, err := e.Driver.Lookup(symbol)
	if symbol == "cuCtxEnablePeerAccess" {
		inner := f.Go
		f.Go = func(args []uintptr) uintptr { e.calls++; return inner(args) }
	}
	return f, err
}

// TestPeerAccess: asked for once, and anew of a device that was closed and opened again.
func TestPeerAccess(t *testing.T) {
	s, err := sim.New(sim.Config{Devices: make([]sim.Device, 2)})
	require.NoError(t, err)
	e := &enabling{Driver: s}
	drv, err := driver.Bind(e)
	require.NoError(t, err)
	open := func(n int) *rtc.Device {
		dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv, Ordinal: n})
		require.NoError(t, err)
		return dev
	}
	here, there := open(0), open(1)
	for round := range 2 {
		reach, err := here.PeerAccess(there)
		require.NoError(t, err)
		require.True(t, reach)
		x, err := rtc.Zeros[uint8](here, 4)
		require.NoError(t, err)
		_, err = x.CopyTo(there)
		require.NoError(t, err)
		_, err = there.PeerAccess(here)
		require.NoError(t, err)
		require.Equal(t, 2*(round+1), e.calls)
		require.NoError(t, there.Close())
		_, err = here.PeerAccess(there)
		require.ErrorIs(t, err, rtc.ErrClosed)
		there = open(1)
	}
	again := open(0)
	reach, err := here.PeerAccess(again)
	require.NoError(t, err)
	require.True(t, reach, "it is the same device")
	require.Equal(t, 4, e.calls)
	_, err = here.PeerAccess(nil)
	require.EqualError(t, err, "rtc: peer access: the device is nil")
	_, err = here.PeerAccess(simulated(t))
	require.ErrorContains(t, err, "are of different drivers")
	for _, dev := range []*rtc.Device{again, there, here} {
		require.NoError(t, dev.Close())
	}
}
