package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func memoryEntries() map[string]entry {
	return map[string]entry{
		"cuMemAlloc_v2":           {bound, memAlloc},
		"cuMemFree_v2":            {bound, memFree},
		"cuMemGetInfo_v2":         {bound, memGetInfo},
		"cuMemGetAddressRange_v2": {bound, memGetAddressRange},
		"cuPointerGetAttribute":   {bound, pointerGetAttribute},
	}
}

func memAlloc(d *Driver, ctx *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.InvalidValue
	}
	at, r := d.alloc(ctx.device, uint64(a[1]), ctx, nil)
	if r == driver.Success {
		callee.Put(a[0], at)
	}
	return r
}

// memFree waits for the device, as the driver does: what runs may use the memory.
func memFree(d *Driver, _ *context, a []uintptr) driver.Result {
	at := uint64(a[0])
	if at == 0 {
		return driver.Success
	}
	b := d.blocks[at]
	if b == nil || b.going {
		return driver.InvalidValue
	}
	d.queue.drain(func(s *stream) bool { return s.ctx.device == b.dev })
	if d.blocks[at] == b {
		d.free(at)
	}
	return d.broken()
}

func memGetInfo(_ *Driver, ctx *context, a []uintptr) driver.Result {
	m := ctx.device.memory
	callee.Put(a[0], uint64(m.Limit()-m.Used()))
	callee.Put(a[1], uint64(m.Limit()))
	return driver.Success
}

func memGetAddressRange(d *Driver, _ *context, a []uintptr) driver.Result {
	dev, found := d.find(uint64(a[2]))
	if dev == nil || found == nil {
		return driver.NotFound
	}
	callee.Put(a[0], found.Base)
	callee.Put(a[1], uint64(len(found.Data)))
	return driver.Success
}

func pointerGetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	dev, found := d.find(uint64(a[2]))
	if a[0] == 0 || found == nil {
		return driver.InvalidValue
	}
	switch driver.PointerAttribute(int32(a[1])) {
	case driver.PointerMemoryType:
		kind := uint32(1) // CU_MEMORYTYPE_HOST
		if dev != nil {
			kind = 2 // CU_MEMORYTYPE_DEVICE
		}
		callee.Put(a[0], kind)
	case driver.PointerBufferID:
		callee.Put(a[0], found.Base)
	case driver.PointerIsManaged:
		callee.Put(a[0], uint32(0))
	case driver.PointerDeviceOrdinal:
		ordinal := int32(0)
		if dev != nil {
			ordinal = int32(dev.ordinal)
		}
		callee.Put(a[0], ordinal)
	case driver.PointerIPCCapable:
		b := d.blocks[found.Base]
		callee.Put(a[0], yes(canShare && b != nil && b.pool == nil))
	case driver.PointerRangeStart:
		callee.Put(a[0], found.Base)
	case driver.PointerRangeSize:
		callee.Put(a[0], uint64(len(found.Data)))
	case driver.PointerMapped:
		callee.Put(a[0], int32(1))
	case driver.PointerAllowedHandles:
		callee.Put(a[0], uint64(0))
	default:
		return driver.InvalidValue
	}
	return driver.Success
}
