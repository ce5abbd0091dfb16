package rtc

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/driver"
)

// A memory is a piece of a device's memory, shared by the Array that is its
// handle and the lifetime that closes it. It does not know the Array: one that
// nobody can reach any more must be found by the garbage collector.
type memory struct {
	dev    *Device
	module *loaded            // whose variable it is: not allocated, and not freed
	host   *driver.HostMemory // if it is the host's
	ptr    driver.Pointer
	gone   atomic.Bool // set under the device's lock; launches look at what is up to here
	access access      // guarded by the device's lock

	reported atomic.Bool // as a leak
	owner    *lifetime   // the device's or a scope's; nil for a module's variable
	size     int         // bytes
	what     string
	made     []uintptr // the calls that led to it, if leaks are looked for
	next     *memory   // of the garbage

	end     closer
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
	if err := d.alloc(m); err != nil {
		return nil, err
	}
	if err := life.add(m); err != nil {
		_ = m.release() // why there is no owner is the better reason
		return nil, fmt.Errorf("the owner of the new array is %w", err)
	}
	return m, nil
}

// alloc frees what is garbage and allocates.
func (d *Device) alloc(m *memory) error {
	d.collect(true)
	err := d.allocate(m)
	// Go's collector does not know how full the device is: it is asked to run
	// when nothing else helps, as long as that brings something.
	for d.autoFree && errors.Is(err, driver.OutOfMemory) {
		awaitCleanups()
		if !d.garbage.await(100 * time.Millisecond) {
			break
		}
		d.collect(true)
		err = d.allocate(m)
	}
	return err
}

// closed reports whether the memory is no longer to be used. It stays as it is
// while the device's lock is held.
func (m *memory) closed() bool {
	return m.gone.Load() || m.module != nil && m.module.gone.Load()
}

// hold keeps the memory from being freed until release is called, for a copy
// that is made without the device's lock. It reports false if it is closed.
func (m *memory) hold() (release func(), ok bool) {
	// Only who closes the memory, and has said so, is in the way.
	if !m.copying.TryRLock() {
		return nil, false
	}
	release = m.copying.RUnlock
	if l := m.module; l != nil {
		if !l.copying.TryRLock() {
			release()
			return nil, false
		}
		release = func() { l.copying.RUnlock(); m.copying.RUnlock() }
	}
	if m.closed() {
		release()
		return nil, false
	}
	return release, true
}

// Close frees the memory when the launches and copies that were given it are
// complete.
func (m *memory) Close() error {
	err := m.end.close(func() error {
		// Launches look at the flag under the device's lock, so none begins
		// after this that could still use the memory.
		m.dev.forbid(&m.gone)
		m.copying.Lock()
		defer m.copying.Unlock()
		if m.module != nil {
			return nil
		}
		if m.owner == nil { // the memory is others', who may free it now
			return m.dev.settle(&m.access)
		}
		err := m.release()
		m.owner.remove(m)
		return err
	})
	if err != nil {
		return fmt.Errorf("rtc: close %s: %w", m.what, err)
	}
	return nil
}

func (m *memory) release() error {
	if m.ptr == 0 && m.host == nil {
		return nil
	}
	if m.dev.memPool != nil && m.host == nil {
		if m.dev.dev.Health() != nil {
			return nil // the process's end frees it
		}
		return unlessClosed(m.dev.free(m))
	}
	before := m.dev.dev.Health()
	err := m.dev.settle(&m.access)
	var ferr error
	if m.host != nil {
		ferr = unlessClosed(m.host.Close())
	} else {
		ferr = unlessClosed(m.dev.ctx.Free(m.ptr)) // it waits for the device, too
	}
	switch {
	case before != nil:
		return nil // the process's end frees it
	case err == nil:
		return ferr
	}
	return err
}

// awaitCleanups runs the garbage collector and waits until cleanups are being
// made for what it found, which on a busy machine may be late.
func awaitCleanups() {
	begun := make(chan struct{})
	runtime.AddCleanup(&struct{ p *int }{}, func(begun chan struct{}) { close(begun) }, begun)
	runtime.GC()
	select {
	case <-begun:
	case <-time.After(time.Second):
	}
}

// garbage holds memory whose Array became unreachable.
type garbage struct {
	any   atomic.Bool
	mu    sync.Mutex
	first *memory // a list by memory.next: a slice would take up what a launch looks at beside it
}

func (g *garbage) put(m *memory) {
	g.mu.Lock()
	m.next, g.first = g.first, m
	g.any.Store(true)
	g.mu.Unlock()
}

func (g *garbage) take() *memory {
	g.mu.Lock()
	defer g.mu.Unlock()
	first := g.first
	g.first = nil
	g.any.Store(false)
	return first
}

// await waits until there is some, at most for the time given.
func (g *garbage) await(most time.Duration) bool {
	for end := time.Now().Add(most); !g.any.Load(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// collect frees what the garbage collector found. It is called where the
// stream is idle, or with wait where it may be waited for. Errors are the
// device's: they show in its next call.
func (d *Device) collect(wait bool) {
	if !d.garbage.any.Load() || (!wait && !d.idle()) || driver.InHostFunc() {
		return
	}
	for m := d.garbage.take(); m != nil; m = m.next {
		_ = m.Close()
	}
}
