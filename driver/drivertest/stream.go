package drivertest

import (
	"time"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

type stream struct {
	ctx      uintptr
	flags    uint32
	priority int32
	capture  *graph // being captured into
}

type event struct {
	ctx   uintptr
	flags uint32
	at    time.Time
}

// enqueue does work that was put into a stream: at once, or when a graph that
// is being captured is launched. The caller may not hold the lock.
func (d *Driver) enqueue(h uintptr, work func() driver.Result) driver.Result {
	d.mu.Lock()
	s := d.streams[h]
	if s == nil {
		d.mu.Unlock()
		return driver.InvalidHandle
	}
	if s.capture != nil {
		s.capture.add(&node{handle: d.handle(), kind: driver.EmptyNode, work: work})
		d.mu.Unlock()
		return driver.Success
	}
	d.mu.Unlock()
	return work()
}

func (d *Driver) newStream(p uintptr, flags uint32, priority int32) driver.Result {
	h, c := d.boundContext()
	if c == nil {
		return driver.InvalidContext
	}
	k := d.handle()
	d.streams[k] = &stream{ctx: h, flags: flags, priority: min(0, max(-5, priority))}
	callee.Put(p, k)
	return driver.Success
}

func init() {
	play("cuStreamCreate", bound, func(d *Driver, a []uintptr) driver.Result { return d.newStream(a[0], uint32(a[1]), 0) })
	play("cuStreamCreateWithPriority", bound, func(d *Driver, a []uintptr) driver.Result {
		return d.newStream(a[0], uint32(a[1]), int32(a[2]))
	})
	play("cuStreamDestroy_v2", anyContext, func(d *Driver, a []uintptr) driver.Result {
		if d.streams[a[0]] == nil {
			return driver.InvalidHandle
		}
		delete(d.streams, a[0])
		return driver.Success
	})
	play("cuStreamGetPriority", anyContext, func(d *Driver, a []uintptr) driver.Result {
		s := d.streams[a[0]]
		if s == nil {
			return driver.InvalidHandle
		}
		callee.Put(a[1], s.priority)
		return driver.Success
	})
	play("cuStreamSynchronize", unlocked, func(d *Driver, a []uintptr) driver.Result {
		if r := d.whole(a[0]); r != driver.Success {
			return r
		}
		d.gate.wait()
		return d.brokenNow()
	})
	play("cuStreamQuery", anyContext, func(d *Driver, a []uintptr) driver.Result {
		if d.streams[a[0]] == nil {
			return driver.InvalidHandle
		}
		return d.gate.query()
	})
	play("cuStreamWaitEvent", anyContext, func(d *Driver, a []uintptr) driver.Result {
		if d.streams[a[0]] == nil || d.events[a[1]] == nil {
			return driver.InvalidHandle
		}
		return driver.Success
	})
	play("cuEventCreate", bound, func(d *Driver, a []uintptr) driver.Result {
		h, c := d.boundContext()
		if c == nil {
			return driver.InvalidContext
		}
		k := d.handle()
		d.events[k] = &event{ctx: h, flags: uint32(a[1])}
		callee.Put(a[0], k)
		return driver.Success
	})
	play("cuEventDestroy_v2", anyContext, func(d *Driver, a []uintptr) driver.Result {
		if d.events[a[0]] == nil {
			return driver.InvalidHandle
		}
		delete(d.events, a[0])
		return driver.Success
	})
	play("cuEventRecord", anyContext, func(d *Driver, a []uintptr) driver.Result {
		e := d.events[a[0]]
		if e == nil || d.streams[a[1]] == nil {
			return driver.InvalidHandle
		}
		e.at = time.Now()
		return driver.Success
	})
	play("cuEventSynchronize", unlocked, func(d *Driver, a []uintptr) driver.Result {
		d.mu.Lock()
		e := d.events[a[0]]
		d.mu.Unlock()
		if e == nil {
			return driver.InvalidHandle
		}
		d.gate.wait()
		return d.brokenNow()
	})
	play("cuEventQuery", anyContext, func(d *Driver, a []uintptr) driver.Result {
		if d.events[a[0]] == nil {
			return driver.InvalidHandle
		}
		return d.gate.query()
	})
	elapsed := func(d *Driver, a []uintptr) driver.Result {
		start, end := d.events[a[1]], d.events[a[2]]
		if start == nil || end == nil || start.flags&2 != 0 || end.flags&2 != 0 {
			return driver.InvalidHandle
		}
		callee.Put(a[0], float32(end.at.Sub(start.at).Seconds()*1000))
		return driver.Success
	}
	play("cuEventElapsedTime", anyContext, elapsed)
	play("cuEventElapsedTime_v2", anyContext, elapsed)
}

// whole says whether a stream can be waited for: not while it is captured.
func (d *Driver) whole(h uintptr) driver.Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.streams[h]
	switch {
	case s == nil:
		return driver.InvalidHandle
	case s.capture != nil:
		return driver.StreamCaptureUnsupported
	}
	return driver.Success
}
