package driver

import (
	"fmt"
	"runtime"
)

// HostMemory is memory of the host that is pinned: it has its place in RAM, so
// that the device can read and write it while the program goes on.
//
// Safe for concurrent use. Close must not be called while a copy or a kernel uses it.
type HostMemory struct {
	ctx   *Context
	bytes []byte
	addr  uintptr        // of memory of the driver's; 0 for registered memory
	pin   runtime.Pinner // of registered memory
	life  lifetime
}

// A HostConfig says what pinned memory is for. The zero value is for copies.
//
// Safe for concurrent use after it is made; its fields must not change.
type HostConfig struct {
	Portable      bool // pinned for every context of the process
	Mapped        bool // kernels can use it, by [HostMemory.Pointer]
	WriteCombined bool // quicker over the bus, very slow for the host to read; AllocHost only
}

func (c HostConfig) flags() uint32 {
	var f uint32
	for i, on := range []bool{c.Portable, c.Mapped, c.WriteCombined} {
		if on {
			f |= 1 << i // CU_MEMHOSTALLOC_PORTABLE, _DEVICEMAP, _WRITECOMBINED
		}
	}
	return f
}

// AllocHost takes pinned memory; its content is zero bytes. It is outside Go's
// heap: slices of it must not be used after Close.
func (c *Context) AllocHost(bytes uint64, config HostConfig) (*HostMemory, error) {
	m := &HostMemory{ctx: c}
	if bytes > 0 {
		p := new(uintptr)
		if err := c.Do(func() error { return c.api.memHostAlloc(p, bytes, config.flags()) }); err != nil {
			return nil, explain(err, fmt.Sprintf("allocate %d bytes of pinned memory", bytes), "")
		}
		m.addr, m.bytes = *p, foreign(*p, bytes)
	}
	return m.start()
}

// RegisterHost pins memory that the program has, until Close. b is kept
// reachable meanwhile.
func (c *Context) RegisterHost(b []byte, config HostConfig) (*HostMemory, error) {
	m := &HostMemory{ctx: c, bytes: b}
	if len(b) > 0 {
		m.pin.Pin(&b[0])
		config.WriteCombined = false // the bit means something else here
		if err := c.Do(func() error { return c.api.memHostRegister(firstByte(b), uint64(len(b)), config.flags()) }); err != nil {
			m.pin.Unpin()
			return nil, explain(err, fmt.Sprintf("pin %d bytes of memory", len(b)), "")
		}
	}
	return m.start()
}

func (m *HostMemory) start() (*HostMemory, error) {
	m.ctx.driver.counts.hostBuffers.Add(1)
	if !m.ctx.children.add(m) {
		_ = m.Close()
		return nil, m.ctx.closedError()
	}
	return m, nil
}

// Bytes is the memory.
func (m *HostMemory) Bytes() []byte { return m.bytes }

// Pointer is the address by which kernels use mapped memory.
func (m *HostMemory) Pointer() (Pointer, error) {
	if !m.life.enter() {
		return 0, m.closedError()
	}
	defer m.life.leave()
	if len(m.bytes) == 0 {
		return 0, nil
	}
	p := new(Pointer)
	err := m.ctx.Do(func() error { return m.ctx.api.memHostGetDevicePointer(p, firstByte(m.bytes), 0) })
	return *p, explain(err, "device address of pinned memory", "")
}

func (m *HostMemory) closedError() error { return fmt.Errorf("driver: pinned memory: %w", ErrClosed) }

// Close frees or unpins the memory. It is safe on nil and more than once.
func (m *HostMemory) Close() error {
	if m == nil {
		return nil
	}
	return m.life.close(func() error {
		var err error
		switch {
		case m.addr != 0:
			err = m.ctx.bind(func() error { return m.ctx.api.call(fnMemFreeHost, m.addr) })
		case len(m.bytes) > 0:
			err = m.ctx.bind(func() error { return m.ctx.api.memHostUnregister(firstByte(m.bytes)) })
			m.pin.Unpin()
		}
		m.ctx.children.drop(m)
		m.ctx.driver.counts.hostBuffers.Add(-1)
		return m.ctx.afterFault(err, "free pinned memory")
	})
}
