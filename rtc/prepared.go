package rtc

import (
	"context"
	"fmt"
	"sync"
)

// A Prepared is a launch that was checked and packed once, to be made many
// times: Enqueue, Launch and SetArg parse nothing and allocate nothing.
//
// Safe for concurrent use; its calls then take turns. It holds on to its
// arrays, and a launch after one of them was closed is refused.
type Prepared struct {
	mu   sync.Mutex
	call *call
}

// Prepare checks and packs a launch of k on dev; see Launch for the
// parameters. There is nothing to close.
func (k *Kernel) Prepare(dev *Device, grid, block Dim3, shared int, args ...any) (*Prepared, error) {
	p, err := k.prepare(dev, grid, block, shared, args)
	if err != nil {
		return nil, fmt.Errorf("rtc: prepare %s: %w", k.name, err)
	}
	return p, nil
}

func (k *Kernel) prepare(dev *Device, grid, block Dim3, shared int, args []any) (*Prepared, error) {
	if err := dev.use(); err != nil {
		return nil, err
	}
	f, err := k.on(dev)
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
	if err := c.size(grid, block, shared); err != nil {
		return nil, err
	}
	return &Prepared{call: c}, nil
}

// Kernel is the kernel that is launched.
func (p *Prepared) Kernel() *Kernel { return p.call.k }

// SetArg sets argument i, from 0, for the launches to come.
func (p *Prepared) SetArg(i int, v any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.call.set(i, v); err != nil {
		return fmt.Errorf("rtc: set argument of %s: %w", p.call.k.name, err)
	}
	return nil
}

// Enqueue puts the launch into stream's queue and returns. stream must be of
// the device that the launch was prepared for.
func (p *Prepared) Enqueue(stream *Stream) error {
	if stream == nil || stream.dev != p.call.f.dev {
		return fmt.Errorf("rtc: enqueue %s: it was prepared for another device than the stream's", p.call.k.name)
	}
	if err := stream.dev.use(); err != nil {
		return fmt.Errorf("rtc: enqueue %s: %w", p.call.k.name, err)
	}
	p.mu.Lock()
	_, err := p.call.enqueue(stream, nil)
	p.mu.Unlock()
	if err != nil {
		return fmt.Errorf("rtc: enqueue %s: %w", p.call.k.name, err)
	}
	return nil
}

// Launch makes the launch and returns when the kernel has finished.
func (p *Prepared) Launch() error {
	if err := p.launch(); err != nil {
		return fmt.Errorf("rtc: launch %s: %w", p.call.k.name, err)
	}
	return nil
}

func (p *Prepared) launch() error {
	s := p.call.f.dev.stream
	if err := s.dev.use(); err != nil {
		return err
	}
	done, err := s.events.get()
	if err != nil {
		return err
	}
	p.mu.Lock()
	n, err := p.call.enqueue(s, done)
	p.mu.Unlock()
	if err != nil {
		s.events.put(done)
		return err
	}
	return s.waitLaunch(context.Background(), done, n)
}
