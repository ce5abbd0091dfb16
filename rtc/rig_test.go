package rtc_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/rtc"
)

// A rig is a driver of Go with its devices, opened, and watched for whatever is
// left over when the test ends.
type rig struct {
	double *drivertest.Driver
	drv    *driver.Driver
	dev    *rtc.Device   // the first
	devs   []*rtc.Device // all

	mu    sync.Mutex
	leaks []rtc.Leak
}

// plain is a driver newer than any PTX, with a device newer than any compiler:
// so all are compiled to PTX, which the double understands best.
var plain = drivertest.Config{
	Version: dl.Version{Major: 13, Minor: 9},
	Devices: []drivertest.Device{{Major: 99}},
}

func newRig(t testing.TB, c drivertest.Config) *rig {
	t.Helper()
	return newRigWith(t, c, rtc.OpenConfig{})
}

func newRigWith(t testing.TB, c drivertest.Config, open rtc.OpenConfig) *rig {
	t.Helper()
	r := &rig{double: drivertest.New(c)}
	var err error
	r.drv, err = driver.Bind(r.double)
	require.NoError(t, err)
	open.Driver, open.Leaked = r.drv, r.leak
	n, err := r.drv.DeviceCount()
	require.NoError(t, err)
	for open.Ordinal = range n {
		dev, err := rtc.OpenWith(open)
		require.NoError(t, err)
		r.devs = append(r.devs, dev)
	}
	r.dev = r.devs[0]
	t.Cleanup(func() {
		broken := r.double.Broken()
		for _, dev := range r.devs {
			if err := dev.Close(); !broken {
				assert.NoError(t, err)
			}
		}
		if !assert.Eventually(t, func() bool { return r.drv.Counts() == driver.Counts{} }, patience, time.Millisecond) {
			t.Logf("what the driver package counts: %+v", r.drv.Counts())
		}
		if !broken {
			assert.Equal(t, drivertest.Live{}, r.double.Live(), "what the driver has")
			assert.Empty(t, r.left(), "arrays that were not closed")
		}
		if !c.NeedsContext {
			assert.Empty(t, r.double.Unbound(), "calls without a context")
		}
	})
	return r
}

func (r *rig) leak(l rtc.Leak) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leaks = append(r.leaks, l)
}

// left is what was reported as a leak, and forgets it.
func (r *rig) left() []rtc.Leak {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.leaks
	r.leaks = nil
	return l
}

// onEach runs a test on the GPU, where there is one, on a simulated device, and on a driver of Go that
// knows what the kernels of axpySource do.
func onEach(t *testing.T, test func(t *testing.T, dev *rtc.Device)) {
	if !simulating() {
		t.Run("gpu", func(t *testing.T) { test(t, gpu(t)) })
	}
	t.Run("simulated", func(t *testing.T) { test(t, simulated(t)) })
	t.Run("double", func(t *testing.T) {
		r := newRig(t, plain)
		giveBodies(r.double)
		test(t, r.dev)
	})
}

// giveBodies has the double do what the kernels of axpySource do.
func giveBodies(d *drivertest.Driver) {
	type launch = drivertest.Launch
	d.Kernel("axpy", func(l launch) driver.Result {
		n := min(int(drivertest.Arg[int32](l, 3)), int(l.Grid[0]*l.Block[0]))
		x := drivertest.Slice[float32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), n)
		y := drivertest.Slice[float32](l.Driver, drivertest.Arg[driver.Pointer](l, 1), n)
		for i := range y {
			y[i] += drivertest.Arg[float32](l, 2) * x[i]
		}
		return driver.Success
	})
	d.Kernel("sum", func(l launch) driver.Result {
		s := int32(0)
		for _, v := range drivertest.Slice[int32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), int(l.Shared/4)) {
			s += v
		}
		drivertest.Slice[int32](l.Driver, drivertest.Arg[driver.Pointer](l, 1), 1)[0] = s
		return driver.Success
	})
	d.Kernel("grid_sum", func(l launch) driver.Result {
		drivertest.Slice[int32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), 1)[0] += int32(l.Grid[0])
		return driver.Success
	})
	d.Kernel("rank", func(l launch) driver.Result {
		for i := range l.Grid[0] {
			drivertest.Slice[uint32](l.Driver, drivertest.Arg[driver.Pointer](l, 0), int(l.Grid[0]))[i] = i % max(1, l.Cluster[0])
		}
		return driver.Success
	})
	d.Kernel("spin", func(l launch) driver.Result {
		time.Sleep(time.Duration(drivertest.Arg[int64](l, 0)) * time.Second / 2e9)
		return driver.Success
	})
}

// onDouble reports whether dev is no GPU.
func onDouble(dev *rtc.Device) bool { return strings.HasPrefix(dev.Driver().Path(), "drivertest") }

// patience is how long tests wait for what a busy machine does late.
const patience = 2 * time.Minute

// waitFor waits for something that another goroutine does.
func waitFor(t testing.TB, what func() bool) {
	t.Helper()
	require.Eventually(t, what, patience, time.Millisecond)
}
