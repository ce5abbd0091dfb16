package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func eventEntries() map[string]entry {
	return map[string]entry{
		"cuEventCreate":         {bound, eventCreate},
		"cuEventDestroy_v2":     unlessNull(nothing, 0, driver.InvalidHandle, process, eventDestroy),
		"cuEventRecord":         {process, eventRecord},
		"cuEventSynchronize":    unlessNull(nothing, 0, driver.InvalidHandle, process, eventSynchronize),
		"cuEventQuery":          unlessNull(nothing, 0, driver.InvalidHandle, process, eventQuery),
		"cuEventElapsedTime":    unlessNull(nothing, 1, driver.InvalidHandle, process, eventElapsedTime),
		"cuEventElapsedTime_v2": unlessNull(nothing, 1, driver.InvalidHandle, process, eventElapsedTime),
	}
}

func eventCreate(d *Driver, ctx *context, a []uintptr) driver.Result {
	flags := uint32(a[1])
	if a[0] == 0 || flags&^(eventBlocking|eventUntimed|eventIPC) != 0 || flags&eventIPC != 0 && flags&eventUntimed == 0 {
		return driver.InvalidValue
	}
	callee.Put(a[0], put(d, d.events, &event{ctx: ctx, flags: flags}))
	return driver.Success
}

func eventDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[0]]
	if e == nil {
		return driver.InvalidHandle
	}
	delete(d.events, a[0])
	e.unshare()
	return driver.Success
}

func eventRecord(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[1])
	if r != driver.Success {
		return r
	}
	e := d.events[a[0]]
	if e == nil {
		return driver.InvalidHandle
	}
	return d.record(e, s)
}

func eventSynchronize(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[0]]
	if e == nil {
		return driver.InvalidHandle
	}
	return d.waitForEvent(e)
}

func eventQuery(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[0]]
	if e == nil {
		return driver.InvalidHandle
	}
	return d.queryEvent(e)
}

func eventElapsedTime(d *Driver, _ *context, a []uintptr) driver.Result {
	start, end := d.events[a[1]], d.events[a[2]]
	if a[0] == 0 || start == nil || end == nil {
		return driver.InvalidHandle
	}
	if start.ctx.device != end.ctx.device { // they have no time in common
		return driver.InvalidHandle
	}
	ms, r := d.elapsed(start, end)
	if r == driver.Success {
		callee.Put(a[0], ms)
	}
	return r
}
