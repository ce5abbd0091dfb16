package sim

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A module is code in a context.
type module struct {
	ctx       *context
	program   *engine.Program
	functions map[string]uintptr
	order     []uintptr
	version   int // of the PTX: 84 for 8.4
}

// A refusal is why an image can't be loaded: the code, and the text for the log.
type refusal struct {
	code driver.Result
	text string
}

func refuse(code driver.Result, format string, args ...any) *refusal {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

// load makes a module of an image, without the lock while it takes its time.
func (d *Driver) load(ctx *context, im *image) (uintptr, *refusal) {
	var program *engine.Program
	var no *refusal
	d.unlocked(func() { program, no = im.decode(ctx.device, ctx.config) })
	switch {
	case no != nil:
		return 0, no
	case ctx.gone:
		program.Unload()
		return 0, refuse(driver.ContextIsDestroyed, "")
	}
	m := &module{ctx: ctx, program: program, functions: map[string]uintptr{}, version: im.version()}
	for _, k := range program.Kernels() {
		h := put(d, d.functions, newFunction(m, k))
		m.functions[k.Name] = h
		m.order = append(m.order, h)
	}
	return put(d, d.modules, m), nil
}

// decode makes of an image what the engine runs on a device.
func (im *image) decode(dev *device, c *engine.Config) (*engine.Program, *refusal) {
	if no := im.fits(dev); no != nil {
		return nil, no
	}
	p, err := engine.Load(im.ptx, engine.LoadConfig{Arch: dev.cc(), Memory: dev.memory, Config: c})
	switch {
	case err == nil:
		return p, nil
	case errors.Is(err, engine.ErrOutOfMemory):
		return nil, refuse(driver.OutOfMemory, "sim: %v", err)
	}
	return nil, refuse(driver.InvalidPTX, "sim: %v", err)
}

// unload drops a module of which nothing runs any more.
func (d *Driver) unload(h uintptr) {
	m := d.modules[h]
	delete(d.modules, h)
	for _, f := range m.order {
		delete(d.functions, f)
	}
	m.program.Unload()
}

// settle waits for what a context's streams have in them, but for streams that are captured.
func (d *Driver) settle(ctx *context) {
	d.queue.drain(func(s *stream) bool { return s.ctx == ctx })
}
