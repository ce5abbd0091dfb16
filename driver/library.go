package driver

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

type (
	libraryHandle uintptr
	kernelHandle  uintptr
)

// A Library is code that belongs to no context: the driver loads it into each
// context where one of its functions is used. Since CUDA 12.0.
//
// Safe for concurrent use.
type Library struct {
	unit
	driver *Driver
	handle libraryHandle

	mu        sync.Mutex
	functions map[functionKey]*Function
}

type functionKey struct {
	ctx  *Context
	name string
}

// LoadLibrary loads an image: PTX text, a cubin or a fatbin. PTX may be
// compiled only when a function is looked for. Since CUDA 12.0.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__LIBRARY.html
func (d *Driver) LoadLibrary(image []byte, config LoadConfig) (*Library, error) {
	image, err := terminated(image, "load library")
	if err != nil {
		return nil, err
	}
	h, run := new(libraryHandle), config.run()
	n, names, values := run.options.arrays()
	err = d.api.libraryLoadData(h, firstByte(image), names, values, n, nil, nil, 0)
	runtime.KeepAlive(run)
	runtime.KeepAlive(image)
	if err != nil {
		detail := run.log()
		if detail == "" {
			detail = hint(err)
		}
		return nil, explain(err, "load library", detail)
	}
	d.counts.modules.Add(1)
	return &Library{unit: unit{kind: "library"}, driver: d, handle: *h, functions: map[functionKey]*Function{}}, nil
}

// Function finds a kernel by its lowered name and loads it into a context.
// Each call with one context and name gives the same *Function.
func (l *Library) Function(c *Context, name string) (*Function, error) {
	if !l.life.enter() {
		return nil, l.closedError()
	}
	defer l.life.leave()
	l.mu.Lock()
	defer l.mu.Unlock()
	key := functionKey{c, name}
	if f := l.functions[key]; f != nil {
		return f, nil
	}
	cname, err := dl.CString(name)
	if err != nil {
		return nil, &opError{"find function", err}
	}
	f := &Function{unit: &l.unit, ctx: c, name: name}
	err = c.Do(func() error {
		k, h := new(kernelHandle), new(functionHandle)
		if err := c.api.libraryGetKernel(k, l.handle, &cname[0]); err != nil {
			return err
		}
		if err := c.api.kernelGetFunction(h, *k); err != nil {
			return err
		}
		f.handle = *h
		return f.load()
	})
	if err != nil {
		return nil, explain(err, fmt.Sprintf("find function %q in library", name), c.loadDetail(err, nil, ""))
	}
	l.functions[key] = f
	return f, nil
}

// Names lists the kernels of the library. Since CUDA 12.4.
func (l *Library) Names() ([]string, error) {
	if !l.life.enter() {
		return nil, l.closedError()
	}
	defer l.life.leave()
	count := new(uint32)
	if err := l.driver.api.libraryGetKernelCount(count, l.handle); err != nil || *count == 0 {
		return nil, explain(err, "count the kernels of a library", "")
	}
	handles := make([]kernelHandle, *count)
	if err := l.driver.api.libraryEnumerateKernels(&handles[0], *count, l.handle); err != nil {
		return nil, explain(err, "list the kernels of a library", "")
	}
	var names []string
	for _, h := range handles {
		name := new(uintptr)
		if err := l.driver.api.kernelGetName(name, h); err != nil {
			return nil, explain(err, "name of a kernel of a library", "")
		}
		names = append(names, dl.GoString(*name))
	}
	return names, nil
}

// Global finds a variable by its lowered name, as it is in a context: its
// address and its size in bytes.
func (l *Library) Global(c *Context, name string) (Pointer, uint64, error) {
	if !l.life.enter() {
		return 0, 0, l.closedError()
	}
	defer l.life.leave()
	cname, err := dl.CString(name)
	if err != nil {
		return 0, 0, &opError{"find variable", err}
	}
	p, size := new(Pointer), new(uint64)
	err = c.Do(func() error { return c.api.libraryGetGlobal(p, size, l.handle, &cname[0]) })
	if err != nil {
		return 0, 0, explain(err, fmt.Sprintf("find variable %q in library", name), "")
	}
	return *p, *size, nil
}

// Close unloads the library from all contexts, when the launches of its
// functions have ended, which it waits for. It is safe on nil and more than once.
func (l *Library) Close() error {
	if l == nil {
		return nil
	}
	return l.life.close(func() error {
		for _, c := range l.driver.contexts.list() {
			l.retire(c.(*Context))
		}
		err := l.driver.api.libraryUnload(l.handle)
		l.driver.counts.modules.Add(-1)
		return l.driver.afterFault(err, "unload library")
	})
}
