package sim_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim"
)

func TestMemoryBounds(t *testing.T) {
	r := newRig(t, sim.Config{Devices: []sim.Device{{Memory: 1 << 20}}})
	p, q := r.alloc(t, 100), r.alloc(t, 1000)
	host := make([]byte, 2000)
	for name, c := range map[string]struct {
		call func() error
		want driver.Result
	}{
		"whole":              {func() error { return r.ctx.CopyToDevice(p, host[:100]) }, driver.Success},
		"one too many":       {func() error { return r.ctx.CopyToDevice(p, host[:101]) }, driver.InvalidValue},
		"from the middle":    {func() error { return r.ctx.CopyToHost(host[:50], p+50) }, driver.Success},
		"past the end":       {func() error { return r.ctx.CopyToHost(host[:51], p+50) }, driver.InvalidValue},
		"before":             {func() error { return r.ctx.CopyToHost(host[:1], p-1) }, driver.InvalidValue},
		"nowhere":            {func() error { return r.ctx.CopyToHost(host[:1], 1<<40) }, driver.InvalidValue},
		"into too little":    {func() error { return r.ctx.CopyDevice(p, q, 101) }, driver.InvalidValue},
		"between":            {func() error { return r.ctx.CopyDevice(q+900, p, 100) }, driver.Success},
		"of a wild size":     {func() error { return r.ctx.CopyDevice(q, p, 1<<63) }, driver.InvalidValue},
		"fill":               {func() error { return r.s.Memset16(p, 1, 50) }, driver.Success},
		"fill too many":      {func() error { return r.s.Memset16(p, 1, 51) }, driver.InvalidValue},
		"fill, misaligned":   {func() error { return r.s.Memset32(p+2, 1, 1) }, driver.InvalidValue},
		"fill, overflowing":  {func() error { return r.s.Memset32(p, 1, 1<<62+1) }, driver.InvalidValue},
		"alloc nearly all":   {func() error { x, err := r.ctx.Alloc(1<<20 - 1100); _ = r.ctx.Free(x); return err }, driver.Success},
		"alloc too much":     {func() error { _, err := r.ctx.Alloc(1<<20 - 1099); return err }, driver.OutOfMemory},
		"alloc a wild size":  {func() error { _, err := r.ctx.Alloc(1 << 63); return err }, driver.OutOfMemory},
		"alloc in a stream":  {func() error { _, err := r.s.AllocAsync(1 << 20); return err }, driver.OutOfMemory},
		"free what is not":   {func() error { return r.ctx.Free(p + 4) }, driver.InvalidValue},
		"pin a wild size":    {func() error { _, err := r.ctx.AllocHost(1<<62, driver.HostConfig{}); return err }, driver.OutOfMemory},
		"range of the gap":   {func() error { _, _, err := r.ctx.AddressRange(p + 100); return err }, driver.NotFound},
		"attribute, nowhere": {func() error { _, err := r.ctx.PointerAttribute(driver.PointerMemoryType, 64); return err }, driver.InvalidValue},
	} {
		err := c.call()
		require.NoError(t, r.s.Synchronize())
		if c.want == driver.Success {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, c.want, name)
		}
	}
	free, total, err := r.ctx.MemInfo()
	require.NoError(t, err)
	require.Equal(t, []uint64{1<<20 - 1100, 1 << 20}, []uint64{free, total})
	r.current(t, func() {
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemFree_v2", uintptr(p+4)))
		require.Equal(t, driver.Success, r.raw(t, "cuMemFree_v2", 0))
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemAlloc_v2", uintptr(unsafe.Pointer(new(uint64))), 0))
	})
	require.NoError(t, r.ctx.Free(p))
	require.NoError(t, r.ctx.Free(q))
	require.ErrorIs(t, r.ctx.CopyToHost(host[:1], p), driver.InvalidValue)
}

