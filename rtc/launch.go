package rtc

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A call is a launch with its memory: arguments, checked sizes, and the arrays
// among the arguments. Calls are reused.
type call struct {
	k      *Kernel
	f      *function
	buf    *abi.Buffer
	launch *driver.Launch
	grid   Dim3
	block  Dim3
	shared int
	arrays []*Array // by argument; nil where there is none
}

func (k *Kernel) newCall(f *function) (*call, error) {
	buf, err := abi.NewBuffer(k.name, k.sig, f.slots)
	if err != nil {
		return nil, err
	}
	return &call{k: k, f: f, buf: buf, arrays: make([]*Array, len(k.sig.Params))}, nil
}

func (f *function) call(k *Kernel) (*call, error) {
	if c, ok := f.calls.Get().(*call); ok {
		return c, nil
	}
	return k.newCall(f)
}

func (f *function) put(c *call) {
	clear(c.arrays)
	f.calls.Put(c)
}

// size sets grid, block and shared memory, checked against the device.
func (c *call) size(grid, block Dim3, shared int) error {
	if c.launch != nil && grid == c.grid && block == c.block && shared == c.shared {
		return nil
	}
	if shared < 0 || shared > math.MaxInt32 {
		return fmt.Errorf("%d bytes of dynamic shared memory", shared)
	}
	config, err := c.k.config(grid, block, shared)
	if err != nil {
		return err
	}
	launch, err := c.f.raw.Prepare(config, c.buf.Pointers())
	if err != nil {
		return err
	}
	c.launch, c.grid, c.block, c.shared = launch, grid, block, shared
	return nil
}

// set sets argument i.
func (c *call) set(i int, v any) error {
	a, _ := v.(*Array)
	if a != nil && a.mem.dev != c.f.dev && i < len(c.arrays) {
		return fmt.Errorf("argument %d (%s): %v is on device %d, the launch on device %d", i, c.k.sig.Params[i].Name, a, a.mem.dev.ordinal, c.f.dev.ordinal)
	}
	if err := c.buf.Set(i, v); err != nil {
		return err
	}
	c.arrays[i] = a
	return nil
}

// setAll sets all arguments.
func (c *call) setAll(args []any) error {
	if len(args) != c.buf.Len() {
		return c.buf.SetAll(args) // which has the words for it
	}
	for i, v := range args {
		if err := c.set(i, v); err != nil {
			return err
		}
	}
	return nil
}

// enqueue gives the launch to s, with done, if not nil, recorded behind it. It
// returns the launch's number there.
func (c *call) enqueue(s *Stream, done *driver.Event) (uint64, error) {
	s.mu.Lock()
	for i, a := range c.arrays {
		if a != nil && a.mem.closed.Load() {
			s.mu.Unlock()
			return 0, fmt.Errorf("argument %d (%s): %v is %w", i, c.k.sig.Params[i].Name, a, ErrClosed)
		}
	}
	err := c.launch.Enqueue(s.raw)
	s.enqueued++
	n := s.enqueued
	if err == nil && done != nil {
		err = s.raw.Record(done)
	}
	s.mu.Unlock()
	runtime.KeepAlive(c)
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Launch runs the kernel on dev with grid blocks of block threads, shared
// bytes of dynamic shared memory, and an argument for every parameter, and
// returns when it has finished. What the launch can't be is refused before the
// GPU hears of it, with the argument, axis or limit named.
//
// For pointers args has *Array, nil or [abi.Addr]; for numbers Go numbers that
// the parameter's type can hold; see [abi.Buffer.Set]. An array must live on
// dev.
func (k *Kernel) Launch(dev *Device, grid, block Dim3, shared int, args ...any) error {
	return k.LaunchContext(context.Background(), dev, grid, block, shared, args...)
}

// LaunchContext is Launch with a context that ends the waiting, not the
// kernel.
func (k *Kernel) LaunchContext(ctx context.Context, dev *Device, grid, block Dim3, shared int, args ...any) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("rtc: launch %s: %w", k.name, err)
	}
	if err := k.launch(ctx, dev, grid, block, shared, args); err != nil {
		return fmt.Errorf("rtc: launch %s: %w", k.name, err)
	}
	return nil
}

func (k *Kernel) launch(ctx context.Context, dev *Device, grid, block Dim3, shared int, args []any) error {
	if err := dev.use(); err != nil {
		return err
	}
	s := dev.stream
	done, err := s.events.get()
	if err != nil {
		return err
	}
	n, err := k.enqueue(s, done, grid, block, shared, args)
	if err != nil {
		s.events.put(done)
		return err
	}
	return s.waitLaunch(ctx, done, n)
}

// waitLaunch waits for an event that it takes over.
func (s *Stream) waitLaunch(ctx context.Context, done *driver.Event, n uint64) (err error) {
	if ctx.Done() != nil {
		err = s.waiter.wait(ctx, done, n)
	} else {
		err = s.waitEvent(done, n)
	}
	s.dev.collect(false)
	return err
}

// Enqueue is Launch that returns when the kernel is in stream's queue. Its
// errors then show in a later call: the next Synchronize, Launch or ToSlice.
func (k *Kernel) Enqueue(stream *Stream, grid, block Dim3, shared int, args ...any) error {
	if stream == nil {
		return fmt.Errorf("rtc: enqueue %s: the stream is nil", k.name)
	}
	if err := stream.dev.use(); err != nil {
		return fmt.Errorf("rtc: enqueue %s: %w", k.name, err)
	}
	if _, err := k.enqueue(stream, nil, grid, block, shared, args); err != nil {
		return fmt.Errorf("rtc: enqueue %s: %w", k.name, err)
	}
	return nil
}

func (k *Kernel) enqueue(s *Stream, done *driver.Event, grid, block Dim3, shared int, args []any) (uint64, error) {
	f, err := k.on(s.dev)
	if err != nil {
		return 0, err
	}
	c, err := f.call(k)
	if err != nil {
		return 0, err
	}
	defer f.put(c)
	if err := c.setAll(args); err != nil {
		return 0, err
	}
	if err := c.size(grid, block, shared); err != nil {
		return 0, err
	}
	return c.enqueue(s, done)
}
