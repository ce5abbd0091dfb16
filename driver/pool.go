package driver

import "fmt"

// A PoolAttribute is a setting or a fact of a memory pool, in bytes but for the
// first three, which are 0 or 1.
type PoolAttribute int32

// The attributes that the driver documents.
const (
	PoolReuseFollowEvents  PoolAttribute = 1 // CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
	PoolReuseOpportunistic PoolAttribute = 2 // CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
	PoolReuseDependencies  PoolAttribute = 3 // CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES
	PoolReleaseThreshold   PoolAttribute = 4 // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: kept when the device synchronises
	PoolReserved           PoolAttribute = 5 // CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: read only
	PoolReservedHigh       PoolAttribute = 6 // CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: can be set to 0
	PoolUsed               PoolAttribute = 7 // CU_MEMPOOL_ATTR_USED_MEM_CURRENT: read only
	PoolUsedHigh           PoolAttribute = 8 // CU_MEMPOOL_ATTR_USED_MEM_HIGH: can be set to 0
)

// A MemoryPool is where a stream's AllocAsync takes memory from: a device's own
// pool, or one of the program's. Since CUDA 11.2.
//
// Safe for concurrent use.
type MemoryPool struct {
	device *Device
	handle poolHandle
	own    bool
	life   lifetime
}

// A PoolConfig says what pool to make. The zero value has no limit and its
// memory can't be shared.
//
// Safe for concurrent use after it is made; its fields must not change.
type PoolConfig struct {
	MaxSize uint64    // bytes; 0: as the driver sees fit. Since CUDA 12.2
	Share   ShareKind // how the pool can be given to another process
}

// poolProps is a CUmemPoolProps.
type poolProps struct {
	allocType, handleTypes int32
	location               memLocation
	security               uintptr
	maxSize                uint64
	_                      [56]byte
}

// memLocation is a CUmemLocation.
type memLocation struct{ kind, id int32 }

const (
	locationDevice   = 1 // CU_MEM_LOCATION_TYPE_DEVICE
	allocationPinned = 1 // CU_MEM_ALLOCATION_TYPE_PINNED
)

// DefaultPool is the pool that AllocAsync on the device takes from, unless
// another was set. Its Close does nothing. Since CUDA 11.2.
func (d *Device) DefaultPool() (*MemoryPool, error) {
	p := &MemoryPool{device: d}
	err := d.driver.api.deviceGetDefaultMemPool(&p.handle, d.handle)
	if err != nil {
		return nil, explain(err, "default memory pool of "+d.String(), "")
	}
	return p, nil
}

// NewPool makes a memory pool on the device. Since CUDA 11.2.
func (d *Device) NewPool(config PoolConfig) (*MemoryPool, error) {
	p := &MemoryPool{device: d, own: true}
	props := &poolProps{allocType: allocationPinned, handleTypes: int32(config.Share),
		location: memLocation{locationDevice, int32(d.handle)}, maxSize: config.MaxSize}
	if err := d.driver.api.memPoolCreate(&p.handle, props); err != nil {
		return nil, explain(err, "make a memory pool on "+d.String(), "")
	}
	d.driver.counts.others.Add(1)
	return p, nil
}

// use calls f while the pool is open.
func (p *MemoryPool) use(op string, f func() error) error {
	if !p.life.enter() {
		return fmt.Errorf("driver: memory pool: %w", ErrClosed)
	}
	defer p.life.leave()
	return explain(f(), op, "")
}

// Attribute reads a setting or a fact of the pool.
func (p *MemoryPool) Attribute(a PoolAttribute) (uint64, error) {
	v := new(uint64) // the flags are ints and fill the lower half
	err := p.use("read a memory pool's attribute", func() error {
		return p.device.driver.api.memPoolGetAttribute(p.handle, a, pointer(v))
	})
	return *v, err
}

// SetAttribute changes a setting of the pool.
func (p *MemoryPool) SetAttribute(a PoolAttribute, value uint64) error {
	v := new(uint64)
	*v = value
	return p.use("set a memory pool's attribute", func() error {
		return p.device.driver.api.memPoolSetAttribute(p.handle, a, pointer(v))
	})
}

// Trim gives memory that is not in use back to the device, but for the bytes to keep.
func (p *MemoryPool) Trim(keep uint64) error {
	return p.use("trim a memory pool", func() error { return p.device.driver.api.memPoolTrimTo(p.handle, keep) })
}

// MakeCurrent makes AllocAsync on the pool's device take from it.
func (p *MemoryPool) MakeCurrent() error {
	return p.use("make a memory pool current", func() error {
		return p.device.driver.api.deviceSetMemPool(p.device.handle, p.handle)
	})
}

// AllocFromPool is AllocAsync from a certain pool. Since CUDA 11.2.
func (s *Stream) AllocFromPool(p *MemoryPool, bytes uint64) (Pointer, error) {
	if bytes == 0 {
		return 0, nil
	}
	v := new(Pointer)
	err := p.use("allocate from a pool", func() error {
		return s.use(fmt.Sprintf("allocate %d bytes from a pool", bytes), func() error {
			return s.ctx.api.memAllocFromPoolAsync(v, bytes, p.handle, s.handle)
		})
	})
	if err != nil {
		return 0, err
	}
	return *v, s.ctx.hold(*v, bytes)
}

// Close destroys the pool; its memory goes when it has all been freed. The
// default pool stays. It is safe on nil and more than once.
func (p *MemoryPool) Close() error {
	if p == nil || !p.own {
		return nil
	}
	return p.life.close(func() error {
		err := p.device.driver.api.memPoolDestroy(p.handle)
		p.device.driver.counts.others.Add(-1)
		return p.device.driver.afterFault(err, "destroy memory pool")
	})
}