func TestFills(t *testing.T) {
	r := newRig(t, sim.Config{})
	p := r.alloc(t, 64)
	for i, fill := range []func() error{
		func() error { return r.s.Memset8(p, 0x12, 64) },
		func() error { return r.s.Memset16(p+2, 0x3456, 5) },
		func() error { return r.s.Memset32(p+16, 0x789abcde, 3) },
		func() error { return r.s.Memset8(p+63, 0xff, 1) },
	} {
		require.NoError(t, fill(), i)
	}
	require.NoError(t, r.s.Synchronize())
	want := make([]byte, 64)
	for i := range want {
		want[i] = 0x12
	}
	for i := 2; i < 12; i += 2 {
		want[i], want[i+1] = 0x56, 0x34
	}
	for i := 16; i < 28; i += 4 {
		copy(want[i:], []byte{0xde, 0xbc, 0x9a, 0x78})
	}
	want[63] = 0xff
	require.Equal(t, want, read[byte](t, r.ctx, p, 64))
}

// A kernel that uses memory which was freed before, or lies just past the end, is told so.
func TestFaultsTellWhatLiesThere(t *testing.T) {
	one := uint32(1)
	for name, test := range map[string]struct {
		at   func(r *rig) driver.Pointer
		want string
	}{
		"freed": {func(r *rig) driver.Pointer {
			p := r.alloc(t, 64)
			require.NoError(t, r.ctx.Free(p))
			return p + 8
		}, "byte 8 of an allocation of 64 bytes that was freed: 4 bytes at 0x"},
		"past the end": {func(r *rig) driver.Pointer { return r.alloc(t, 64) + 64 }, "store: just past the end of an allocation of 64 bytes: 4 bytes at 0x"},
		"freed in a stream": {func(r *rig) driver.Pointer {
			p, err := r.s.AllocAsync(64)
			require.NoError(t, err)
			require.NoError(t, r.s.FreeAsync(p))
			return p
		}, "that was freed"},
		"a host's address": {func(r *rig) driver.Pointer { return driver.Pointer(uintptr(unsafe.Pointer(new([4]uint64)))) }, "no allocation"},
		"another device's": {func(r *rig) driver.Pointer {
			p, err := r.primary(t, 1).Alloc(64)
			require.NoError(t, err)
			return p
		}, "no allocation"},
	} {
		r := newRig(t, sim.Config{Devices: make([]sim.Device, 2)})
		p := test.at(r)
		require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&one)).Enqueue(r.s), name)
		err := r.s.Synchronize()
		require.ErrorIs(t, err, driver.IllegalAddress, name)
		require.ErrorContains(t, err, test.want, name)
	}
}

