package sim

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// granularity is the unit of physical memory and of where it can be mapped.
const granularity = 2 << 20

// physical is memory without an address.
type physical struct {
	dev      *device
	handle   uintptr
	data     []byte
	shared   *shared // what data is of, if other processes can have it; else nil
	own      bool    // data counts as used on dev: it is no other process's
	users    int     // handles and mappings
	released bool    // the program has given the handle back
}

// addresses is a reserved range.
type addresses struct {
	base uint64
	size uint64
	maps map[uint64]*mapping
}

// A mapping is physical memory in a range. Kernels and copies reach it once access was given.
type mapping struct {
	of   *physical
	size uint64
	seen []*device // that have access
}

// newPhysical takes memory of a device.
func (d *Driver) newPhysical(dev *device, size uint64, share bool) (uintptr, driver.Result) {
	if size == 0 || size%granularity != 0 {
		return 0, driver.InvalidValue
	}
	if size > uint64(dev.memory.Limit()) || dev.memory.Take(int64(size)) != nil {
		return 0, driver.OutOfMemory
	}
	p := &physical{dev: dev, users: 1, own: true}
	if share {
		s, err := newShared(int(size))
		if err != nil {
			dev.memory.Give(int64(size))
			return 0, driver.OutOfMemory
		}
		p.shared, p.data = s, s.bytes
	} else {
		p.data = make([]byte, size)
	}
	p.handle = put(d, d.physical, p)
	return p.handle, driver.Success
}

// leave is called when a handle or mapping goes.
func (d *Driver) leave(p *physical) {
	if p.users--; p.users == 0 {
		if p.own {
			p.dev.memory.Give(int64(len(p.data)))
		}
		p.shared.close()
		p.data = nil
		delete(d.physical, p.handle)
	}
}

// reserve takes a range of addresses, which are those of no device.
func (d *Driver) reserve(size, align, hint uint64) (uint64, driver.Result) {
	if size == 0 || size%granularity != 0 || align&(align-1) != 0 || hint%granularity != 0 {
		return 0, driver.InvalidValue
	}
	base, err := d.virtual.Reserve(size, max(align, granularity))
	if err != nil {
		return 0, driver.OutOfMemory
	}
	d.ranges[base] = &addresses{base: base, size: size, maps: map[uint64]*mapping{}}
	return base, driver.Success
}

// unreserve gives a range back.
func (d *Driver) unreserve(base, size uint64) driver.Result {
	r := d.ranges[base]
	if r == nil || r.size != size || len(r.maps) > 0 {
		return driver.InvalidValue
	}
	d.virtual.Release(base)
	delete(d.ranges, base)
	return driver.Success
}

// rangeOf is the range that size bytes at an address lie in.
func (d *Driver) rangeOf(at, size uint64) *addresses {
	for _, r := range d.ranges {
		if at >= r.base && at-r.base < r.size && size <= r.size-(at-r.base) {
			return r
		}
	}
	return nil
}

// place maps physical memory.
func (d *Driver) place(at, size, offset uint64, p *physical) driver.Result {
	r := d.rangeOf(at, size)
	switch {
	case r == nil || size == 0:
		return driver.InvalidValue
	case size != uint64(len(p.data)) || offset != 0: // a part
		return driver.NotSupported
	case at%granularity != 0:
		return driver.InvalidValue
	}
	for other, m := range r.maps {
		if at < other+m.size && other < at+size {
			return driver.InvalidValue
		}
	}
	r.maps[at] = &mapping{of: p, size: size}
	p.users++
	return driver.Success
}

// eachMapping calls f with the mappings in size bytes at an address; false if they are not whole, or if there is nothing between them and that is
// not allowed.
func (r *addresses) eachMapping(at, size uint64, holes bool, f func(at uint64, m *mapping)) bool {
	var all []uint64
	covered, end := uint64(0), at+size
	for base, m := range r.maps {
		if base >= end || base+m.size <= at {
			continue
		}
		if base < at || base+m.size > end {
			return false
		}
		all = append(all, base)
		covered += m.size
	}
	if covered < size && !holes {
		return false
	}
	for _, at := range all {
		f(at, r.maps[at])
	}
	return true
}

// access lets a device use mappings, or not.
func (d *Driver) access(at, size uint64, dev *device, yes bool) driver.Result {
	r := d.rangeOf(at, size)
	if r == nil || !r.eachMapping(at, size, false, func(at uint64, m *mapping) { d.show(at, m, dev, yes) }) {
		return driver.InvalidValue
	}
	return driver.Success
}

// show puts a mapping into a device's memory, or takes it out. As long as one device has it copies can reach it.
func (d *Driver) show(at uint64, m *mapping, dev *device, yes bool) {
	i := slices.Index(m.seen, dev)
	if yes == (i >= 0) {
		return
	}
	if yes {
		if m.seen = append(m.seen, dev); len(m.seen) == 1 {
			d.virtual.Place(at, m.of.data[:m.size])
		}
		dev.memory.Place(at, m.of.data[:m.size])
		return
	}
	if m.seen = slices.Delete(m.seen, i, i+1); len(m.seen) == 0 {
		d.virtual.Displace(at)
	}
	dev.memory.Displace(at)
}

// unmap takes mappings away, when what was enqueued has ended.
func (d *Driver) unmap(at, size uint64) driver.Result {
	d.queue.drain(func(*stream) bool { return true })
	r := d.rangeOf(at, size)
	if r == nil || size == 0 || !r.eachMapping(at, size, true, func(at uint64, m *mapping) {
		for _, dev := range slices.Clone(m.seen) {
			d.show(at, m, dev, false)
		}
		d.leave(m.of)
		delete(r.maps, at)
	}) {
		return driver.InvalidValue
	}
	return driver.Success
}
