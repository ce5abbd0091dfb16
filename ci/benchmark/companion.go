package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// A companion is the C library that does in this process what the Go program does, with the same functions of the
// driver, the same context, stream and kernel.
type companion struct {
	enqueue, launchAndWait, compile dl.Func
	params                          uintptr // address of cuLaunchKernel's kernelParams
	launch                          dl.Func // cuLaunchKernel
	across                          dl.Func // once other was called
	lib, cuda                       *dl.Library
}

// newCompanion gives the C library its functions and handles. The event is made as rtc makes its own.
func newCompanion(folder string, s *setting) (*companion, error) {
	lib, err := dl.Open(filepath.Join(folder, "libpaths.so"))
	if err != nil {
		return nil, err
	}
	cuda, err := dl.Open(s.dev.Driver().Path())
	if err != nil {
		return nil, err
	}
	compiler, err := dl.Open(s.compiler.Path())
	if err != nil {
		return nil, err
	}
	c := &companion{lib: lib, cuda: cuda}
	var functions, launchOf, compileWith dl.Func
	if err := c.lookup(map[string]*dl.Func{
		"paths_functions": &functions, "paths_launch_of": &launchOf, "paths_compiler": &compileWith,
		"paths_enqueue": &c.enqueue, "paths_launch_and_wait": &c.launchAndWait, "paths_compile": &c.compile,
	}); err != nil {
		return nil, err
	}
	if c.launch, err = cuda.Lookup("cuLaunchKernel"); err != nil {
		return nil, err
	}
	a, err := addresses(cuda, "cuLaunchKernel", "cuEventRecord", "cuEventSynchronize", "cuCtxSetCurrent", "cuCtxGetCurrent")
	if err != nil {
		return nil, err
	}
	functions.CallSlice(a)
	event, err := s.dev.Context().NewEvent(driver.EventConfig{})
	if err != nil {
		return nil, err
	}
	c.params = launchOf.Call(s.dev.Context().Handle(), s.function.Handle(), s.stream.Raw().Handle(), event.Handle(), blocks, threads,
		uintptr(s.addressX), uintptr(s.addressY), elements)
	a, err = addresses(compiler, "nvrtcCreateProgram", "nvrtcCompileProgram", "nvrtcGetCUBINSize", "nvrtcGetCUBIN", "nvrtcDestroyProgram")
	if err != nil {
		return nil, err
	}
	major, minor := s.dev.ComputeCapability()
	compileWith.CallSlice(append(a, uintptr(10*major+minor)))
	return c, nil
}

// lookup finds functions of the C library.
func (c *companion) lookup(all map[string]*dl.Func) error {
	for name, to := range all {
		f, err := c.lib.Lookup(name)
		if err != nil {
			return err
		}
		*to = f
	}
	return nil
}

func addresses(r dl.Resolver, names ...string) ([]uintptr, error) {
	var all []uintptr
	for _, name := range names {
		f, err := r.Lookup(name)
		if err != nil {
			return nil, err
		}
		all = append(all, f.Addr)
	}
	return all, nil
}

// block calls a function that takes a number and returns nanoseconds, or an error code below zero.
func block(f *dl.Func, n int) (time.Duration, error) {
	r := int64(f.Call(uintptr(n)))
	if r < 0 {
		return 0, fmt.Errorf("the C library's call failed with %d", -r)
	}
	return time.Duration(r), nil
}