func TestPools(t *testing.T) {
	r := newRig(t, sim.Config{})
	dev := r.ctx.Device()
	pool, err := dev.NewPool(driver.PoolConfig{MaxSize: 40 << 20})
	require.NoError(t, err)
	value := func(p *driver.MemoryPool, a driver.PoolAttribute) uint64 {
		v, err := p.Attribute(a)
		require.NoError(t, err)
		return v
	}
	require.Equal(t, uint64(1), value(pool, driver.PoolReuseFollowEvents))
	require.NoError(t, pool.SetAttribute(driver.PoolReuseFollowEvents, 0))
	require.Zero(t, value(pool, driver.PoolReuseFollowEvents))
	require.ErrorIs(t, pool.SetAttribute(driver.PoolUsed, 0), driver.InvalidValue)

	p, err := r.s.AllocFromPool(pool, 1000)
	require.NoError(t, err)
	require.Equal(t, uint64(1000), value(pool, driver.PoolUsed))
	require.Equal(t, uint64(32<<20), value(pool, driver.PoolReserved))
	_, err = r.s.AllocFromPool(pool, 40<<20)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.NoError(t, r.s.FreeAsync(p))
	require.Error(t, r.s.FreeAsync(p))
	r.current(t, func() { require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemFreeAsync", uintptr(p), r.s.Handle())) })
	require.NoError(t, r.s.Synchronize())
	require.Zero(t, value(pool, driver.PoolUsed))
	require.Equal(t, uint64(1000), value(pool, driver.PoolUsedHigh))
	require.NoError(t, pool.SetAttribute(driver.PoolUsedHigh, 0))
	require.Zero(t, value(pool, driver.PoolUsedHigh))
	require.NoError(t, pool.Trim(0))
	require.Zero(t, value(pool, driver.PoolReserved))

	require.NoError(t, pool.MakeCurrent())
	p, err = r.s.AllocAsync(500)
	require.NoError(t, err)
	require.Equal(t, uint64(500), value(pool, driver.PoolUsed))
	require.NoError(t, r.s.Memset8(p, 1, 500))
	require.NoError(t, r.ctx.Free(p)) // not in stream order: it waits
	require.Zero(t, value(pool, driver.PoolUsed))
	require.NoError(t, pool.Close())
	standard, err := dev.DefaultPool()
	require.NoError(t, err)
	p, err = r.s.AllocAsync(500)
	require.NoError(t, err)
	require.Equal(t, uint64(500), value(standard, driver.PoolUsed))
	require.NoError(t, r.s.FreeAsync(p))
}

// Memory that is freed in a stream is there until its turn has come.
func TestFreeInStreamOrder(t *testing.T) {
	each(t, func(t *testing.T, c sim.Config) {
		r := newRig(t, c)
		for range 50 {
			p, err := r.s.AllocAsync(4)
			require.NoError(t, err)
			q := r.alloc(t, 4)
			require.NoError(t, r.s.Memset32(p, 0, 1))
			r.digits(t, r.s, p, 1, 2)
			require.NoError(t, r.s.CopyDevice(q, p, 4))
			require.NoError(t, r.s.FreeAsync(p))
			require.NoError(t, r.s.FreeAsync(q)) // what Alloc gave
		}
		require.NoError(t, r.s.Synchronize())
	})
}

func TestHostMemory(t *testing.T) {
	r := newRig(t, sim.Config{Devices: make([]sim.Device, 2)})
	m, err := r.ctx.AllocHost(5000, driver.HostConfig{Mapped: true})
	require.NoError(t, err)
	require.Len(t, m.Bytes(), 5000)
	require.Zero(t, uintptr(unsafe.Pointer(&m.Bytes()[0]))%4096)
	p, err := m.Pointer()
	require.NoError(t, err)
	require.Equal(t, uintptr(p), uintptr(unsafe.Pointer(&m.Bytes()[0])), "one address for both")
	for a, want := range map[driver.PointerAttribute]uint64{driver.PointerMemoryType: 1, driver.PointerRangeSize: 5000, driver.PointerRangeStart: uint64(p)} {
		v, err := r.ctx.PointerAttribute(a, p+100)
		require.NoError(t, err)
		require.Equal(t, want, v)
	}
	v := uint32(0x01020304)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&v)).Enqueue(r.s))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, []byte{4, 3, 2, 1, 0}, m.Bytes()[:5])

	mine := make([]byte, 4096)
	registered, err := r.ctx.RegisterHost(mine[:64], driver.HostConfig{})
	require.NoError(t, err)
	_, err = r.ctx.RegisterHost(mine[32:96], driver.HostConfig{})
	require.ErrorIs(t, err, driver.HostMemoryAlreadyRegistered)
	q, err := registered.Pointer()
	require.NoError(t, err)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&q), ptr(&v)).Enqueue(r.s))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, byte(4), mine[0])
	r.current(t, func() {
		at := uintptr(unsafe.Pointer(&mine[0]))
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemFreeHost", at), "it is not the driver's")
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemHostUnregister", uintptr(p)), "it is the driver's")
		require.Equal(t, driver.HostMemoryNotRegistered, r.raw(t, "cuMemHostUnregister", at+1024))
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemHostRegister_v2", at+1024, 64, 1<<8))
		require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemHostGetDevicePointer_v2", uintptr(unsafe.Pointer(new(uint64))), at+1024, 0))
	})
	require.NoError(t, registered.Close())
	require.NoError(t, m.Close())
}

