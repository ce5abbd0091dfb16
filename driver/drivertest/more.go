package drivertest

import (
	"bytes"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// host is pinned memory, kept while it lives.
type host struct {
	bytes []byte
	own   bool
}

// library is a module in each context where it was used.
type library struct {
	image   []byte
	modules map[uintptr]uintptr // by context
	kernels map[uintptr]string
	names   map[string]uintptr
}

type link struct {
	text   bytes.Buffer
	result []byte
}

func init() {
	hostMemory()
	libraries()
	links()
	play("cuLaunchHostFunc", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[0], func() driver.Result {
			dl.InvokeCallback(a[1], a[2])
			return driver.Success
		})
	})
	play("cuDeviceCanAccessPeer", nothing, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(yes(int32(a[1]) != int32(a[2]))))
		return driver.Success
	})
	play("cuDeviceGetP2PAttribute", nothing, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(1))
		return driver.Success
	})
	play("cuCtxEnablePeerAccess", bound, func(d *Driver, a []uintptr) driver.Result {
		h, c := d.boundContext()
		if d.contexts[a[0]] == nil || a[0] == h {
			return driver.InvalidContext
		}
		if c.peers[a[0]] {
			return driver.PeerAccessAlreadyEnabled
		}
		if c.peers == nil {
			c.peers = map[uintptr]bool{}
		}
		c.peers[a[0]] = true
		return driver.Success
	})
	play("cuCtxDisablePeerAccess", bound, func(d *Driver, a []uintptr) driver.Result {
		_, c := d.boundContext()
		if !c.peers[a[0]] {
			return driver.PeerAccessNotEnabled
		}
		delete(c.peers, a[0])
		return driver.Success
	})
	play("cuMemcpyPeerAsync", unlocked, func(d *Driver, a []uintptr) driver.Result {
		return d.enqueue(a[5], func() driver.Result {
			return d.move(uint64(a[0]), uint64(a[4]), func(dst []byte) { copy(dst, d.memory.at(uint64(a[2]), uint64(a[4]))) })
		})
	})
	play("cuMemGetAddressRange_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		b := d.memory.find(uint64(a[2]))
		if b == nil {
			return driver.NotFound
		}
		callee.Put(a[0], b.start)
		callee.Put(a[1], uint64(len(b.bytes)))
		return driver.Success
	})
	play("cuOccupancyMaxActiveClusters", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[1]]
		if f == nil {
			return driver.InvalidHandle
		}
		c := callee.At[launchConfig](a[2])
		fit := d.fit(f, int(c.block[0]*c.block[1]*c.block[2]), int(c.shared))
		callee.Put(a[0], int32(fit*16))
		return driver.Success
	})
	play("cuOccupancyMaxPotentialClusterSize", bound, func(d *Driver, a []uintptr) driver.Result {
		callee.Put(a[0], int32(8))
		return driver.Success
	})
	play("cuOccupancyMaxPotentialBlockSize", bound, func(d *Driver, a []uintptr) driver.Result {
		f := d.funcs[a[2]]
		if f == nil {
			return driver.InvalidHandle
		}
		threads := f.MaxThreads
		if limit := int(int32(a[5])); limit > 0 {
			threads = min(threads, limit)
		}
		facts := d.contexts[d.modules[f.module].ctx].device.facts
		callee.Put(a[0], int32(d.fit(f, threads, int(a[4]))*facts[driver.MultiprocessorCount]))
		callee.Put(a[1], int32(threads))
		return driver.Success
	})
	play("cuIpcGetMemHandle", bound, func(d *Driver, a []uintptr) driver.Result {
		if d.memory.find(uint64(a[1])) == nil {
			return driver.InvalidValue
		}
		var h driver.IPCHandle
		*(*uint64)(unsafe.Pointer(&h[0])) = uint64(a[1])
		h[63] = 0x5a
		callee.Put(a[0], h)
		return driver.Success
	})
	open := func(d *Driver, a []uintptr) driver.Result {
		h := *callee.At[driver.IPCHandle](a[1])
		if h[63] != 0x5a {
			return driver.InvalidValue
		}
		callee.Put(a[0], *(*uint64)(unsafe.Pointer(&h[0])))
		return driver.Success
	}
	play("cuIpcOpenMemHandle", bound, open)
	play("cuIpcOpenMemHandle_v2", bound, open)
	play("cuIpcCloseMemHandle", bound, func(d *Driver, a []uintptr) driver.Result { return driver.Success })
}

