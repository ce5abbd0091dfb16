package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func memoryEntries() map[string]entry {
	return map[string]entry{
		"cuMemAlloc_v2":           {bound, memAlloc},
		"cuMemFree_v2":            {facts, memFree},
		"cuMemGetInfo_v2":         {bound, memGetInfo},
		"cuMemGetAddressRange_v2": {bound, memGetAddressRange},
		"cuPointerGetAttribute":   {facts, notNull(pointerGetAttribute, 0)},
	}
}

func memAlloc(d *Driver, ctx *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.InvalidValue
	}
	if r := d.unsafe(); r != driver.Success {
		return r
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
	if r := d.unsafe(); r != driver.Success || at == 0 {
		return r
	}
	if _, r := d.able(bound); r != driver.Success {
		return r
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
	if found == nil || dev == nil && d.hosts.blocks[uintptr(found.Base)] == nil {
		return driver.NotFound
	}
	callee.Put(a[0], found.Base)
	callee.Put(a[1], uint64(len(found.Data)))
	return driver.Success
}

// Attributes of pointers that package driver does not ask for (CUpointer_attribute).
const (
	pointerContext = 1
	pointerDevice  = 3
	pointerHost    = 4
	pointerAccess  = 16
	pointerPool    = 17
)

// contextOf is the handle of the context that memory was made in; null for that of a pool.
func (d *Driver) contextOf(dev *device, base uint64) uintptr {
	var c *context
	if b := d.hosts.blocks[uintptr(base)]; dev == nil && b != nil {
		c = b.ctx
	} else if b := d.blocks[base]; b != nil {
		c = b.ctx
	}
	if c == nil {
		return 0
	}
	return c.handle
}

// mappedAttribute answers for memory that is mapped and that no device has access to.
func (d *Driver) mappedAttribute(a []uintptr) driver.Result {
	if r := d.rangeOf(uint64(a[2]), 1); r != nil && driver.PointerAttribute(int32(a[1])) == driver.PointerMemoryType {
		for base, m := range r.maps {
			if uint64(a[2])-base < m.size {
				callee.Put(a[0], uint32(2)) // CU_MEMORYTYPE_DEVICE
				return driver.Success
			}
		}
	}
	return driver.InvalidValue
}

func pointerGetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	dev, found := d.find(uint64(a[2]))
	if found == nil {
		return d.mappedAttribute(a)
	}
	switch driver.PointerAttribute(int32(a[1])) {
	case pointerContext:
		callee.Put(a[0], d.contextOf(dev, found.Base))
	case pointerHost:
		if dev != nil {
			return driver.InvalidValue
		}
		callee.Put(a[0], a[2])
	case pointerDevice:
		callee.Put(a[0], a[2])
	case pointerAccess:
		callee.Put(a[0], uint32(3)) // CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
	case pointerPool:
		h := uintptr(0)
		if b := d.blocks[found.Base]; b != nil && b.pool != nil {
			h = b.pool.handle
		}
		callee.Put(a[0], h)
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
