package driver_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
)

func TestGPUDeviceFacts(t *testing.T) {
	d, c := gpu(t)
	dev := c.Device()
	major, minor, err := dev.ComputeCapability()
	require.NoError(t, err)
	total, err := dev.TotalMemory()
	require.NoError(t, err)
	uuid, err := dev.UUID()
	require.NoError(t, err)
	pci, err := dev.PCI()
	require.NoError(t, err)
	t.Logf("%s, %s, CUDA %s, sm_%d%d, %d MiB, %s, %s", dev, d.Path(), d.Version(), major, minor, total>>20, uuid, pci)
	require.GreaterOrEqual(t, major, 3)
	require.Greater(t, total, uint64(1<<30))
	require.NotEqual(t, driver.UUID{}, uuid)
	same, err := d.DeviceAtPCI(pci)
	require.NoError(t, err)
	require.Same(t, dev, same)
	active, err := dev.PrimaryActive()
	require.NoError(t, err)
	require.True(t, active)

	warp, err := dev.Attribute(driver.WarpSize)
	require.NoError(t, err)
	require.Equal(t, 32, warp)
	for _, a := range driver.Attributes() {
		v, err := dev.Attribute(a)
		if err != nil {
			require.ErrorIs(t, err, driver.InvalidValue, a.String()) // the driver is older than it
			continue
		}
		t.Logf("%s: %d", a, v)
	}
	_, err = d.Device(1000)
	require.ErrorIs(t, err, driver.InvalidDevice)
	free, of, err := c.MemInfo()
	require.NoError(t, err)
	require.LessOrEqual(t, free, of)
	require.NoError(t, c.Health())
}

// Every function that the driver's version promises must be there.
func TestGPUFunctionsExist(t *testing.T) {
	d, _ := gpu(t)
	for _, f := range driver.Functions() {
		if d.Version().Compare(f.Since) >= 0 && !d.Has(f.Name) {
			t.Errorf("%s, since %s, is not in the driver of %s", f.Name, f.Since, d.Version())
		}
		if d.Version().Compare(f.Since) < 0 && d.Has(f.Name) {
			t.Logf("%s is older than %s", f.Name, f.Since)
		}
	}
}

// The names of the codes are the driver's.
func TestGPUResultNames(t *testing.T) {
	d, _ := gpu(t)
	for r := driver.Result(0); r < 1000; r++ {
		name, text := d.Describe(r)
		switch known := !strings.HasPrefix(r.Name(), "CUresult "); {
		case name == "":
		case known:
			assert.Equal(t, name, r.Name(), "%d: %s", r, text)
		default: // of a driver newer than this package
			t.Logf("not known here: %d %s: %s", r, name, text)
		}
	}
}

func TestGPUOwnContext(t *testing.T) {
	_, primary := gpu(t)
	c, err := primary.Device().NewContext(driver.ContextConfig{Blocking: true})
	require.NoError(t, err)
	p := alloc(t, c, 1024)
	s := stream(t, c)
	require.NoError(t, s.Memset32(p, 0x01020304, 256))
	require.NoError(t, c.Synchronize())
	require.Equal(t, byte(4), read[byte](t, c, p, 1)[0])
	v, err := c.Limit(driver.LimitStackSize)
	require.NoError(t, err)
	require.NotZero(t, v)
	require.NoError(t, c.SetLimit(driver.LimitStackSize, v))
	require.NoError(t, c.Close())
	require.NoError(t, primary.Health())
	_, err = c.Alloc(1)
	require.ErrorIs(t, err, driver.ErrClosed)
}

