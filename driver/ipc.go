package driver

import (
	"encoding/binary"
	"fmt"
	"runtime"
)

// An IPCHandle stands for device memory in another process of the machine. It
// is plain data: send it by any way.
type IPCHandle [64]byte

// An IPCEventHandle stands for an event in another process of the machine.
type IPCEventHandle [64]byte

// IPCHandle makes a handle of memory that Alloc gave. The other process can
// then use the whole block of the driver that it lies in, neighbours included;
// see [PhysicalMemory] for memory that is shared alone.
func (c *Context) IPCHandle(p Pointer) (IPCHandle, error) {
	h := new(IPCHandle)
	err := c.Do(func() error { return c.api.ipcGetMemHandle(h, p) })
	return *h, explain(err, fmt.Sprintf("export memory at %s", p), "")
}

// IPCMemory is memory of another process.
//
// Safe for concurrent use.
type IPCMemory struct {
	ctx  *Context
	at   Pointer
	life lifetime
}

// OpenIPC opens memory of another process; the exporting process itself can't.
func (c *Context) OpenIPC(h IPCHandle) (*IPCMemory, error) {
	m := &IPCMemory{ctx: c}
	fn := fnIpcOpenMemHandle
	if !c.api.table.Has(fn) {
		fn = fnIpcOpenMemHandleOld
	}
	const lazyPeer = 1 // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
	err := c.Do(func() error { return c.api.callIPC(fn, word(&m.at), &h, lazyPeer) })
	if err != nil {
		return nil, explain(err, "open another process's memory", "")
	}
	c.driver.counts.others.Add(1)
	if !c.children.add(m) {
		_ = m.Close()
		return nil, c.closedError()
	}
	return m, nil
}

// Pointer is its address here.
func (m *IPCMemory) Pointer() Pointer { return m.at }

// Close ends the use of the memory. It is safe on nil and more than once.
func (m *IPCMemory) Close() error {
	if m == nil {
		return nil
	}
	return m.life.close(func() error {
		c := m.ctx
		err := c.bind(func() error { return c.api.ipcCloseMemHandle(m.at) })
		c.children.drop(m)
		c.driver.counts.others.Add(-1)
		return c.afterFault(err, "close another process's memory")
	})
}

// IPCHandle makes a handle of an event made with EventConfig.IPC.
func (e *Event) IPCHandle() (IPCEventHandle, error) {
	if !e.life.enter() {
		return IPCEventHandle{}, e.closedError()
	}
	defer e.life.leave()
	h := new(IPCEventHandle)
	err := e.ctx.Do(func() error { return e.ctx.api.ipcGetEventHandle(h, e.handle) })
	return *h, explain(err, "export event", "")
}

// OpenEvent opens an event of another process.
func (c *Context) OpenEvent(h IPCEventHandle) (*Event, error) {
	e := &Event{ctx: c}
	handle := IPCHandle(h)
	err := c.Do(func() error { return c.api.callIPC(fnIpcOpenEventHandle, word(&e.handle), &handle) })
	if err != nil {
		return nil, explain(err, "open another process's event", "")
	}
	return e.start()
}

// callIPC calls a function whose second parameter is a struct of 64 bytes by
// value. The System V ABI of amd64 copies such a one to the stack, where words
// after the sixth go; arm64 and Windows pass the address of a copy. So does a
// function in Go.
func (a *api) callIPC(fn int, out uintptr, h *IPCHandle, rest ...uintptr) error {
	f, err := a.unguarded.Func(fn)
	if err != nil {
		return a.missing(err)
	}
	if fault := a.fault.first(); fault != nil {
		return a.failure(a.table.Decl(fn).Name, fault.Result)
	}
	var words []uintptr
	if f.Go == nil && runtime.GOARCH == "amd64" && runtime.GOOS != "windows" {
		words = make([]uintptr, 6, 14)
		words[0] = out
		copy(words[1:6], rest)
		for i := range 8 {
			words = append(words, uintptr(binary.NativeEndian.Uint64(h[8*i:])))
		}
	} else {
		copied := *h
		words = append([]uintptr{out, word(&copied)}, rest...)
		defer runtime.KeepAlive(&copied)
	}
	return a.result(fn, f.CallSlice(words))
}
