package drivertest

import (
	"bytes"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Function is what the double knows of a kernel. See [Driver.Describe].
//
// Not safe for concurrent use.
type Function struct {
	Name       string
	Params     []Param
	Registers  int // a thread
	Shared     int // static, bytes
	Local      int // bytes a thread
	MaxThreads int // a block
	Cluster    [3]int
}

// A Param is the place of a parameter, in bytes.
//
// Safe for concurrent use after it is made; its fields must not change.
type Param struct{ Offset, Size int }

type module struct {
	ctx       uintptr
	functions map[string]uintptr
	order     []uintptr
	variables map[string]*block
}

type function struct {
	Function
	module  uintptr
	dynamic int32 // the most dynamic shared memory
	other   map[driver.FunctionAttribute]int32
	cname   []byte
}

// Describe lets the test change what the double knows of a kernel when it is
// loaded next: its registers, say, which PTX does not tell.
func (d *Driver) Describe(kernel string, change func(*Function)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.facts[kernel] = change
}

// load makes a module. The lock is held.
func (d *Driver) load(ctx uintptr, dev *device, data uintptr) (uintptr, driver.Result) {
	var im *image
	var ok bool
	if bytes.HasPrefix(dl.Memory(data, 4), []byte("\x7fELF")) {
		if im, ok = scanCubin(dl.Memory(data, elfSize(data))); !ok {
			return 0, driver.InvalidImage
		}
	} else {
		if im, ok = scanPTX(dl.GoString(data)); !ok {
			return 0, driver.InvalidImage
		}
		if im.version > d.ptxVersion() {
			return 0, driver.UnsupportedPTXVersion
		}
		if im.target > 10*dev.Major+dev.Minor {
			return 0, driver.NoBinaryForGPU
		}
	}
	h := d.handle()
	m := &module{ctx: ctx, functions: map[string]uintptr{}, variables: map[string]*block{}}
	d.modules[h] = m
	for _, f := range im.functions {
		if change := d.facts[f.Name]; change != nil {
			change(f)
		}
		k := d.handle()
		d.funcs[k] = &function{Function: *f, module: h, dynamic: int32(max(0, 48<<10-f.Shared)),
			other: map[driver.FunctionAttribute]int32{}, cname: append([]byte(f.Name), 0)}
		m.functions[f.Name] = k
		m.order = append(m.order, k)
	}
	for _, v := range im.variables {
		b, _ := d.memory.alloc(uint64(v.size), ctx, nil)
		b.module = h
		copy(b.bytes, v.data)
		m.variables[v.name] = b
	}
	return h, driver.Success
}

// elfSize is the size of the ELF file at an address, by its header.
func elfSize(p uintptr) int {
	shoff, phoff := *callee.At[uint64](p + 40), *callee.At[uint64](p + 32)
	shsize, shnum := *callee.At[uint16](p + 58), *callee.At[uint16](p + 60)
	phsize, phnum := *callee.At[uint16](p + 54), *callee.At[uint16](p + 56)
	return int(max(shoff+uint64(shsize)*uint64(shnum), phoff+uint64(phsize)*uint64(phnum)))
}

// ptxVersion is the newest PTX that the version takes.
func (d *Driver) ptxVersion() int {
	v := d.config.Version
	switch {
	case v.Major == 8:
		return 50
	case v.Major == 9:
		return 60 + v.Minor
	case v.Major == 10:
		return 63 + v.Minor
	}
	return (v.Major-4)*10 + v.Minor
}

// unload drops a module. The lock is held.
func (d *Driver) unload(h uintptr) {
	delete(d.modules, h)
	for k, f := range d.funcs {
		if f.module == h {
			delete(d.funcs, k)
		}
	}
	d.memory.drop(func(b *block) bool { return b.module == h })
}

func init() {
	load := func(image int) func(d *Driver, a []uintptr) driver.Result {
		return func(d *Driver, a []uintptr) driver.Result {
			h, c := d.boundContext()
			if c == nil {
				return driver.InvalidContext
			}
			for _, s := range d.streams {
				if s.capture != nil {
					return driver.StreamCaptureUnsupported
				}
			}
			m, r := d.load(h, c.device, a[image])
			if r != driver.Success {
				if len(a) > 4 {
					d.jitLog(a, r)
				}
				return r
			}
			callee.Put(a[0], m)
			return r
		}
	}
	play("cuModuleLoadDataEx", bound, load(1))
	play("cuModuleLoadData", bound, load(1))
	play("cuModuleUnload", bound, func(d *Driver, a []uintptr) driver.Result {
		if d.modules[a[0]] == nil {
			return driver.InvalidHandle
		}
		d.unload(a[0])
		return driver.Success
	})
	play("cuModuleGetFunction", bound, func(d *Driver, a []uintptr) driver.Result {
		m := d.modules[a[1]]
		if m == nil {
			return driver.InvalidHandle
		}
		f, ok := m.functions[dl.GoString(a[2])]
		if !ok {
			return driver.NotFound
		}
		callee.Put(a[0], f)
		return driver.Success
	})
	play("cuModuleGetGlobal_v2", bound, func(d *Driver, a []uintptr) driver.Result {
		m := d.modules[a[2]]
		if m == nil {
			return driver.InvalidHandle
		}
		v, ok := m.variables[dl.GoString(a[3])]
		if !ok {
			return driver.NotFound
		}
		callee.Put(a[0], v.start)
		callee.Put(a[1], uint64(len(v.bytes)))
		return driver.Success
	})
	play("cuModuleGetFunctionCount", bound, func(d *Driver, a []uintptr) driver.Result {
		m := d.modules[a[1]]
		if m == nil {
			return driver.InvalidHandle
		}
		callee.Put(a[0], uint32(len(m.order)))
		return driver.Success
	})
	play("cuModuleEnumerateFunctions", bound, func(d *Driver, a []uintptr) driver.Result {
		m := d.modules[a[2]]
		if m == nil {
			return driver.InvalidHandle
		}
		copy(callee.Slice[uintptr](a[0], int(a[1])), m.order)
		return driver.Success
	})
}

// jitLog fills the error buffer of the JIT options, where there is one.
func (d *Driver) jitLog(a []uintptr, r driver.Result) {
	options := callee.Slice[int32](a[3], int(a[2]))
	values := callee.Slice[uintptr](a[4], int(a[2]))
	const errorBuffer, errorBufferSize = 5, 6 // CU_JIT_ERROR_LOG_BUFFER, …_SIZE_BYTES
	size, where := 0, uintptr(0)
	for i, o := range options {
		switch o {
		case errorBufferSize:
			size = int(uint32(values[i]))
		case errorBuffer:
			where = values[i]
		}
	}
	if where != 0 && size > 0 {
		text := append([]byte("drivertest: "+r.String()), 0)
		copy(dl.Memory(where, size), text)
	}
}
