package driver

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// A Context is what a program holds of a device: memory, modules, streams and
// events belong to it.
//
// Safe for concurrent use.
type Context struct {
	device  *Device
	driver  *Driver
	api     *api
	handle  contextHandle
	primary bool

	life     lifetime
	children family
	tracks   tracks

	mu     sync.Mutex
	allocs map[Pointer]uint64 // live device memory, by address: bytes

	copying sync.Mutex
	copies  *Stream // for copies that wait; made when first needed
}

// Primary is the device's primary context, the one that the CUDA runtime and
// other libraries in the process use, too. Each call retains it once more;
// Close releases. The device's memory that another user of it holds stays.
func (d *Device) Primary() (*Context, error) {
	h := new(contextHandle)
	if err := d.driver.api.devicePrimaryCtxRetain(h, d.handle); err != nil {
		return nil, explain(err, "retain the primary context of "+d.String(), "")
	}
	return d.context(*h, true), nil
}

func (d *Device) context(h contextHandle, primary bool) *Context {
	c := &Context{device: d, driver: d.driver, api: d.driver.api, handle: h, primary: primary, allocs: map[Pointer]uint64{}}
	d.driver.own.Store(h, true)
	d.driver.contexts.add(c)
	d.driver.counts.contexts.Add(1)
	return c
}

// Device is the device that the context is on.
func (c *Context) Device() *Device { return c.device }

// Health is [Driver.Health].
func (c *Context) Health() error { return c.driver.Health() }

// Do calls f on an OS thread on which c is the current context: for calls of the
// driver by other packages, and for a sequence of calls that need a current context,
// which each bind it by themselves otherwise. f may not close c.
//
// A context of another library that was current on the thread is put back.
func (c *Context) Do(f func() error) error {
	if !c.life.enter() {
		return c.closedError()
	}
	defer c.life.leave()
	return c.bind(f)
}

// bind is Do without asking whether the context is open, for Close.
func (c *Context) bind(f func() error) error {
	return c.driver.onThread(func() error {
		if err := c.api.ctxSetCurrent(c.handle); err != nil {
			return explain(err, "make the context of "+c.device.String()+" current", "")
		}
		return f()
	})
}

// onThread calls f on one OS thread and leaves that with the context that was
// current before, if it was another library's. One of ours stays: with older
// drivers the next launch on the thread needs it.
func (d *Driver) onThread(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := new(contextHandle)
	if err := d.api.ctxGetCurrent(before); err != nil {
		return explain(err, "read the current context", "")
	}
	if *before != 0 {
		if _, ours := d.own.Load(*before); !ours {
			defer func() { _ = d.api.ctxSetCurrent(*before) }()
		}
	}
	return f()
}

// unbound calls f, whose call of the driver names a stream or an event and so
// needs no current context, except with older drivers: then once more with c current.
func (c *Context) unbound(f func() error) error {
	err := f()
	if err == nil || !wantsContext(err) {
		return err
	}
	return c.Do(f)
}

// wantsContext reports whether a call may have failed for want of a current
// context. The one that was current may be gone: on driver 580 a copy between
// the device and memory that is not pinned asks for it all the same.
func wantsContext(err error) bool {
	return errors.Is(err, InvalidContext) || errors.Is(err, InvalidHandle) || errors.Is(err, ContextIsDestroyed)
}

func (c *Context) closedError() error {
	return fmt.Errorf("driver: context of %s: %w", c.device, ErrClosed)
}

// Close closes everything that was made in the context, newest first, frees its
// memory and gives the context back. It waits for calls under way on other
// goroutines, and must not be called within Do. It is safe on nil and more than once.
func (c *Context) Close() error {
	if c == nil {
		return nil
	}
	return c.life.close(func() error {
		errs := []error{c.children.closeAll()}
		c.mu.Lock()
		for p := range c.allocs {
			errs = append(errs, c.bind(func() error { return c.api.memFree(p) }))
			c.driver.counts.allocations.Add(-1)
		}
		clear(c.allocs)
		c.mu.Unlock()
		errs = append(errs, c.destroy())
		c.driver.contexts.drop(c)
		c.driver.counts.contexts.Add(-1)
		return c.afterFault(errors.Join(errs...), "close the context of "+c.device.String())
	})
}

func (c *Context) afterFault(err error, op string) error { return c.driver.afterFault(err, op) }

// afterFault is what Close returns: once the GPU is lost nothing can be given
// back, and the process's end does it; saying so for each object helps nobody.
func (d *Driver) afterFault(err error, op string) error {
	if err == nil || d.api.fault.first() != nil || errors.Is(err, Deinitialized) {
		return nil
	}
	return explain(err, op, "")
}