func hostMemory() {
	play("cuMemHostAlloc", bound, func(d *Driver, a []uintptr) driver.Result {
		words := make([]uint64, (a[1]+7)/8)
		b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), int(a[1]))
		p := uintptr(unsafe.Pointer(&words[0]))
		d.hosts[p] = host{b, true}
		callee.Put(a[0], p)
		return driver.Success
	})
	play("cuMemFreeHost", bound, func(d *Driver, a []uintptr) driver.Result {
		if !d.hosts[a[0]].own {
			return driver.InvalidValue
		}
		delete(d.hosts, a[0])
		return driver.Success
	})
	play("cuMemHostRegister_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		if _, ok := d.hosts[a[0]]; ok {
			return driver.HostMemoryAlreadyRegistered
		}
		d.hosts[a[0]] = host{dl.Memory(a[0], int(a[1])), false}
		return driver.Success
	})
	play("cuMemHostUnregister", bound, func(d *Driver, a []uintptr) driver.Result {
		if h, ok := d.hosts[a[0]]; !ok || h.own {
			return driver.HostMemoryNotRegistered
		}
		delete(d.hosts, a[0])
		return driver.Success
	})
	play("cuMemHostGetDevicePointer_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		if _, ok := d.hosts[a[1]]; !ok {
			return driver.InvalidValue
		}
		callee.Put(a[0], uint64(a[1]))
		return driver.Success
	})
}

func libraries() {
	play("cuLibraryLoadData", process, func(d *Driver, a []uintptr) driver.Result {
		var data []byte
		if bytes.HasPrefix(dl.Memory(a[1], 4), []byte("\x7fELF")) {
			data = bytes.Clone(dl.Memory(a[1], elfSize(a[1])))
		} else {
			data = append([]byte(dl.GoString(a[1])), 0)
			if _, ok := scanPTX(string(data)); !ok {
				return driver.InvalidImage
			}
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		h := d.handle()
		d.libraries[h] = &library{image: data, modules: map[uintptr]uintptr{}, kernels: map[uintptr]string{}, names: map[string]uintptr{}}
		callee.Put(a[0], h)
		return driver.Success
	})
	play("cuLibraryUnload", nothing, func(d *Driver, a []uintptr) driver.Result {
		l := d.libraries[a[0]]
		if l == nil {
			return driver.InvalidHandle
		}
		for _, m := range l.modules {
			d.unload(m)
		}
		delete(d.libraries, a[0])
		return driver.Success
	})
	play("cuLibraryGetKernel", bound, func(d *Driver, a []uintptr) driver.Result {
		l, name := d.libraries[a[1]], dl.GoString(a[2])
		if l == nil {
			return driver.InvalidHandle
		}
		m, r := d.libraryModule(l)
		if r != driver.Success {
			return r
		}
		if _, ok := m.functions[name]; !ok {
			return driver.NotFound
		}
		if l.names[name] == 0 {
			l.names[name] = d.handle()
			l.kernels[l.names[name]] = name
		}
		callee.Put(a[0], l.names[name])
		return driver.Success
	})
	play("cuKernelGetFunction", bound, func(d *Driver, a []uintptr) driver.Result {
		for _, l := range d.libraries {
			if name, ok := l.kernels[a[1]]; ok {
				m, r := d.libraryModule(l)
				if r == driver.Success {
					callee.Put(a[0], m.functions[name])
				}
				return r
			}
		}
		return driver.InvalidHandle
	})
	play("cuLibraryGetGlobal", bound, func(d *Driver, a []uintptr) driver.Result {
		l := d.libraries[a[2]]
		if l == nil {
			return driver.InvalidHandle
		}
		m, r := d.libraryModule(l)
		if r != driver.Success {
			return r
		}
		v, ok := m.variables[dl.GoString(a[3])]
		if !ok {
			return driver.NotFound
		}
		callee.Put(a[0], v.start)
		callee.Put(a[1], uint64(len(v.bytes)))
		return driver.Success
	})
}

// libraryModule is a library in the current context. The lock is held.
func (d *Driver) libraryModule(l *library) (*module, driver.Result) {
	ctx, c := d.boundContext()
	if c == nil {
		return nil, driver.InvalidContext
	}
	if h, ok := l.modules[ctx]; ok && d.modules[h] != nil {
		return d.modules[h], driver.Success
	}
	h, r := d.load(ctx, c.device, uintptr(unsafe.Pointer(&l.image[0])))
	if r != driver.Success {
		return nil, r
	}
	l.modules[ctx] = h
	return d.modules[h], r
}

func links() {
	play("cuLinkCreate_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		h := d.handle()
		d.links[h] = &link{}
		callee.Put(a[3], h)
		return driver.Success
	})
	play("cuLinkAddData_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		l := d.links[a[0]]
		if l == nil {
			return driver.InvalidHandle
		}
		if driver.LinkInput(a[1]) != driver.LinkPTX {
			return driver.NotSupported
		}
		if _, ok := scanPTX(dl.GoString(a[2])); !ok {
			return driver.InvalidPTX
		}
		l.text.WriteString(dl.GoString(a[2]))
		return driver.Success
	})
	play("cuLinkComplete", bound, func(d *Driver, a []uintptr) driver.Result {
		l := d.links[a[0]]
		if l == nil {
			return driver.InvalidHandle
		}
		l.result = append(l.text.Bytes(), 0)
		callee.Put(a[1], uintptr(unsafe.Pointer(&l.result[0])))
		callee.Put(a[2], uint64(len(l.result)))
		return driver.Success
	})
	play("cuLinkDestroy", bound, func(d *Driver, a []uintptr) driver.Result {
		if d.links[a[0]] == nil {
			return driver.InvalidHandle
		}
		delete(d.links, a[0])
		return driver.Success
	})
}
