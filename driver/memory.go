package driver

import (
	"errors"
	"fmt"
)

// Alloc takes device memory, aligned to at least 256 bytes; its content is
// whatever was there. 0 bytes give the null Pointer. Free, or the context's
// Close, gives it back.
func (c *Context) Alloc(bytes uint64) (Pointer, error) {
	if bytes == 0 {
		return 0, nil
	}
	p := new(Pointer)
	if err := c.Do(func() error { return c.api.memAlloc(p, bytes) }); err != nil {
		return 0, explain(err, fmt.Sprintf("allocate %d bytes on %s", bytes, c.device), c.memoryLeft(err))
	}
	return *p, c.hold(*p, bytes)
}

const notHeld = "no memory of this context begins there, or it was freed before"

// hold notes live memory. It fails when the context was closed meanwhile.
func (c *Context) hold(p Pointer, bytes uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.life.closed() {
		_ = c.bind(func() error { return c.api.memFree(p) })
		return c.closedError()
	}
	c.allocs[p] = bytes
	c.driver.counts.allocations.Add(1)
	return nil
}

// release forgets live memory, and reports whether there was some at p.
func (c *Context) release(p Pointer) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.allocs[p]; !ok {
		return false
	}
	delete(c.allocs, p)
	c.driver.counts.allocations.Add(-1)
	return true
}

// memoryLeft tells, when memory ran out, how much there was.
func (c *Context) memoryLeft(err error) string {
	if !errors.Is(err, OutOfMemory) {
		return ""
	}
	free, total, err := c.MemInfo()
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d of %d bytes are free", free, total)
}

// Free gives back what Alloc or AllocAsync gave, once all work of the device
// that was enqueued before has ended. Freeing null does nothing; an address that
// is not the start of live memory of this context is an error.
func (c *Context) Free(p Pointer) error {
	if p == 0 {
		return nil
	}
	if !c.release(p) {
		if c.life.closed() {
			return c.closedError()
		}
		return &Error{Op: fmt.Sprintf("free %s", p), Result: InvalidValue, Detail: notHeld}
	}
	return explain(c.Do(func() error { return c.api.memFree(p) }), fmt.Sprintf("free %s", p), "")
}

// MemInfo is the free and the total memory of the device, in bytes.
func (c *Context) MemInfo() (free, total uint64, err error) {
	f, t := new(uint64), new(uint64)
	err = c.Do(func() error { return c.api.memGetInfo(f, t) })
	return *f, *t, explain(err, "memory of "+c.device.String(), "")
}

// AllocAsync takes device memory from the device's pool, to be used by what is
// put into the stream from now on. FreeAsync, Free, or the context's Close gives
// it back. Since CUDA 11.2.
func (s *Stream) AllocAsync(bytes uint64) (Pointer, error) {
	if bytes == 0 {
		return 0, nil
	}
	p := new(Pointer)
	err := s.use(fmt.Sprintf("allocate %d bytes in stream order", bytes), func() error {
		return s.ctx.api.memAllocAsync(p, bytes, s.handle)
	})
	if err != nil {
		return 0, err
	}
	return *p, s.ctx.hold(*p, bytes)
}

// FreeAsync gives memory back when what was put into the stream before has
// ended: what Alloc gave, too. Since CUDA 11.2.
func (s *Stream) FreeAsync(p Pointer) error {
	if p == 0 {
		return nil
	}
	released := false // the call may be made twice, see unbound
	return s.use(fmt.Sprintf("free %s in stream order", p), func() error {
		if released = released || s.ctx.release(p); !released {
			return &Error{Result: InvalidValue, Detail: notHeld}
		}
		return s.ctx.api.memFreeAsync(p, s.handle)
	})
}
