package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A library is code that is loaded into each context where it is used.
type library struct {
	image   *image
	modules map[*context]uintptr
	kernels []uintptr // in the order of the text
	byName  map[string]uintptr
}

// A kernel is one of a library, in no context.
type kernel struct {
	library *library
	name    string
}

// newLibrary loads a library. That the devices can run it is seen now, where the log can say why not.
func (d *Driver) newLibrary(im *image) (uintptr, *refusal) {
	if len(d.devices) > 0 {
		var no *refusal
		dev := d.devices[0]
		d.unlocked(func() { no = im.try(dev) })
		if no != nil {
			return 0, no
		}
	}
	l := &library{image: im, modules: map[*context]uintptr{}, byName: map[string]uintptr{}}
	for _, f := range im.ptx.Entries() {
		h := put(d, d.kernels, &kernel{l, f.Name})
		l.kernels = append(l.kernels, h)
		l.byName[f.Name] = h
	}
	return put(d, d.libraries, l), nil
}

// try decodes an image beside a device, to see whether there is something that is not built.
func (im *image) try(dev *device) *refusal {
	p, err := engine.Load(im.ptx, engine.LoadConfig{Arch: dev.cc(), Memory: engine.NewMemory(dev.memory.Limit())})
	if err != nil {
		return refuse(driver.InvalidPTX, "sim: %v", err)
	}
	p.Unload()
	return nil
}

// module is a library in a context.
func (d *Driver) libraryModule(l *library, ctx *context) (*module, driver.Result) {
	if h, ok := l.modules[ctx]; ok {
		return d.modules[h], driver.Success
	}
	h, no := d.load(ctx, l.image)
	if no != nil {
		return nil, no.code
	}
	if other, ok := l.modules[ctx]; ok { // somebody was quicker
		d.unload(h)
		h = other
	}
	l.modules[ctx] = h
	return d.modules[h], driver.Success
}

// function finds the function of a CUfunction, or of a CUkernel as it is in a context.
func (d *Driver) function(h uintptr, ctx *context) (*function, driver.Result) {
	if f := d.functions[h]; f != nil {
		return f, driver.Success
	}
	k := d.kernels[h]
	if k == nil || ctx == nil {
		return nil, driver.InvalidHandle
	}
	m, r := d.libraryModule(k.library, ctx)
	if r != driver.Success {
		return nil, r
	}
	return d.functions[m.functions[k.name]], driver.Success
}

// unloadLibrary unloads a library from all contexts.
func (d *Driver) unloadLibrary(h uintptr) {
	l := d.libraries[h]
	for ctx, m := range l.modules {
		if d.fault == nil {
			d.settle(ctx)
		}
		if d.modules[m] != nil {
			d.unload(m)
		}
	}
	for _, k := range l.kernels {
		delete(d.kernels, k)
	}
	delete(d.libraries, h)
}
