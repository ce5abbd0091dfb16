package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func poolEntries() map[string]entry {
	return map[string]entry{
		"cuDeviceGetDefaultMemPool": {facts, func(d *Driver, _ *context, a []uintptr) driver.Result {
			return putPool(d, a, func(dev *device) *pool { return dev.standard })
		}},
		"cuDeviceGetMemPool": {facts, func(d *Driver, _ *context, a []uintptr) driver.Result {
			if d.device(a[1]) == nil {
				return driver.InvalidValue
			}
			return putPool(d, a, func(dev *device) *pool { return dev.pool })
		}},
		"cuDeviceSetMemPool":      {process, deviceSetMemPool},
		"cuMemAllocAsync":         {process, memAllocAsync},
		"cuMemFreeAsync":          {process, memFreeAsync},
		"cuMemAllocFromPoolAsync": {process, memAllocFromPoolAsync},
		"cuMemPoolCreate":         {facts, memPoolCreate},
		"cuMemPoolDestroy":        {facts, memPoolDestroy},
		"cuMemPoolTrimTo":         {facts, memPoolTrimTo},
		"cuMemPoolSetAttribute":   {process, memPoolSetAttribute},
		"cuMemPoolGetAttribute":   {facts, memPoolGetAttribute},
	}
}

func putPool(d *Driver, a []uintptr, which func(*device) *pool) driver.Result {
	dev := d.device(a[1])
	switch {
	case dev == nil:
		return driver.InvalidDevice
	case a[0] == 0:
		return driver.InvalidValue
	}
	callee.Put(a[0], which(dev).handle)
	return driver.Success
}

func deviceSetMemPool(d *Driver, _ *context, a []uintptr) driver.Result {
	dev, p := d.device(a[0]), d.pools[a[1]]
	switch {
	case p == nil || p.dev != dev:
		return driver.InvalidValue
	}
	dev.pool = p
	return driver.Success
}

func memAllocAsync(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[2])
	if r != driver.Success {
		return r
	}
	return allocInStream(d, s, s.ctx.device.pool, a[0], uint64(a[1]))
}

func memAllocFromPoolAsync(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[3])
	p := d.pools[a[2]]
	switch {
	case r != driver.Success:
		return r
	case p == nil:
		return driver.InvalidValue
	}
	return allocInStream(d, s, p, a[0], uint64(a[1]))
}

// allocInStream gives the memory at once: what may use it comes later in the stream, and nothing else can tell.
func allocInStream(d *Driver, s *stream, p *pool, to uintptr, n uint64) driver.Result {
	switch {
	case to == 0:
		return driver.InvalidValue
	case n == 0:
		callee.Put(to, uint64(0))
		return driver.Success
	case s.capture != nil:
		s.capture.spoil()
		return driver.StreamCaptureUnsupported
	}
	at, r := d.allocIn(p, n)
	if r == driver.Success {
		callee.Put(to, at)
	}
	return r
}

func memFreeAsync(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[1])
	if r != driver.Success {
		return r
	}
	return d.freeIn(s, uint64(a[0]))
}

// memPoolProps is the beginning of a CUmemPoolProps.
type memPoolProps struct {
	allocType, handleTypes int32
	location               [2]int32 // CU_MEM_LOCATION_TYPE_DEVICE, and which
	_                      uintptr  // security attributes of Windows
	maxSize                uint64
}

// handleKinds are the kinds of handles that there are (CUmemAllocationHandleType).
const handleKinds = 0xf

func memPoolCreate(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 || a[1] == 0 {
		return driver.InvalidValue
	}
	p := callee.At[memPoolProps](a[1])
	dev := d.device(uintptr(p.location[1]))
	switch {
	case p.allocType != 1 || p.location[0] != 1 || dev == nil: // CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE
		return driver.InvalidValue
	case p.handleTypes&^handleKinds != 0:
		return driver.InvalidValue
	case p.handleTypes != 0:
		return driver.NotSupported
	}
	most := uint64(0)
	if d.config.Version.AtLeast(12, 2) { // reserved before
		most = p.maxSize
	}
	callee.Put(a[0], d.newPool(dev, most).handle)
	return driver.Success
}

func memPoolDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.pools[a[0]]
	if p == nil || p == p.dev.standard {
		return driver.InvalidValue
	}
	if p.dev.pool == p {
		p.dev.pool = p.dev.standard
	}
	delete(d.pools, a[0])
	return driver.Success
}

func memPoolTrimTo(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.pools[a[0]]
	if p == nil {
		return driver.InvalidValue
	}
	p.trim(uint64(a[1]))
	return driver.Success
}

func memPoolSetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.pools[a[0]]
	if p == nil || a[2] == 0 {
		return driver.InvalidValue
	}
	attribute, v := driver.PoolAttribute(int32(a[1])), uint64(0)
	if attribute > driver.PoolReuseDependencies {
		v = *callee.At[uint64](a[2])
	}
	if !p.setAttribute(attribute, *callee.At[int32](a[2]), v) {
		return driver.InvalidValue
	}
	return driver.Success
}

func memPoolGetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.pools[a[0]]
	if p == nil || a[2] == 0 {
		return driver.InvalidValue
	}
	v, small, ok := p.attribute(driver.PoolAttribute(int32(a[1])))
	switch {
	case !ok:
		return driver.InvalidValue
	case small:
		callee.Put(a[2], int32(v))
	default:
		callee.Put(a[2], v)
	}
	return driver.Success
}
