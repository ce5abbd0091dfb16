package drivertest

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

type context struct {
	device  *device
	ordinal int32
	primary bool
	gone    bool
	peers   map[uintptr]bool
}

func init() {
	play("cuDevicePrimaryCtxRetain", process, func(d *Driver, a []uintptr) driver.Result {
		d.mu.Lock()
		defer d.mu.Unlock()
		dev := d.device(a[1])
		if dev == nil {
			return driver.InvalidDevice
		}
		if dev.retained == 0 {
			dev.primary = d.handle()
			d.contexts[dev.primary] = &context{device: dev, ordinal: int32(a[1]), primary: true}
		}
		dev.retained++
		callee.Put(a[0], dev.primary)
		return driver.Success
	})
	release := func(d *Driver, a []uintptr) driver.Result {
		d.mu.Lock()
		defer d.mu.Unlock()
		dev := d.device(a[0])
		if dev == nil {
			return driver.InvalidDevice
		}
		if dev.retained == 0 {
			return driver.InvalidContext
		}
		if dev.retained--; dev.retained == 0 {
			d.destroy(dev.primary)
		}
		return driver.Success
	}
	play("cuDevicePrimaryCtxRelease", process, release)
	play("cuDevicePrimaryCtxRelease_v2", process, release)
	play("cuDevicePrimaryCtxGetState", nothing, func(d *Driver, a []uintptr) driver.Result {
		dev := d.device(a[0])
		if dev == nil {
			return driver.InvalidDevice
		}
		callee.Put(a[1], uint32(0))
		callee.Put(a[2], int32(yes(dev.retained > 0)))
		return driver.Success
	})
	create := func(device int) func(d *Driver, a []uintptr) driver.Result {
		return func(d *Driver, a []uintptr) driver.Result {
			d.mu.Lock()
			defer d.mu.Unlock()
			dev := d.device(a[device])
			if dev == nil {
				return driver.InvalidDevice
			}
			h := d.handle()
			d.contexts[h] = &context{device: dev, ordinal: int32(a[device])}
			d.current[callee.Thread()] = h
			callee.Put(a[0], h)
			return driver.Success
		}
	}
	play("cuCtxCreate_v2", process, create(2))
	play("cuCtxCreate_v4", process, create(3))
	play("cuCtxDestroy_v2", process, func(d *Driver, a []uintptr) driver.Result {
		d.mu.Lock()
		defer d.mu.Unlock()
		if c := d.contexts[a[0]]; c == nil || c.primary {
			return driver.InvalidContext
		}
		d.destroy(a[0])
		return driver.Success
	})
	play("cuCtxSetCurrent", nothing, func(d *Driver, a []uintptr) driver.Result {
		if a[0] != 0 && d.contexts[a[0]] == nil {
			return driver.InvalidContext
		}
		d.current[callee.Thread()] = a[0]
		return driver.Success
	})
	play("cuCtxGetCurrent", nothing, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], d.current[callee.Thread()])
		return driver.Success
	})
	play("cuCtxGetStreamPriorityRange", bound, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(0))
		callee.Put(a[1], int32(-5))
		return driver.Success
	})
	play("cuCtxSynchronize", unlocked, func(d *Driver, a []uintptr) driver.Result {
		d.gate.wait()
		return d.brokenNow()
	})
}

// destroy ends a context with all that is in it. The lock is held.
func (d *Driver) destroy(h uintptr) {
	c := d.contexts[h]
	delete(d.contexts, h)
	c.gone = true
	for k, s := range d.streams {
		if s.ctx == h {
			delete(d.streams, k)
		}
	}
	for k, e := range d.events {
		if e.ctx == h {
			delete(d.events, k)
		}
	}
	for k, m := range d.modules {
		if m.ctx == h {
			d.unload(k)
		}
	}
	d.memory.freeAll(h)
}

// boundContext is the context that is current on this thread. The lock is held.
func (d *Driver) boundContext() (uintptr, *context) {
	h := d.current[callee.Thread()]
	return h, d.contexts[h]
}

// Current is the handle of the context that is current on the calling thread.
func (d *Driver) Current() uintptr {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current[callee.Thread()]
}
