package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func moduleEntries() map[string]entry {
	return map[string]entry{
		"cuModuleLoadDataEx":         {bound, moduleLoadDataEx},
		"cuModuleUnload":             {bound, moduleUnload},
		"cuModuleGetFunction":        {bound, moduleGetFunction},
		"cuModuleGetGlobal_v2":       {bound, moduleGetGlobal},
		"cuModuleGetLoadingMode":     {facts, moduleGetLoadingMode},
		"cuModuleGetFunctionCount":   {bound, moduleGetFunctionCount},
		"cuModuleEnumerateFunctions": {bound, moduleEnumerateFunctions},
	}
}

func moduleLoadDataEx(d *Driver, ctx *context, a []uintptr) driver.Result {
	j := readJIT(a[2], a[3], a[4])
	var im *image
	var no *refusal
	d.unlocked(func() { im, no = d.read(a[1]) })
	h := uintptr(0)
	if no == nil {
		h, no = d.load(ctx, im)
	}
	if no != nil {
		j.refused(no)
		return no.code
	}
	j.loaded(d, d.modules[h])
	callee.Put(a[0], h)
	return driver.Success
}

func moduleUnload(d *Driver, ctx *context, a []uintptr) driver.Result {
	m := d.modules[a[0]]
	if m == nil {
		return driver.InvalidHandle
	}
	d.settle(m.ctx)
	if d.modules[a[0]] == m {
		d.unload(a[0])
	}
	return d.broken()
}

func moduleGetFunction(d *Driver, _ *context, a []uintptr) driver.Result {
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
}

func moduleGetGlobal(d *Driver, _ *context, a []uintptr) driver.Result {
	m := d.modules[a[2]]
	if m == nil {
		return driver.InvalidHandle
	}
	return m.putGlobal(a[0], a[1], dl.GoString(a[3]))
}

func (m *module) putGlobal(at, size uintptr, name string) driver.Result {
	addr, n, ok := m.program.Global(name)
	if !ok {
		return driver.NotFound
	}
	callee.Put(at, addr)
	callee.Put(size, uint64(n))
	return driver.Success
}

func moduleGetLoadingMode(_ *Driver, _ *context, a []uintptr) driver.Result {
	callee.Put(a[0], int32(1)) // CU_MODULE_EAGER_LOADING
	return driver.Success
}

func moduleGetFunctionCount(d *Driver, _ *context, a []uintptr) driver.Result {
	m := d.modules[a[1]]
	if m == nil {
		return driver.InvalidHandle
	}
	callee.Put(a[0], uint32(len(m.order)))
	return driver.Success
}

func moduleEnumerateFunctions(d *Driver, _ *context, a []uintptr) driver.Result {
	m := d.modules[a[2]]
	if m == nil {
		return driver.InvalidHandle
	}
	copy(callee.Slice[uintptr](a[0], int(uint32(a[1]))), m.order)
	return driver.Success
}
