package drivertest

import (
	"fmt"
	"slices"
	"sort"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// memory is the device memory of all devices, in one address space.
type memory struct {
	blocks []*block // by address
	top    uint64
}

type block struct {
	start  uint64
	bytes  []byte
	ctx    uintptr
	device *device
	module uintptr // not 0: a variable of it
}

const memoryBase = 0x7d0000000000

func (m *memory) alloc(n uint64, ctx uintptr, dev *device) (*block, bool) {
	if dev != nil && dev.used+n > dev.Memory {
		return nil, false
	}
	if m.top == 0 {
		m.top = memoryBase
	}
	// Words rather than bytes, so that the memory is aligned for every type.
	words := make([]uint64, (n+7)/8+1)
	b := &block{start: m.top, bytes: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n), ctx: ctx, device: dev}
	m.top += (n+511)&^511 + 512 // a gap, so that running over the end is found
	m.blocks = append(m.blocks, b)
	if dev != nil {
		dev.used += n
	}
	return b, true
}

func (m *memory) find(p uint64) *block {
	i := sort.Search(len(m.blocks), func(i int) bool { return m.blocks[i].start > p })
	if i == 0 {
		return nil
	}
	if b := m.blocks[i-1]; p < b.start+uint64(len(b.bytes)) {
		return b
	}
	return nil
}

// at is n bytes of memory from p, or nil where there are none.
func (m *memory) at(p, n uint64) []byte {
	b := m.find(p)
	if b == nil || p+n > b.start+uint64(len(b.bytes)) {
		return nil
	}
	return b.bytes[p-b.start:][:n:n]
}

func (m *memory) drop(gone func(*block) bool) int {
	before := len(m.blocks)
	m.blocks = slices.DeleteFunc(m.blocks, func(b *block) bool {
		if gone(b) && b.device != nil {
			b.device.used -= uint64(len(b.bytes))
		}
		return gone(b)
	})
	return before - len(m.blocks)
}

func (m *memory) freeAll(ctx uintptr) { m.drop(func(b *block) bool { return b.ctx == ctx }) }

// Memory is n bytes of device memory, the memory itself: what is written to it
// the program reads. It panics where the program has no such memory, as a kernel
// would fault.
func (d *Driver) Memory(p driver.Pointer, n int) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.memory.at(uint64(p), uint64(n))
	if b == nil && n > 0 {
		panic(fmt.Sprintf("drivertest: no device memory at %s for %d bytes", p, n))
	}
	return b
}

// Slice is device memory as a slice of n values.
func Slice[T any](d *Driver, p driver.Pointer, n int) []T {
	if n == 0 {
		return nil
	}
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(&d.Memory(p, n*int(unsafe.Sizeof(zero)))[0])), n)
}

func init() {
	alloc := func(d *Driver, h, p, n uintptr) driver.Result {
		c := d.contexts[h]
		if n == 0 {
			return driver.InvalidValue
		}
		b, ok := d.memory.alloc(uint64(n), h, c.device)
		if !ok {
			return driver.OutOfMemory
		}
		callee.Put(p, b.start)
		return driver.Success
	}
	free := func(d *Driver, a []uintptr) driver.Result {
		n := d.memory.drop(func(b *block) bool { return b.start == uint64(a[0]) && b.module == 0 })
		if n == 0 && a[0] != 0 {
			return driver.InvalidValue
		}
		return driver.Success
	}
	play("cuMemAlloc_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		h, c := d.boundContext()
		if c == nil {
			return driver.InvalidContext
		}
		return alloc(d, h, a[0], a[1])
	})
	play("cuMemFree_v2", bound, free)
	play("cuMemAllocAsync", anyContext, func(d *Driver, a []uintptr) driver.Result {
		s := d.streams[a[2]]
		if s == nil {
			return driver.InvalidHandle
		}
		return alloc(d, s.ctx, a[0], a[1])
	})
	play("cuMemFreeAsync", anyContext, free)
	play("cuMemGetInfo_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		_, c := d.boundContext()
		if c == nil {
			return driver.InvalidContext
		}
		callee.Put(a[0], c.device.Memory-c.device.used)
		callee.Put(a[1], c.device.Memory)
		return driver.Success
	})
	play("cuMemcpyHtoDAsync_v2", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result {
			return d.move(uint64(a[0]), uint64(a[2]), func(m []byte) { copy(m, dl.Memory(a[1], int(a[2]))) })
		})
	})
	play("cuMemcpyDtoHAsync_v2", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result {
			return d.move(uint64(a[1]), uint64(a[2]), func(m []byte) { copy(dl.Memory(a[0], int(a[2])), m) })
		})
	})
	dtod := func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result {
			return d.move(uint64(a[0]), uint64(a[2]), func(dst []byte) {
				copy(dst, d.memory.at(uint64(a[1]), uint64(a[2])))
			})
		})
	}
	play("cuMemcpyDtoDAsync_v2", unlocked, dtod)
	play("cuMemsetD8Async", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result { return d.fill(a, []byte{byte(a[1])}) })
	})
	play("cuMemsetD16Async", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result { return d.fill(a, []byte{byte(a[1]), byte(a[1] >> 8)}) })
	})
	play("cuMemsetD32Async", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[3], func() driver.Result {
			return d.fill(a, []byte{byte(a[1]), byte(a[1] >> 8), byte(a[1] >> 16), byte(a[1] >> 24)})
		})
	})
}

// move does something with device memory, under the lock.
func (d *Driver) move(p, n uint64, do func([]byte)) driver.Result {
	d.mu.Lock()
	defer d.mu.Unlock()
	m := d.memory.at(p, n)
	if m == nil && n > 0 {
		return driver.InvalidValue
	}
	do(m)
	return driver.Success
}

func (d *Driver) fill(a []uintptr, pattern []byte) driver.Result {
	if uint64(a[0])%uint64(len(pattern)) != 0 {
		return driver.InvalidValue
	}
	return d.move(uint64(a[0]), uint64(a[2])*uint64(len(pattern)), func(m []byte) {
		for i := range m {
			m[i] = pattern[i%len(pattern)]
		}
	})
}
