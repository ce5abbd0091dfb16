package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func moduleEntries() map[string]entry {
	return map[string]entry{
		"cuModuleLoadDataEx":         {bound, notNull(moduleLoadDataEx, 0)},
		"cuModuleUnload":             unlessNull(facts, 0, driver.InvalidHandle, bound, moduleUnload),
		"cuModuleGetFunction":        unlessNull(facts, 1, driver.InvalidHandle, bound, notNull(moduleGetFunction, 0, 2)),
		"cuModuleGetGlobal_v2":       unlessNull(facts, 2, driver.InvalidHandle, bound, notNull(moduleGetGlobal, 3)),
		"cuModuleGetLoadingMode":     {facts, moduleGetLoadingMode},
		"cuModuleGetFunctionCount":   unlessNull(facts, 1, driver.InvalidHandle, bound, notNull(moduleGetFunctionCount, 0)),
		"cuModuleEnumerateFunctions": {bound, moduleEnumerateFunctions},
	}
}

func moduleLoadDataEx(d *Driver, ctx *context, a []uintptr) driver.Result {
	j, r := readJIT(a[2], a[3], a[4])
	if r != driver.Success {
		return r
	}
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
	name := dl.GoString(a[2])
	f, ok := m.functions[name]
	switch {
	case name == "":
		return driver.InvalidValue
	case !ok:
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
	_, kernel := m.functions[name]
	switch {
	case name == "" || kernel || at == 0 && size == 0:
		return driver.InvalidValue
	case !ok:
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
	if a[0] == 0 {
		return driver.InvalidValue
	}
	copy(callee.Slice[uintptr](a[0], int(uint32(a[1]))), m.order)
	return driver.Success
}