// Physical memory has an address once it is mapped, and can be used once access was given; it can have several.
func TestVirtualMemory(t *testing.T) {
	r := newRig(t, sim.Config{})
	before, _, err := r.ctx.MemInfo()
	require.NoError(t, err)
	m, err := r.ctx.Device().NewPhysical(3<<20, driver.ShareNone)
	require.NoError(t, err)
	require.Equal(t, uint64(4<<20), m.Size())
	free, _, err := r.ctx.MemInfo()
	require.NoError(t, err)
	require.Equal(t, before-4<<20, free)
	a, err := r.ctx.Map(m)
	require.NoError(t, err)
	b, err := r.ctx.Map(m)
	require.NoError(t, err)
	p := a.Pointer() + 100
	v := uint32(99)
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&v)).Enqueue(r.s))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, v, read[uint32](t, r.ctx, b.Pointer()+100, 1)[0])
	base, size, err := r.ctx.AddressRange(p)
	require.NoError(t, err)
	require.Equal(t, a.Pointer(), base)
	require.Equal(t, uint64(4<<20), size)

	const unit = 2 << 20
	at := new(driver.Pointer)
	reserve := func(size, align uintptr) driver.Result {
		return r.raw(t, "cuMemAddressReserve", uintptr(unsafe.Pointer(at)), size, align, 0, 0)
	}
	require.Equal(t, driver.InvalidValue, reserve(1000, 0))
	require.Equal(t, driver.InvalidValue, reserve(unit, 3))
	require.Equal(t, driver.Success, reserve(4*unit, 16*unit))
	require.Zero(t, *at%(16*unit))
	handle := new(uint64)
	prop := &[4]uint64{1, 0<<32 | 1, 0, 0}
	require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemCreate", uintptr(unsafe.Pointer(handle)), 1000, uintptr(unsafe.Pointer(prop)), 0))
	require.Equal(t, driver.Success, r.raw(t, "cuMemCreate", uintptr(unsafe.Pointer(handle)), unit, uintptr(unsafe.Pointer(prop)), 0))
	for _, c := range []struct {
		at, size, offset uintptr
		want             driver.Result
	}{
		{1, unit, 0, driver.InvalidValue}, {0, 2 * unit, 0, driver.NotSupported}, {0, unit, 1, driver.NotSupported}, {4 * unit, unit, 0, driver.InvalidValue},
		{unit, unit, 0, driver.Success}, {unit, unit, 0, driver.InvalidValue}, {2 * unit, unit, 0, driver.Success},
	} {
		require.Equal(t, c.want, r.raw(t, "cuMemMap", uintptr(*at)+c.at, c.size, c.offset, uintptr(*handle), 0), "%+v", c)
	}
	q := *at + unit
	require.ErrorIs(t, r.s.Memset32(q, 1, 1), driver.InvalidValue, "no access yet")
	desc := &[3]int32{1, 0, 3}
	require.Equal(t, driver.Success, r.raw(t, "cuMemSetAccess", uintptr(q), 2*unit, uintptr(unsafe.Pointer(desc)), 1))
	require.NoError(t, r.s.Memset32(q, 1, 1))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, uint32(1), read[uint32](t, r.ctx, q+unit, 1)[0])
	require.Equal(t, driver.Success, r.raw(t, "cuMemRelease", uintptr(*handle)))
	require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemRelease", uintptr(*handle)))
	require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemAddressFree", uintptr(*at), 4*unit), "something is mapped")
	require.Equal(t, driver.InvalidValue, r.raw(t, "cuMemUnmap", uintptr(q), unit/2))
	require.Equal(t, driver.Success, r.raw(t, "cuMemUnmap", uintptr(q), 2*unit))
	require.ErrorIs(t, r.s.Memset32(q, 1, 1), driver.InvalidValue)
	require.Equal(t, driver.Success, r.raw(t, "cuMemAddressFree", uintptr(*at), 4*unit))
	for _, x := range []interface{ Close() error }{a, b, m} {
		require.NoError(t, x.Close())
	}
}

func TestPeers(t *testing.T) {
	r := newRig(t, sim.Config{Devices: make([]sim.Device, 2)})
	other := r.primary(t, 1)
	p, err := other.Alloc(64)
	require.NoError(t, err)
	q, v := r.alloc(t, 64), uint32(11)
	require.NoError(t, r.ctx.EnablePeer(other))
	require.NoError(t, r.ctx.EnablePeer(other))
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&v)).Enqueue(r.s))
	require.NoError(t, r.s.CopyPeer(q, r.ctx, p, other, 4))
	require.NoError(t, r.s.Synchronize())
	require.Equal(t, v, read[uint32](t, r.ctx, q, 1)[0])
	ordinal, err := r.ctx.PointerAttribute(driver.PointerDeviceOrdinal, p)
	require.NoError(t, err)
	require.Equal(t, uint64(1), ordinal)
	require.NoError(t, r.ctx.DisablePeer(other))
	require.NoError(t, r.launch(t, "store", driver.LaunchConfig{}, ptr(&p), ptr(&v)).Enqueue(r.s))
	require.ErrorIs(t, r.s.Synchronize(), driver.IllegalAddress)
}
