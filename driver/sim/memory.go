package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A block is device memory that the program has allocated.
type block struct {
	ctx    *context // nil: of a pool
	dev    *device
	size   int64
	pool   *pool   // nil: it is none of a pool
	going  bool    // it is freed in stream order
	shared *shared // other processes can have it; else nil
}

// alloc makes device memory.
func (d *Driver) alloc(dev *device, size uint64, ctx *context, p *pool) (uint64, driver.Result) {
	if size == 0 {
		return 0, driver.InvalidValue
	}
	if size > uint64(dev.memory.Limit()) {
		return 0, driver.OutOfMemory
	}
	a, err := dev.memory.Alloc(int64(size))
	if err != nil {
		return 0, driver.OutOfMemory
	}
	d.blocks[a.Base] = &block{ctx: ctx, dev: dev, size: int64(size), pool: p}
	return a.Base, driver.Success
}

// free frees device memory at once.
func (d *Driver) free(at uint64) {
	b := d.blocks[at]
	delete(d.blocks, at)
	_ = b.dev.memory.Free(at) // it is there
	b.shared.close()
	if b.pool != nil {
		b.pool.freed(b.size)
	}
}

// freeAll frees the memory of a context, and lets go what it has of other processes; the memory of pools stays.
func (d *Driver) freeAll(c *context) {
	for at, b := range d.blocks {
		if b.ctx == c {
			d.free(at)
		}
	}
	for at, other := range d.foreign {
		if other == c {
			d.dropForeign(at)
		}
	}
}

// memory is n bytes that a device or the host has for devices, of whatever device they are.
func (d *Driver) memory(at, n uint64) ([]byte, error) {
	if n > mostMemory {
		n = mostMemory + 1
	}
	for _, dev := range d.devices {
		if dev.memory.Owns(at) {
			return dev.memory.Bytes(at, int64(n))
		}
	}
	if d.virtual.Owns(at) {
		return d.virtual.Bytes(at, int64(n))
	}
	return d.hosts.memory.Bytes(at, int64(n))
}

// find is the device and the allocation, if any, that an address lies in; the device is nil for memory of the host.
func (d *Driver) find(at uint64) (*device, *engine.Allocation) {
	for _, dev := range d.devices {
		if dev.memory.Owns(at) {
			return dev, dev.memory.Find(at)
		}
	}
	if r := d.rangeOf(at, 1); r != nil {
		for base, m := range r.maps {
			if at-base < m.size && len(m.seen) > 0 {
				return m.of.dev, d.virtual.Find(at)
			}
		}
		return nil, nil
	}
	return nil, d.hosts.memory.Find(at)
}
