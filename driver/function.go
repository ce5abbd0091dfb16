package driver

import (
	"errors"
	"fmt"
	"sync"
)

// A Function is a kernel in a module or a library. It lives as long as that and
// is not closed.
//
// Safe for concurrent use.
type Function struct {
	unit   *unit
	module *Module // nil: of a library
	ctx    *Context
	handle functionHandle
	name   string

	regs, static, local, maxThreads int
	cluster                         Dim3 // compiled in; the zero Dim3: none
	clusterNeeded                   bool

	mu         sync.Mutex
	large      bool   // clusters of more than 8 blocks are allowed
	dynamic    uint32 // the dynamic shared memory it may be launched with
	params     []ParamInfo
	paramsErr  error
	paramsRead bool
}

// A ParamInfo is the place of a parameter in a kernel's parameter block, in bytes.
//
// Safe for concurrent use after it is made; its fields must not change.
type ParamInfo struct{ Offset, Size uint64 }

// load reads what launches need to know.
func (f *Function) load() error {
	for _, a := range []struct {
		to *int
		a  FunctionAttribute
	}{
		{&f.regs, FuncNumRegs}, {&f.static, FuncSharedSizeBytes},
		{&f.local, FuncLocalSizeBytes}, {&f.maxThreads, FuncMaxThreadsPerBlock},
	} {
		v := new(int32)
		if err := f.ctx.api.funcGetAttribute(v, a.a, f.handle); err != nil {
			return err
		}
		*a.to = int(*v)
	}
	v := new(int32)
	if err := f.ctx.api.funcGetAttribute(v, FuncMaxDynamicSharedSizeBytes, f.handle); err == nil {
		f.dynamic = uint32(*v)
	} else if l, err := f.ctx.device.launchLimits(); err == nil { // before CUDA 9.0
		f.dynamic = uint32(max(0, l.shared-f.static))
	}
	if l, err := f.ctx.device.launchLimits(); err == nil && l.cluster {
		f.cluster = Dim3{f.clusterFact(FuncRequiredClusterWidth), f.clusterFact(FuncRequiredClusterHeight), f.clusterFact(FuncRequiredClusterDepth)}
		f.clusterNeeded = f.clusterFact(FuncClusterSizeMustBeSet) != 0 && f.cluster == Dim3{}
	}
	return nil
}

// clusterFact is an attribute that drivers before CUDA 11.8 do not know.
func (f *Function) clusterFact(a FunctionAttribute) uint32 {
	v := new(int32)
	if err := f.ctx.api.funcGetAttribute(v, a, f.handle); err != nil {
		return 0
	}
	return uint32(*v)
}

// Name is the name that the function was found by.
func (f *Function) Name() string { return f.name }

// Module is the module that the function is in, nil for one of a [Library].
func (f *Function) Module() *Module { return f.module }

// NumRegs is the number of 32-bit registers that a thread uses.
func (f *Function) NumRegs() int { return f.regs }

// StaticShared is the __shared__ memory of known size that a block uses, in bytes.
func (f *Function) StaticShared() int { return f.static }

// Local is the local memory of a thread, in bytes.
func (f *Function) Local() int { return f.local }

// MaxThreads is the most threads that a block of it can have on this device,
// by its registers and its __launch_bounds__.
func (f *Function) MaxThreads() int { return f.maxThreads }

// Attribute asks the driver for a fact about the function.
func (f *Function) Attribute(a FunctionAttribute) (int, error) {
	v := new(int32)
	if err := f.in(func() error { return f.ctx.api.funcGetAttribute(v, a, f.handle) }); err != nil {
		return 0, explain(err, fmt.Sprintf("%s of %s", a, f.name), "")
	}
	return int(*v), nil
}

// in calls g with the context current while the module is loaded.
func (f *Function) in(g func() error) error {
	if !f.unit.life.enter() {
		return f.unit.closedError()
	}
	defer f.unit.life.leave()
	return f.ctx.Do(g)
}

// Params lists the parameters of the kernel as it was compiled. Since CUDA
// 12.4; an older driver gives an [UnsupportedError]. The driver is asked once.
func (f *Function) Params() ([]ParamInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.paramsRead {
		return f.params, f.paramsErr
	}
	params := []ParamInfo{}
	err := f.in(func() error {
		for {
			offset, size := new(uint64), new(uint64)
			err := f.ctx.api.funcGetParamInfo(f.handle, uint64(len(params)), offset, size)
			if errors.Is(err, InvalidValue) { // there are no more
				return nil
			}
			if err != nil {
				return err
			}
			params = append(params, ParamInfo{*offset, *size})
		}
	})
	if err != nil {
		params, err = nil, explain(err, "parameters of "+f.name, "")
	}
	if err == nil || errors.Is(err, errors.ErrUnsupported) {
		f.params, f.paramsErr, f.paramsRead = params, err, true
	}
	return params, err
}

// SetMaxDynamicShared allows launches with up to that many bytes of dynamic
// shared memory. It only raises: a smaller value than is allowed changes nothing,
// so that launches on other goroutines stay right. Launches raise it by themselves.
func (f *Function) SetMaxDynamicShared(bytes uint32) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if bytes <= f.dynamic {
		return nil
	}
	err := f.in(func() error {
		return f.ctx.api.funcSetAttribute(f.handle, FuncMaxDynamicSharedSizeBytes, int32(bytes))
	})
	if err != nil {
		return explain(err, fmt.Sprintf("allow %s %d bytes of dynamic shared memory", f.name, bytes), "")
	}
	f.dynamic = bytes
	return nil
}

// AllowLargeClusters allows launches with clusters of 9 to 16 blocks, which not
// every device that has clusters can run. Since CUDA 11.8.
func (f *Function) AllowLargeClusters() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.in(func() error {
		return f.ctx.api.funcSetAttribute(f.handle, FuncNonPortableClusterSizeAllowed, 1)
	})
	if err == nil {
		f.large = true
	}
	return explain(err, "allow "+f.name+" large clusters", "")
}

func (f *Function) largeClusters() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.large
}
