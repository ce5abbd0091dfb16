package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
)

// The call that an event keeps for waits is aimed anew each time, also where the
// driver wants a context for it, and not made after a fault.
func TestStreamsWaitForOneEvent(t *testing.T) {
	for name, config := range map[string]drivertest.Config{"any context": {}, "its own": {NeedsContext: true}} {
		t.Run(name, func(t *testing.T) {
			d, double := bind(t, config)
			c := open(t, d)
			s, other := stream(t, c), stream(t, c)
			e, err := c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			require.NoError(t, s.Record(e))
			for _, s := range []*driver.Stream{s, other, s, other} {
				double.Forget()
				require.NoError(t, s.Wait(e))
				calls := double.Calls("cuStreamWaitEvent")
				last := calls[len(calls)-1]
				require.Equal(t, driver.Success, last.Result)
				require.Equal(t, []uintptr{s.Handle(), e.Handle(), 0}, last.Args)
			}
			double.Fail("cuStreamWaitEvent", driver.InvalidValue, 1)
			require.EqualError(t, s.Wait(e), "driver: wait for event: invalid value (cuStreamWaitEvent: CUDA_ERROR_INVALID_VALUE)")

			closed, err := c.NewEvent(driver.EventConfig{})
			require.NoError(t, err)
			require.NoError(t, closed.Close())
			require.EqualError(t, s.Wait(closed), "driver: event: closed")
			require.NoError(t, other.Close())
			require.EqualError(t, other.Wait(e), "driver: stream: closed")

			double.Break(driver.IllegalAddress)
			_, err = s.Query()
			require.ErrorIs(t, err, driver.IllegalAddress)
			double.Forget()
			require.ErrorIs(t, s.Wait(e), driver.IllegalAddress)
			require.Zero(t, double.Called("cuStreamWaitEvent"))
		})
	}
}