func TestGPUMemory(t *testing.T) {
	_, c := gpu(t)
	s := stream(t, c)
	_, err := c.Alloc(1 << 50)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.ErrorContains(t, err, "bytes are free")
	require.Error(t, c.Free(12345))

	p := alloc(t, c, 4096)
	base, size, err := c.AddressRange(p + 100)
	require.NoError(t, err)
	require.Equal(t, p, base)
	require.Equal(t, uint64(4096), size)
	require.NoError(t, s.Memset8(p, 1, 4096))
	require.NoError(t, s.Memset16(p+2, 0x0202, 1))
	q, err := s.AllocAsync(4096)
	require.NoError(t, err)
	require.NoError(t, s.CopyDevice(q, p, 4096))

	host, err := c.AllocHost(4096, driver.HostConfig{Mapped: true})
	require.NoError(t, err)
	require.NoError(t, s.CopyToHost(host.Bytes(), q))
	require.NoError(t, s.Synchronize())
	require.Equal(t, []byte{1, 1, 2, 2, 1}, host.Bytes()[:5])
	device, err := host.Pointer()
	require.NoError(t, err)
	require.NotZero(t, device)
	require.NoError(t, host.Close())

	mine := make([]byte, 1<<20)
	pinned, err := c.RegisterHost(mine, driver.HostConfig{})
	require.NoError(t, err)
	mine[0] = 42
	require.NoError(t, s.CopyToDevice(p, mine[:4096]))
	require.NoError(t, s.Synchronize())
	require.Equal(t, byte(42), read[byte](t, c, p, 1)[0])
	require.NoError(t, pinned.Close())
	require.NoError(t, s.FreeAsync(q))
	require.NoError(t, c.Free(p))

	pool, err := c.Device().NewPool(driver.PoolConfig{})
	require.NoError(t, err)
	require.NoError(t, pool.SetAttribute(driver.PoolReleaseThreshold, 1<<20))
	r, err := s.AllocFromPool(pool, 1000)
	require.NoError(t, err)
	used, err := pool.Attribute(driver.PoolUsed)
	require.NoError(t, err)
	require.GreaterOrEqual(t, used, uint64(1000))
	require.NoError(t, s.FreeAsync(r))
	require.NoError(t, s.Synchronize())
	require.NoError(t, pool.Trim(0))
	require.NoError(t, pool.Close())
	standard, err := c.Device().DefaultPool()
	require.NoError(t, err)
	_, err = standard.Attribute(driver.PoolReserved)
	require.NoError(t, err)
}

func TestGPUEvents(t *testing.T) {
	_, c := gpu(t)
	s := stream(t, c)
	begin, err := c.NewEvent(driver.EventConfig{Timing: true})
	require.NoError(t, err)
	end, err := c.NewEvent(driver.EventConfig{Timing: true, Blocking: true})
	require.NoError(t, err)
	ns := uint64(200e6) // long enough to be asked about meanwhile on a busy machine
	spin := prepare(t, function(t, load(t, c, gpuKernels), "spin"), driver.LaunchConfig{Grid: driver.Dim(1), Block: driver.Dim(1)}, ptr(&ns))
	require.NoError(t, s.Record(begin))
	require.NoError(t, spin.Enqueue(s))
	require.NoError(t, s.Record(end))
	over, err := end.Query()
	require.NoError(t, err)
	require.False(t, over)
	over, err = s.Query()
	require.NoError(t, err)
	require.False(t, over)
	other := stream(t, c)
	require.NoError(t, other.Wait(end))
	require.NoError(t, other.Synchronize())
	require.NoError(t, end.Synchronize())
	took, err := end.Elapsed(begin)
	require.NoError(t, err)
	require.Greater(t, took, 190*time.Millisecond)
	require.Less(t, took, 20*time.Second)
	least, greatest, err := c.StreamPriorities()
	require.NoError(t, err)
	require.LessOrEqual(t, greatest, least)
	urgent, err := c.NewStream(driver.StreamConfig{Priority: greatest})
	require.NoError(t, err)
	require.NoError(t, urgent.Close())

	told := make(chan struct{})
	err = s.AddHostFunc(func() { close(told) })
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	require.NoError(t, err)
	select {
	case <-told:
	case <-time.After(time.Minute):
		t.Fatal("the host function was not called")
	}
}
