package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func streamEntries() map[string]entry {
	return map[string]entry{
		"cuStreamCreate": unlessNull(facts, 0, driver.InvalidValue, bound, func(d *Driver, ctx *context, a []uintptr) driver.Result {
			return streamCreate(d, ctx, a[0], a[1], 0)
		}),
		"cuStreamCreateWithPriority": {bound, func(d *Driver, ctx *context, a []uintptr) driver.Result {
			return streamCreate(d, ctx, a[0], a[1], int32(a[2]))
		}},
		"cuStreamGetPriority": {process, notNull(streamGetPriority, 1)},
		"cuStreamDestroy_v2":  unlessNull(nothing, 0, driver.InvalidHandle, process, streamDestroy),
		"cuStreamSynchronize": {process, streamSynchronize},
		"cuStreamQuery":       {process, streamQuery},
		"cuStreamWaitEvent":   {process, streamWaitEvent},
		"cuLaunchHostFunc":    {process, launchHostFunc},
	}
}

func streamCreate(d *Driver, ctx *context, to, flags uintptr, priority int32) driver.Result {
	if to == 0 || uint32(flags)&^nonBlocking != 0 {
		return driver.InvalidValue
	}
	priority = min(leastPriority, max(greatestPriority, priority))
	callee.Put(to, put(d, d.streams, d.newStream(ctx, uint32(flags), priority)))
	return driver.Success
}

func streamGetPriority(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	if r == driver.Success {
		callee.Put(a[1], s.priority)
	}
	return r
}

// streamDestroy returns at once; what is in the stream still runs.
func streamDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	s := d.streams[a[0]]
	switch {
	case s == nil:
		return driver.InvalidHandle
	case s.capture != nil && s.capture.origin == s: // the capture ends with it
		s.capture.spoil()
		_, _ = d.endCapture(s)
	}
	s.gone = true
	delete(d.streams, a[0])
	return driver.Success
}

func streamSynchronize(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	if r != driver.Success {
		return r
	}
	return d.waitFor(s)
}

func streamQuery(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	if r != driver.Success {
		return r
	}
	return d.query(s)
}

// external makes the wait a node of the graph that is being captured (CU_EVENT_WAIT_EXTERNAL).
const external = 1

func streamWaitEvent(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	e := d.events[a[1]]
	switch {
	case r != driver.Success:
		return r
	case e == nil:
		return driver.InvalidHandle
	case uint32(a[2])&^external != 0:
		return driver.InvalidValue
	case uint32(a[2]) == external && s.capture == nil:
		return driver.IllegalState
	}
	return d.waitEvent(s, e)
}

func launchHostFunc(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[0])
	switch {
	case r != driver.Success:
		return r
	case a[1] == 0:
		return driver.InvalidValue
	}
	return d.enqueue(s, &hostWork{a[1], a[2]})
}
