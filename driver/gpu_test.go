package driver_test

import (
	"os"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

// gpuDriver is the machine's driver, or, where PURECUDA_DEVICE is sim, a simulated one.
var gpuDriver = sync.OnceValues(func() (*driver.Driver, error) {
	if os.Getenv("PURECUDA_DEVICE") != "sim" {
		return driver.Open(driver.Config{})
	}
	simulated, err := sim.New(sim.Config{})
	if err != nil {
		return nil, err
	}
	return driver.Bind(simulated)
})

// gpu gives that driver and a context of its first device, and holds the test to giving everything back.
func gpu(t testing.TB) (*driver.Driver, *driver.Context) {
	t.Helper()
	d, err := gpuDriver()
	if err != nil {
		skip(t, "gpu", "no GPU: "+err.Error())
	}
	before := d.Counts()
	t.Cleanup(func() { require.Equal(t, before, d.Counts(), "handles left") })
	return d, open(t, d)
}

func args(p ...unsafe.Pointer) []unsafe.Pointer { return p }

func alloc(t testing.TB, c *driver.Context, bytes uint64) driver.Pointer {
	t.Helper()
	p, err := c.Alloc(bytes)
	require.NoError(t, err)
	return p
}

func prepare(t testing.TB, f *driver.Function, c driver.LaunchConfig, params ...unsafe.Pointer) *driver.Launch {
	t.Helper()
	l, err := f.Prepare(c, params)
	require.NoError(t, err)
	return l
}

// read copies n values from the device.
func read[T any](t testing.TB, c *driver.Context, p driver.Pointer, n int) []T {
	t.Helper()
	out := make([]T, n)
	require.NoError(t, c.CopyToHost(bytesOf(out), p))
	return out
}
