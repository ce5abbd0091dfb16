package sim_test

import (
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

func args(p ...unsafe.Pointer) []unsafe.Pointer { return p }

// A fault comes back from the wait, says what is known of it, and takes everything.
func TestFaults(t *testing.T) {
	null, wild, one := driver.Pointer(0), driver.Pointer(0x3039), uint32(1)
	for name, test := range map[string]struct {
		kernel string
		params []unsafe.Pointer
		code   driver.Result
		want   string
	}{
		"null pointer": {"store", args(ptr(&null), ptr(&one)), driver.IllegalAddress,
			"store: null pointer: 4 bytes at 0x0; block (0,0,0), thread (0,0,0), PTX line 43 (st.global.u32)"},
		"misaligned": {"store", args(ptr(&wild), ptr(&one)), driver.MisalignedAddress, "store: misaligned address: 0x3039 is no multiple of 4; block"},
		"trap":       {"trapped", nil, driver.LaunchFailed, "trapped: trap; block (0,0,0), thread (0,0,0), PTX line"},
		"endless":    {"endless", nil, driver.LaunchTimeout, "endless: more than 1048576 steps; block (0,0,0)"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, sim.Config{MaxSteps: 1 << 20})
			require.True(t, r.drv.Simulated())
			p := r.alloc(t, 64)
			other := r.stream(t)
			l := r.launch(t, test.kernel, driver.LaunchConfig{}, test.params...)
			good := r.launch(t, "bounded", driver.LaunchConfig{})
			require.NoError(t, r.drv.Health())
			require.NoError(t, l.Enqueue(r.s))
			err := r.s.Synchronize()
			require.ErrorIs(t, err, test.code)
			require.ErrorContains(t, err, "driver: synchronize stream: "+test.want)
			require.Equal(t, []string{test.kernel}, r.drv.Health().(*driver.Error).Fault.Running)
			require.Contains(t, r.sim.Fault(), test.want)

			second, err := driver.Bind(r.sim) // which has seen no fault
			require.NoError(t, err)
			dev, err := second.Device(0)
			require.NoError(t, err)
			for what, call := range map[string]func() error{
				"launch": func() error { return good.Enqueue(other) }, "alloc": func() error { _, err := r.ctx.Alloc(4); return err },
				"free": func() error { return r.ctx.Free(p) }, "copy": func() error { return r.ctx.CopyToHost(make([]byte, 4), p) },
				"load":    func() error { _, err := r.ctx.LoadModule([]byte(kernels), driver.LoadConfig{}); return err },
				"context": func() error { _, err := dev.NewContext(driver.ContextConfig{}); return err },
				"query":   func() error { _, err := other.Query(); return err },
				"wait":    other.Synchronize,
			} {
				err := call()
				require.ErrorIs(t, err, test.code, what)
				require.ErrorContains(t, err, test.want, what)
			}
			_, err = dev.Attribute(driver.WarpSize)
			require.NoError(t, err)
			// What belongs to no context goes on.
			third, err := driver.Bind(r.sim) // which has seen none yet
			require.NoError(t, err)
			dev, err = third.Device(0)
			require.NoError(t, err)
			library, err := third.LoadLibrary([]byte(kernels), driver.LoadConfig{})
			require.NoError(t, err)
			require.NoError(t, library.Close())
			_, err = dev.DefaultPool()
			require.NoError(t, err)
			c, err := dev.Primary()
			require.NoError(t, err, "it is there already")
			_, err = c.Alloc(4)
			require.ErrorIs(t, err, test.code)
			require.NoError(t, c.Close())
		})
	}
}

// What is behind a fault in the queues never runs, and nobody waits for it.
func TestFaultDropsWhatIsEnqueued(t *testing.T) {
	for _, scheduler := range []sim.Scheduler{sim.InOrder, sim.Worst} {
		r := newRig(t, sim.Config{Scheduler: scheduler})
		other, e := r.stream(t), r.event(t)
		flag, ran := r.alloc(t, 4), r.alloc(t, 4)
		set(t, r.ctx, flag, uint32(0))
		one := uint32(1)
		null := driver.Pointer(0)
		called := make(chan struct{}, 1)
		bad, good := r.launch(t, "store", driver.LaunchConfig{}, ptr(&null), ptr(&one)), r.launch(t, "store", driver.LaunchConfig{}, ptr(&ran), ptr(&one))
		require.NoError(t, bad.Enqueue(r.s))
		_ = r.s.Record(e) // the fault may show at any of these
		_ = other.Wait(e)
		_ = good.Enqueue(other)
		_ = other.AddHostFunc(func() { called <- struct{}{} })
		require.ErrorIs(t, other.Synchronize(), driver.IllegalAddress)
		require.ErrorIs(t, e.Synchronize(), driver.IllegalAddress)
		select {
		case <-called:
			t.Fatal("a host function ran")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Simulated drivers know nothing of each other.
func TestFaultOfAnother(t *testing.T) {
	a, b := newRig(t, sim.Config{}), newRig(t, sim.Config{})
	require.NoError(t, a.launch(t, "trapped", driver.LaunchConfig{}).Enqueue(a.s))
	require.Error(t, a.s.Synchronize())
	require.NoError(t, b.launch(t, "bounded", driver.LaunchConfig{}).Enqueue(b.s))
	require.NoError(t, b.s.Synchronize())
	require.NoError(t, b.drv.Health())
	require.Empty(t, b.sim.Fault())
}
