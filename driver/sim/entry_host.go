package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func hostEntries() map[string]entry {
	return map[string]entry{
		"cuMemHostAlloc":               {bound, memHostAlloc},
		"cuMemFreeHost":                {facts, memFreeHost},
		"cuMemHostRegister_v2":         {bound, memHostRegister},
		"cuMemHostUnregister":          {process, memHostUnregister},
		"cuMemHostGetDevicePointer_v2": {bound, notNull(memHostGetDevicePointer, 0)},
	}
}

// The flags that cuMemHostAlloc and cuMemHostRegister know; none makes a difference here.
const (
	allocFlags    = 7
	registerFlags = 0xf
)

func memHostAlloc(d *Driver, ctx *context, a []uintptr) driver.Result {
	if a[0] == 0 || uint32(a[2])&^allocFlags != 0 {
		return driver.InvalidValue
	}
	if r := d.unsafe(); r != driver.Success {
		return r
	}
	at, r := d.hosts.alloc(ctx, uint64(a[1]))
	if r == driver.Success {
		callee.Put(a[0], at)
	}
	return r
}

// memFreeHost waits for all devices: each may use the memory.
func memFreeHost(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.Success
	}
	if _, r := d.able(bound); r != driver.Success {
		return r
	}
	b := d.hosts.blocks[a[0]]
	if b == nil || !b.own {
		return driver.InvalidValue
	}
	d.queue.drain(func(*stream) bool { return true })
	if d.hosts.blocks[a[0]] == b {
		d.hosts.drop(a[0])
	}
	return d.broken()
}

// lowest is where the memory of programs begins: systems keep the addresses below free.
const lowest = 64 << 10

func memHostRegister(d *Driver, ctx *context, a []uintptr) driver.Result {
	if uint32(a[2])&^registerFlags != 0 {
		return driver.InvalidValue
	}
	if r := d.unsafe(); r != driver.Success {
		return r
	}
	if dev, _ := d.find(uint64(a[0])); dev != nil || a[0] < lowest {
		return driver.InvalidValue
	}
	return d.hosts.register(ctx, a[0], uint64(a[1]))
}

func memHostUnregister(d *Driver, _ *context, a []uintptr) driver.Result {
	b := d.hosts.blocks[a[0]]
	switch {
	case b == nil && a[0] != 0 && !d.hosts.pinned(a[0], 1):
		return driver.HostMemoryNotRegistered
	case b == nil || b.own:
		return driver.InvalidValue
	}
	d.queue.drain(func(*stream) bool { return true })
	if d.hosts.blocks[a[0]] == b {
		d.hosts.drop(a[0])
	}
	return d.broken()
}

func memHostGetDevicePointer(d *Driver, _ *context, a []uintptr) driver.Result {
	if uint32(a[2]) != 0 || !d.hosts.pinned(a[1], 1) {
		return driver.InvalidValue
	}
	callee.Put(a[0], uint64(a[1]))
	return driver.Success
}
