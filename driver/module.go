package driver

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/purecuda/purecuda/dl"
)

// A Module is code loaded into a context.
//
// Safe for concurrent use.
type Module struct {
	ctx    *Context
	handle moduleHandle
	life   lifetime

	mu        sync.Mutex
	functions map[string]*Function
}

// A LoadConfig says how to load a module. The zero value is the driver's defaults.
//
// Safe for concurrent use after it is made; its fields must not change.
type LoadConfig struct {
}

// LoadModule loads an image into the context: PTX text, a cubin or a fatbin.
func (c *Context) LoadModule(image []byte, config LoadConfig) (*Module, error) {
	if len(image) == 0 {
		return nil, &Error{Op: "load module", Result: InvalidImage, Detail: "the image is empty"}
	}
	if image[len(image)-1] != 0 { // PTX ends with a NUL; to the others it is nothing
		image = append(image[:len(image):len(image)], 0)
	}
	h := new(moduleHandle)
	err := c.Do(func() error {
		return c.api.moduleLoadDataEx(h, unsafe.Pointer(&image[0]), 0, nil, nil)
	})
	runtime.KeepAlive(image)
	if err != nil {
		return nil, explain(err, "load module", "")
	}
	m := &Module{ctx: c, handle: *h, functions: map[string]*Function{}}
	c.driver.counts.modules.Add(1)
	if !c.children.add(m) {
		m.Close()
		return nil, c.closedError()
	}
	return m, nil
}

// Context is the context that the module is loaded into.
func (m *Module) Context() *Context { return m.ctx }

// Function finds a kernel by its name in the module, the lowered name of a
// template. Each call with one name gives the same *Function.
func (m *Module) Function(name string) (*Function, error) {
	if !m.life.enter() {
		return nil, m.closedError()
	}
	defer m.life.leave()
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.functions[name]; f != nil {
		return f, nil
	}
	cname, err := dl.CString(name)
	if err != nil {
		return nil, &opError{"find function", err}
	}
	h := new(functionHandle)
	f := &Function{module: m, ctx: m.ctx, name: name}
	err = m.ctx.Do(func() error {
		if err := m.ctx.api.moduleGetFunction(h, m.handle, &cname[0]); err != nil {
			return err
		}
		f.handle = *h
		return f.load()
	})
	if err != nil {
		return nil, explain(err, fmt.Sprintf("find function %q", name), m.available(err))
	}
	m.functions[name] = f
	return f, nil
}

func (m *Module) available(error) string { return "" }

// Global finds a __device__ or __constant__ variable by its lowered name: its
// address, which is the module's, and its size in bytes.
func (m *Module) Global(name string) (Pointer, uint64, error) {
	if !m.life.enter() {
		return 0, 0, m.closedError()
	}
	defer m.life.leave()
	cname, err := dl.CString(name)
	if err != nil {
		return 0, 0, &opError{"find variable", err}
	}
	p, size := new(Pointer), new(uint64)
	err = m.ctx.Do(func() error { return m.ctx.api.moduleGetGlobal(p, size, m.handle, &cname[0]) })
	if err != nil {
		return 0, 0, explain(err, fmt.Sprintf("find variable %q", name), "")
	}
	return *p, *size, nil
}

func (m *Module) closedError() error { return fmt.Errorf("driver: module: %w", ErrClosed) }

// Close unloads the module, when the launches of its functions have ended. It
// is safe on nil and more than once.
func (m *Module) Close() error {
	if m == nil {
		return nil
	}
	return m.life.close(func() error {
		c := m.ctx
		mine := c.tracks.list(func(t *track) bool { return t.module == m })
		for _, t := range mine {
			t.close()
		}
		for _, t := range mine {
			for _, s := range t.streams() {
				s.settle()
			}
		}
		err := c.bind(func() error { return c.api.moduleUnload(m.handle) })
		c.tracks.remove(m)
		c.children.drop(m)
		c.driver.counts.modules.Add(-1)
		return c.afterFault(err, "unload module")
	})
}
