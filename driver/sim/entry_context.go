package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func contextEntries() map[string]entry {
	return map[string]entry{
		"cuDevicePrimaryCtxRetain":     {facts, notNull(primaryRetain, 0)},
		"cuDevicePrimaryCtxRelease":    {facts, primaryRelease},
		"cuDevicePrimaryCtxRelease_v2": {facts, primaryRelease},
		"cuDevicePrimaryCtxGetState":   {facts, notNull(primaryGetState, 1, 2)},
		"cuCtxCreate_v2":               {process, func(d *Driver, _ *context, a []uintptr) driver.Result { return ctxCreate(d, a[0], a[1], a[2]) }},
		"cuCtxCreate_v4":               {process, func(d *Driver, _ *context, a []uintptr) driver.Result { return ctxCreate(d, a[0], a[2], a[3]) }},
		"cuCtxDestroy_v2":              unlessNull(nothing, 0, driver.InvalidValue, facts, ctxDestroy),
		"cuCtxSetCurrent":              {facts, ctxSetCurrent},
		"cuCtxGetCurrent":              {facts, notNull(ctxGetCurrent, 0)},
		"cuCtxSynchronize":             {bound, ctxSynchronize},
		"cuCtxSetLimit":                {bound, ctxSetLimit},
		"cuCtxGetLimit":                {bound, notNull(ctxGetLimit, 0)},
		"cuCtxGetStreamPriorityRange":  {bound, ctxGetStreamPriorityRange},
		"cuCtxEnablePeerAccess":        {bound, ctxEnablePeerAccess},
		"cuCtxDisablePeerAccess":       {bound, ctxDisablePeerAccess},
	}
}

func primaryRetain(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[1])
	if dev == nil {
		return driver.InvalidDevice
	}
	switch {
	case dev.retained == 0 && d.fault != nil:
		return d.fault.code
	case dev.primary == nil:
		dev.primary = d.newContext(dev, true)
	case dev.retained == 0:
		d.begin(dev.primary)
	}
	dev.retained++
	callee.Put(a[0], dev.primary.handle)
	return driver.Success
}

func primaryRelease(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[0])
	switch {
	case dev == nil:
		return driver.InvalidDevice
	case dev.retained == 0:
		return driver.InvalidContext
	}
	if dev.retained--; dev.retained == 0 {
		d.destroy(dev.primary)
	}
	return driver.Success
}

func primaryGetState(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[0])
	if dev == nil {
		return driver.InvalidDevice
	}
	callee.Put(a[1], uint32(0))
	callee.Put(a[2], yes(dev.retained > 0))
	return driver.Success
}

// ctxCreate makes a context and makes it current until it is destroyed.
func ctxCreate(d *Driver, to, flags, h uintptr) driver.Result {
	dev := d.device(h)
	const known = 0xff            // CU_CTX_FLAGS_MASK
	schedule := uint32(flags) & 7 // CU_CTX_SCHED_MASK: one of them
	switch {
	case dev == nil:
		return driver.InvalidDevice
	case to == 0 || uint32(flags)&^known != 0 || schedule&(schedule-1) != 0:
		return driver.InvalidValue
	}
	c := d.newContext(dev, false)
	d.current[callee.Thread()] = append(d.current[callee.Thread()], c)
	callee.Put(to, c.handle)
	return driver.Success
}

func ctxDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	c := d.contexts[a[0]]
	if c == nil || c.primary || c.gone {
		return driver.InvalidContext
	}
	d.destroy(c)
	if stack := d.current[callee.Thread()]; len(stack) > 0 && stack[len(stack)-1] == c {
		d.current[callee.Thread()] = stack[:len(stack)-1]
	}
	return driver.Success
}

func ctxSetCurrent(d *Driver, _ *context, a []uintptr) driver.Result {
	c := d.contexts[a[0]] // one that is gone, too
	if c == nil && a[0] != 0 {
		return driver.InvalidContext
	}
	stack := d.current[callee.Thread()]
	if len(stack) > 0 {
		stack = stack[:len(stack)-1]
	}
	if c != nil {
		stack = append(stack, c)
	}
	d.current[callee.Thread()] = stack
	return driver.Success
}

func ctxGetCurrent(d *Driver, _ *context, a []uintptr) driver.Result {
	h := uintptr(0)
	if stack := d.current[callee.Thread()]; len(stack) > 0 {
		h = stack[len(stack)-1].handle
	}
	callee.Put(a[0], h)
	return driver.Success
}

func ctxSynchronize(d *Driver, ctx *context, _ []uintptr) driver.Result {
	captured := false
	for _, s := range d.streams {
		if s.ctx == ctx && s.capture != nil {
			s.capture.spoil()
			captured = true
		}
	}
	if captured {
		return driver.StreamCaptureUnsupported
	}
	d.settle(ctx)
	ctx.device.trimmed()
	return d.broken()
}

func ctxSetLimit(d *Driver, ctx *context, a []uintptr) driver.Result {
	l, v := driver.Limit(int32(a[0])), uint64(a[1])
	if _, r := ctx.limit(l); r != driver.Success {
		return r
	}
	const most = 128 // bytes that the L2 cache fetches
	if l == driver.LimitStackSize && v > mostStack || l == driver.LimitMaxL2Fetch && v > most || l == driver.LimitPersistingL2Memory && v > mostMemory {
		return driver.InvalidValue
	}
	if r := d.unsafe(); r != driver.Success {
		return r
	}
	ctx.limits[l] = v
	d.configure(ctx)
	return driver.Success
}

func ctxGetLimit(_ *Driver, ctx *context, a []uintptr) driver.Result {
	v, r := ctx.limit(driver.Limit(int32(a[1])))
	if r == driver.Success {
		callee.Put(a[0], v)
	}
	return r
}

// The range of stream priorities.
const (
	leastPriority    = 0
	greatestPriority = -5
)

func ctxGetStreamPriorityRange(_ *Driver, _ *context, a []uintptr) driver.Result {
	callee.Put(a[0], int32(leastPriority))
	callee.Put(a[1], int32(greatestPriority))
	return driver.Success
}

func ctxEnablePeerAccess(d *Driver, ctx *context, a []uintptr) driver.Result {
	other := d.contexts[a[0]]
	switch {
	case uint32(a[1]) != 0:
		return driver.InvalidValue
	case other == nil || other.gone:
		return driver.InvalidContext
	case other.device == ctx.device:
		return driver.PeerAccessUnsupported
	case ctx.peers[other]:
		return driver.PeerAccessAlreadyEnabled
	}
	ctx.peers[other] = true
	d.join()
	return driver.Success
}

func ctxDisablePeerAccess(d *Driver, ctx *context, a []uintptr) driver.Result {
	other := d.contexts[a[0]]
	switch {
	case other == nil:
		return driver.InvalidContext
	case !ctx.peers[other]:
		return driver.PeerAccessNotEnabled
	}
	delete(ctx.peers, other)
	d.join()
	return driver.Success
}
