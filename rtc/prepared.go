package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A Prepared is a launch that was checked and packed once, to be made many
// times: Enqueue, Launch and SetArg parse nothing and allocate nothing.
// [Kernel.Prepare] makes one.
//
// Safe for concurrent use. Its calls then take turns. It holds on to its
// arrays, and a launch after one of them was closed is refused. There is
// nothing to close.
type Prepared struct {
	dev  *Device // nil in the zero Prepared, which can't be used
	call call    // guarded by the device's lock
}

// Prepare checks and packs a launch of k on dev; see Launch for the
// parameters.
func (k *Kernel) Prepare(dev *Device, grid, block Dim3, shared int, args ...any) (*Prepared, error) {
	if err := k.made(); err != nil {
		return nil, fmt.Errorf("rtc: prepare: %w", err)
	}
	p, err := k.prepare(dev, grid, block, shared, args)
	if err != nil {
		return nil, failed("prepare", k.name, err)
	}
	return p, nil
}

func (k *Kernel) prepare(dev *Device, grid, block Dim3, shared int, args []any) (*Prepared, error) {
	if err := dev.use(); err != nil {
		return nil, err
	}
	f, err := k.on(context.Background(), dev)
	if err != nil {
		return nil, err
	}
	c, err := k.newCall(f)
	if err != nil {
		return nil, err
	}
	if err := c.setAll(args); err != nil {
		return nil, err
	}
	if err := c.resize(&size{grid, block, shared}); err != nil {
		return nil, err
	}
	return &Prepared{dev: dev, call: *c}, nil
}

// Kernel is the kernel that is launched.
func (p *Prepared) Kernel() *Kernel {
	if p == nil {
		return nil
	}
	return p.call.k
}

// String is what is launched: launch of axpy.
func (p *Prepared) String() string {
	if p.made() != nil {
		return "no launch"
	}
	return "launch of " + p.call.k.name
}

// Raw is the launch as the driver knows it, for graphs: with the arguments that
// are set when it is used. The Prepared must stay reachable meanwhile.
func (p *Prepared) Raw() *driver.Launch {
	if p == nil {
		return nil
	}
	return p.call.launch
}

// Uses lists the arrays among the arguments: those that the kernel only reads,
// by the const in its signature, and the others.
func (p *Prepared) Uses() (reads, writes []*Array) {
	if p.made() != nil {
		return nil, nil
	}
	p.dev.order.mu.Lock()
	defer p.dev.order.mu.Unlock()
	for i, a := range p.call.arrays {
		switch {
		case a == nil:
		case p.call.k.writes[i]:
			writes = append(writes, a)
		default:
			reads = append(reads, a)
		}
	}
	return reads, writes
}

// SetArg sets argument i, from 0, for the launches to come. If it is refused
// the argument stays as it was. The DevicePointer method of an argument of the
// caller's own must not launch anything.
func (p *Prepared) SetArg(i int, v any) error {
	if p == nil || p.dev == nil {
		return fmt.Errorf("rtc: set argument: %w", p.made())
	}
	p.dev.order.mu.Lock()
	defer p.dev.order.mu.Unlock()
	if err := p.call.set(i, v); err != nil {
		return failed("set argument of", p.call.k.name, err)
	}
	return nil
}

// Enqueue puts the launch into stream's queue and returns. stream must be of
// the device that the launch was prepared for.
func (p *Prepared) Enqueue(stream *Stream) error {
	if p == nil || stream == nil || p.dev == nil || stream.dev != p.dev {
		return p.misplaced(stream)
	}
	if err := p.call.enqueue(stream); err != nil {
		return p.failed(err)
	}
	return nil
}

// failed makes the error of Enqueue.
func (p *Prepared) failed(err error) error {
	// Whether the device is closed, or lost, was the driver's to see.
	if why := p.dev.use(); why != nil {
		err = why
	}
	return failed("enqueue", p.call.k.name, err)
}

// misplaced says why a launch can't go into s at all.
func (p *Prepared) misplaced(s *Stream) error {
	switch {
	case p == nil || p.dev == nil:
		return fmt.Errorf("rtc: enqueue: %w", p.made())
	case s == nil || s.dev == nil:
		return failed("enqueue", p.call.k.name, s.use())
	}
	return failed("enqueue", p.call.k.name, fmt.Errorf("it was prepared for device %d, the stream is of %s", p.dev.ordinal, s.dev.other(p.dev)))
}

// Launch makes the launch and returns when the kernel has finished.
func (p *Prepared) Launch() error { return p.LaunchContext(never) }

// LaunchContext is Launch with a context that ends the waiting, not the
// kernel; see [Kernel.LaunchContext]. One that can end costs an allocation.
func (p *Prepared) LaunchContext(ctx context.Context) error {
	if p == nil || p.dev == nil {
		return fmt.Errorf("rtc: launch: %w", p.made())
	}
	if err := p.launch(ctx); err != nil {
		return p.relaunch(ctx, err)
	}
	return nil
}

// relaunch is launch where that failed: as often as something was in its way.
func (p *Prepared) relaunch(ctx context.Context, err error) error {
	for err != nil {
		if err = yield(ctx, err); err != nil {
			return failed("launch", p.call.k.name, err)
		}
		err = p.launch(ctx)
	}
	return nil
}

func (p *Prepared) launch(ctx context.Context) error {
	if ctx != nil && ctx.Err() != nil {
		return ended(ctx)
	}
	w, err := p.call.start(ctx, p.dev.stream)
	if err != nil {
		return p.dev.reason(err)
	}
	return p.dev.await(ctx, w)
}

func (p *Prepared) made() error {
	switch {
	case p == nil:
		return errNilPrepared
	case p.dev == nil:
		return unmade("Prepared")
	}
	return nil
}

var (
	errNilPrepared = errors.New("the prepared launch is nil")
	errNilStream   = errors.New("the stream is nil")
)
