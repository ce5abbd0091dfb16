package rtc

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
)

// A memory is a piece of a device's memory, shared by the Array that is its
// handle and the lifetime that closes it. It does not know the Array: one that
// nobody can reach any more must be found by the garbage collector.
type memory struct {
	dev    *Device
	owner  *lifetime // the device's or a scope's
	ptr    driver.Pointer
	size   int // bytes
	what   string
	made   []uintptr // the calls that led to it, if leaks are looked for
	closed atomic.Bool

	borrowed bool // it is a module's variable: not allocated, and not freed

	copying sync.RWMutex // held for reading while a copy uses the memory
}

// newMemory allocates size bytes; for none it gives the null pointer, which is
// what CUDA programs expect of an empty array.
func newMemory(o Owner, size int, what string) (*memory, error) {
	d, life := o.owner()
	m := &memory{dev: d, owner: life, size: size, what: what}
	if err := d.use(); err != nil {
		return nil, err
	}
	if d.leaked != nil {
		m.made = make([]uintptr, 16)
		m.made = m.made[:runtime.Callers(3, m.made)]
	}
	d.collect(true)
	if size > 0 {
		var err error
		if m.ptr, err = d.ctx.Alloc(uint64(size)); err != nil {
			return nil, err
		}
	}
	if err := life.add(m); err != nil {
		m.release()
		return nil, fmt.Errorf("the owner of the new array is %w", err)
	}
	return m, nil
}

// Close frees the memory when the launches that were given it are complete.
func (m *memory) Close() error {
	// Launches check the flag under the stream's lock, so none begins after
	// this that could still use the memory.
	if !m.dev.stream.markClosed(m) {
		return nil
	}
	m.copying.Lock()
	defer m.copying.Unlock()
	m.owner.remove(m)
	return m.release()
}

func (m *memory) release() error {
	if m.ptr == 0 || m.borrowed {
		return nil
	}
	if err := m.dev.stream.drain(); err != nil {
		return err
	}
	return m.dev.ctx.Free(m.ptr)
}

// garbage holds memory whose Array became unreachable.
type garbage struct {
	mu   sync.Mutex
	list []*memory
	any  atomic.Bool
}

func (g *garbage) put(m *memory) {
	g.mu.Lock()
	g.list = append(g.list, m)
	g.any.Store(true)
	g.mu.Unlock()
}

// collect frees what the garbage collector found. It is called where the
// stream is idle, or with wait where it may be waited for. Errors are the
// device's: they show in its next call.
func (d *Device) collect(wait bool) {
	if !d.garbage.any.Load() || (!wait && !d.stream.idle()) {
		return
	}
	d.garbage.mu.Lock()
	list := d.garbage.list
	d.garbage.list = nil
	d.garbage.any.Store(false)
	d.garbage.mu.Unlock()
	for _, m := range list {
		m.Close()
	}
}
