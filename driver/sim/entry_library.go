package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func libraryEntries() map[string]entry {
	return map[string]entry{
		"cuLibraryLoadData":         {facts, notNull(libraryLoadData, 0)},
		"cuLibraryUnload":           unlessNull(nothing, 0, driver.InvalidHandle, facts, libraryUnload),
		"cuLibraryGetKernel":        unlessNull(nothing, 1, driver.InvalidHandle, facts, notNull(libraryGetKernel, 0, 2)),
		"cuKernelGetFunction":       {bound, notNull(kernelGetFunction, 0)},
		"cuLibraryGetGlobal":        {bound, libraryGetGlobal},
		"cuLibraryGetKernelCount":   {process, notNull(libraryGetKernelCount, 0)},
		"cuLibraryEnumerateKernels": {process, libraryEnumerateKernels},
		"cuKernelGetName":           {process, notNull(kernelGetName, 0, 1)},
	}
}

func libraryLoadData(d *Driver, _ *context, a []uintptr) driver.Result {
	j, r := readJIT(a[4], a[2], a[3])
	if r != driver.Success {
		return r
	}
	var im *image
	var no *refusal
	d.unlocked(func() { im, no = d.read(a[1]) })
	h := uintptr(0)
	if no == nil {
		h, no = d.newLibrary(im)
	}
	if no != nil {
		j.refused(no)
		return no.code
	}
	write(j.info, j.infoSize, "")
	callee.Put(a[0], h)
	return driver.Success
}

func libraryUnload(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.libraries[a[0]] == nil {
		return driver.InvalidHandle
	}
	d.unloadLibrary(a[0])
	return driver.Success
}

func libraryGetKernel(d *Driver, _ *context, a []uintptr) driver.Result {
	l := d.libraries[a[1]]
	if l == nil {
		return driver.InvalidHandle
	}
	if no := l.image.fits(d.devices[0]); no != nil {
		return no.code
	}
	k, ok := l.byName[dl.GoString(a[2])]
	if !ok {
		return driver.NotFound
	}
	callee.Put(a[0], k)
	return driver.Success
}

func kernelGetFunction(d *Driver, ctx *context, a []uintptr) driver.Result {
	k := d.kernels[a[1]]
	if k == nil {
		return driver.InvalidHandle
	}
	m, r := d.libraryModule(k.library, ctx)
	if r == driver.Success {
		callee.Put(a[0], m.functions[k.name])
	}
	return r
}

func libraryGetGlobal(d *Driver, ctx *context, a []uintptr) driver.Result {
	l := d.libraries[a[2]]
	switch {
	case l == nil:
		return driver.InvalidHandle
	case a[3] == 0:
		return driver.InvalidValue
	}
	m, r := d.libraryModule(l, ctx)
	if r != driver.Success {
		return r
	}
	return m.putGlobal(a[0], a[1], dl.GoString(a[3]))
}

func libraryGetKernelCount(d *Driver, _ *context, a []uintptr) driver.Result {
	l := d.libraries[a[1]]
	if l == nil {
		return driver.InvalidHandle
	}
	callee.Put(a[0], uint32(len(l.kernels)))
	return driver.Success
}

func libraryEnumerateKernels(d *Driver, _ *context, a []uintptr) driver.Result {
	l := d.libraries[a[2]]
	if l == nil {
		return driver.InvalidHandle
	}
	if a[0] == 0 {
		return driver.InvalidValue
	}
	copy(callee.Slice[uintptr](a[0], int(uint32(a[1]))), l.kernels)
	return driver.Success
}

func kernelGetName(d *Driver, _ *context, a []uintptr) driver.Result {
	k := d.kernels[a[1]]
	if k == nil {
		return driver.InvalidHandle
	}
	callee.Put(a[0], d.text(k.name))
	return driver.Success
}
