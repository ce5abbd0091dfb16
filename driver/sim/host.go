package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// hosts is the memory of the host that devices can use. Its address is the same for both.
type hosts struct {
	memory *engine.Memory
	blocks map[uintptr]*hostBlock
}

// A hostBlock is pinned memory: the driver's own, or the program's.
type hostBlock struct {
	ctx   *context
	bytes []byte // of the Go heap, where memory doesn't move, as long as it is reachable
	own   bool
}

// page is what pinned memory is aligned to.
const page = 4096

func (h *hosts) init() {
	h.memory = engine.NewMemoryOf(hostMemory, 0)
	h.blocks = map[uintptr]*hostBlock{}
}

// alloc makes pinned memory of the driver's.
func (h *hosts) alloc(c *context, n uint64) (uintptr, driver.Result) {
	if n == 0 {
		return 0, driver.Success
	}
	if n > mostMemory {
		return 0, driver.OutOfMemory
	}
	b := make([]byte, n+page)
	skip := -callee.Address(&b[0]) & (page - 1)
	b = b[skip : uint64(skip)+n : uint64(skip)+n]
	at := callee.Address(&b[0])
	h.add(at, &hostBlock{ctx: c, bytes: b, own: true})
	return at, driver.Success
}

// register pins memory of the program's.
func (h *hosts) register(c *context, at uintptr, n uint64) driver.Result {
	if at == 0 || n == 0 || n > mostMemory {
		return driver.InvalidValue
	}
	for other, b := range h.blocks {
		if at < other+uintptr(len(b.bytes)) && other < at+uintptr(n) {
			if b.own {
				return driver.InvalidValue
			}
			return driver.HostMemoryAlreadyRegistered
		}
	}
	h.add(at, &hostBlock{ctx: c, bytes: dl.Memory(at, int(n))})
	return driver.Success
}

func (h *hosts) add(at uintptr, b *hostBlock) {
	h.blocks[at] = b
	h.memory.Place(uint64(at), b.bytes)
}

// drop forgets pinned memory.
func (h *hosts) drop(at uintptr) {
	delete(h.blocks, at)
	h.memory.Displace(uint64(at))
}

func (h *hosts) freeAll(c *context) {
	for at, b := range h.blocks {
		if b.ctx == c {
			h.drop(at)
		}
	}
}

// pinned reports whether n bytes of the host are.
func (h *hosts) pinned(at uintptr, n uint64) bool {
	_, err := h.memory.Bytes(uint64(at), int64(min(n, mostMemory)))
	return err == nil
}
