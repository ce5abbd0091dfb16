package engine

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Where things lie in the 64-bit generic address space. Real devices choose their windows too, and programs can't rely on
// them.
const (
	sharedWindow = 0x0001_0000_0000_0000 // of the block's shared memory
	localWindow  = 0x0002_0000_0000_0000 // of the thread's local memory
	paramWindow  = 0x0004_0000_0000_0000 // of the kernel's parameters
	windowSize   = 1 << 24
	globalBase   = 0x0000_7000_0000_0000 // where allocations begin, of the first device
	globalSize   = 1 << 40               // addresses of a device

	// allocAlign is the alignment that cuMemAlloc gives.
	allocAlign = 256
)

// ErrOutOfMemory says that the device's memory does not have the room.
var ErrOutOfMemory = errors.New("out of memory")

// ErrNotAllocated says that an address is not the begin of an allocation.
var ErrNotAllocated = errors.New("not the address of an allocation")

// Memory is the global memory of one device: allocations with exact bounds. An address is not given out again before all
// others have been, so that a use after free is seen as one. The zero Memory is not usable; see [NewMemory].
//
// Safe for concurrent use. What two goroutines read and write at the same bytes is as undefined as on a device.
type Memory struct {
	limit      int64
	begin, end uint64 // of its addresses

	mu       sync.Mutex
	next     uint64 // from where to look for room
	used     int64
	heap     int64                         // of used: what malloc gave
	onHeap   map[uint64]int64              // sizes by address
	live     atomic.Pointer[[]*Allocation] // ordered by address, replaced as a whole
	reserved []reserved
	freed    []freed // the newest last

	joined   atomic.Pointer[[]*Memory] // whose allocations count as its own
	remember atomic.Bool               // see RememberWrites
}

// An Allocation is a piece of global memory.
//
// Safe for concurrent use.
type Allocation struct {
	Base uint64
	Data []byte // of its exact size, aligned to 8 in the host's memory

	written *written // nil: all of it counts as written
}

// freed remembers an allocation that is gone, for the text of a fault.
type freed struct {
	base uint64
	size int64
}

const freedKept = 1024

// NewMemory makes a memory of limit bytes.
func NewMemory(limit int64) *Memory { return NewMemoryOf(0, limit) }

// NewMemoryOf makes the memory of a device with that number, from 0 to 31: each has addresses of its own, 1 TiB of them.
func NewMemoryOf(device int, limit int64) *Memory {
	begin := globalBase + uint64(device)*globalSize
	m := &Memory{limit: limit, begin: begin, end: begin + globalSize, next: begin}
	m.live.Store(&[]*Allocation{})
	m.joined.Store(&[]*Memory{})
	return m
}

// Alloc makes an allocation of size bytes, zero-filled, at a multiple of 256. Its error is [ErrOutOfMemory].
func (m *Memory) Alloc(size int64) (*Allocation, error) {
	if size <= 0 {
		return nil, fmt.Errorf("an allocation of %d bytes", size)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if size > m.limit-m.used {
		return nil, ErrOutOfMemory
	}
	base, ok := m.room(uint64(size), allocAlign)
	if !ok {
		return nil, ErrOutOfMemory
	}
	a := &Allocation{Base: base, Data: alignedBytes(size)}
	if m.remember.Load() {
		a.written = newWritten(size)
	}
	m.used += size
	m.insert(a)
	return a, nil
}

// Free ends the allocation that begins at addr. Its error is [ErrNotAllocated].
func (m *Memory) Free(addr uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	live := *m.live.Load()
	i, ok := search(live, addr)
	if !ok || live[i].Base != addr {
		return ErrNotAllocated
	}
	m.used -= int64(len(live[i].Data))
	m.remove(i)
	return nil
}

// remove takes the i-th allocation from the live ones, and remembers it.
func (m *Memory) remove(i int) {
	live := *m.live.Load()
	addr, size := live[i].Base, int64(len(live[i].Data))
	rest := slices.Concat(live[:i], live[i+1:])
	m.live.Store(&rest)
	if len(m.freed) == freedKept {
		m.freed = slices.Delete(m.freed, 0, freedKept/2)
	}
	m.freed = append(m.freed, freed{addr, size})
}

// Find returns the allocation that addr lies in, or nil.
func (m *Memory) Find(addr uint64) *Allocation {
	if a := m.own(addr); a != nil {
		return a
	}
	for _, other := range *m.joined.Load() {
		if a := other.own(addr); a != nil {
			return a
		}
	}
	return nil
}

func (m *Memory) own(addr uint64) *Allocation {
	live := *m.live.Load()
	if i, ok := search(live, addr); ok {
		return live[i]
	}
	return nil
}

// Bytes returns the n bytes at addr. They must lie in one allocation; its error is an [*AccessError].
func (m *Memory) Bytes(addr uint64, n int64) ([]byte, error) {
	if a := m.Find(addr); a != nil {
		if off := int64(addr - a.Base); n >= 0 && n <= int64(len(a.Data))-off {
			return a.Data[off : off+n : off+n], nil
		}
	}
	return nil, &AccessError{Addr: addr, Size: n, Where: m.Describe(addr)}
}

// Used is the number of bytes allocated; Limit is how many there can be.
func (m *Memory) Used() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used
}

// Limit is the size of the memory in bytes.
func (m *Memory) Limit() int64 { return m.limit }

// search finds the allocation that addr lies in.
func search(live []*Allocation, addr uint64) (int, bool) {
	i, exact := slices.BinarySearchFunc(live, addr, func(a *Allocation, addr uint64) int {
		switch {
		case a.Base < addr:
			return -1
		case a.Base > addr:
			return 1
		}
		return 0
	})
	if exact {
		return i, true
	}
	i--
	return i, i >= 0 && addr-live[i].Base < uint64(len(live[i].Data))
}

// Describe says what lies at or near an address: "4 bytes past the end of an allocation of 40 bytes".
func (m *Memory) Describe(addr uint64) string {
	if addr < 4096 {
		return "null pointer"
	}
	live := *m.live.Load()
	if i, ok := search(live, addr); ok {
		return fmt.Sprintf("byte %d of an allocation of %d bytes", addr-live[i].Base, len(live[i].Data))
	} else if i >= 0 && addr-live[i].Base-uint64(len(live[i].Data)) < 4096 {
		past := addr - live[i].Base - uint64(len(live[i].Data))
		return fmt.Sprintf("%s past the end of an allocation of %d bytes", pick(past == 0, "just", fmt.Sprintf("%d bytes", past)), len(live[i].Data))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range slices.Backward(m.freed) {
		if addr-f.base < uint64(f.size) {
			return fmt.Sprintf("byte %d of an allocation of %d bytes that was freed", addr-f.base, f.size)
		}
	}
	for _, a := range live {
		if a.Base-addr <= 4096 && a.Base > addr {
			return fmt.Sprintf("%d bytes before an allocation of %d bytes", a.Base-addr, len(a.Data))
		}
	}
	return "in no allocation"
}

// An AccessError says that bytes that were asked for do not lie in one allocation.
//
// Safe for concurrent use after it is made; its fields must not change.
type AccessError struct {
	Addr  uint64
	Size  int64
	Where string // what lies there
}

// Error describes the access and what lies there.
func (e *AccessError) Error() string {
	return fmt.Sprintf("%s: %d bytes at %#x", e.Where, e.Size, e.Addr)
}
