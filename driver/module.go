package driver

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A Module is code loaded into a context.
//
// Safe for concurrent use.
type Module struct {
	unit
	ctx    *Context
	handle moduleHandle
	log    string

	mu        sync.Mutex
	functions map[string]*Function
}

// LoadModule loads an image into the context: PTX text, a cubin or a fatbin.
// The error says what the driver's compiler said, and explains those codes that
// come from the image and the machine not fitting each other.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MODULE.html
func (c *Context) LoadModule(image []byte, config LoadConfig) (*Module, error) {
	image, err := terminated(image, "load module")
	if err != nil {
		return nil, err
	}
	h, run := new(moduleHandle), config.run()
	err = c.Do(func() error {
		n, names, values := run.options.arrays()
		return c.api.moduleLoadDataEx(h, firstByte(image), n, names, values)
	})
	runtime.KeepAlive(run)
	runtime.KeepAlive(image)
	if err != nil {
		return nil, explain(err, "load module", c.loadDetail(err, image, run.log()))
	}
	m := &Module{unit: unit{kind: "module"}, ctx: c, handle: *h, log: run.log(), functions: map[string]*Function{}}
	c.driver.counts.modules.Add(1)
	if !c.children.add(m) {
		_ = m.Close()
		return nil, c.closedError()
	}
	return m, nil
}

// terminated is an image with a NUL behind it, where PTX ends for the driver;
// a cubin or a fatbin, which must be whole, tells its own length.
func terminated(image []byte, op string) ([]byte, error) {
	if len(image) == 0 {
		return nil, &Error{Op: op, Result: InvalidImage, Detail: "the image is empty"}
	}
	if err := CheckImage(image); err != nil {
		return nil, &Error{Op: op, Result: InvalidImage, Detail: err.Error()}
	}
	if image[len(image)-1] != 0 {
		image = append(image[:len(image):len(image)], 0)
	}
	return image, nil
}

// Context is the context that the module is loaded into.
func (m *Module) Context() *Context { return m.ctx }

// Log is what the driver's compiler said when it loaded PTX; "" mostly, unless
// LoadConfig.Verbose was set.
func (m *Module) Log() string { return m.log }

// Function finds a kernel by its name in the module: the lowered name, for one
// that isn't extern "C". Each call with one name gives the same *Function. Where the driver
// can list them (CUDA 12.4), an error tells the names that there are.
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
	f := &Function{unit: &m.unit, module: m, ctx: m.ctx, name: name}
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

// available lists the functions there are, when one was not found.
func (m *Module) available(err error) string {
	if !errors.Is(err, NotFound) {
		return ""
	}
	names, err := m.names()
	switch {
	case err != nil:
		return ""
	case len(names) == 0:
		return "the module has no kernels"
	case len(names) > 20:
		names = append(names[:20], fmt.Sprintf("… (%d in all)", len(names)))
	}
	return "the module has " + strings.Join(names, ", ")
}

// Names lists the kernels of the module, in the driver's order. Since CUDA
// 12.4; an older driver gives an [UnsupportedError].
func (m *Module) Names() ([]string, error) {
	if !m.life.enter() {
		return nil, m.closedError()
	}
	defer m.life.leave()
	names, err := m.names()
	return names, explain(err, "list the functions of a module", "")
}

func (m *Module) names() ([]string, error) {
	var names []string
	err := m.ctx.Do(func() error {
		count := new(uint32)
		if err := m.ctx.api.moduleGetFunctionCount(count, m.handle); err != nil || *count == 0 {
			return err
		}
		handles := make([]functionHandle, *count)
		if err := m.ctx.api.moduleEnumerateFunctions(&handles[0], *count, m.handle); err != nil {
			return err
		}
		for _, h := range handles {
			name := new(uintptr)
			if err := m.ctx.api.funcGetName(name, h); err != nil {
				return err
			}
			names = append(names, dl.GoString(*name))
		}
		return nil
	})
	return names, err
}

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

// Close unloads the module, when the launches of its functions have ended,
// which it waits for. It is safe on nil and more than once.
func (m *Module) Close() error {
	if m == nil {
		return nil
	}
	return m.life.close(func() error {
		c := m.ctx
		m.retire(c)
		err := c.bind(func() error { return c.api.moduleUnload(m.handle) })
		c.children.drop(m)
		c.driver.counts.modules.Add(-1)
		return c.afterFault(err, "unload module")
	})
}
