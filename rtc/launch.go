package rtc

import (
	"context"
	"fmt"
)

// Launch runs the kernel on dev with grid blocks of block threads, shared
// bytes of dynamic shared memory, and an argument for every parameter, and
// returns when it has finished. What the launch can't be is refused before the
// GPU hears of it, with the argument, axis or limit named.
//
// For pointers args has *Array, nil or [abi.Addr]; for numbers Go numbers that
// the parameter's type can hold; see [abi.Buffer.Set]. An array must live on
// dev.
//
// A fault of the kernel is a *driver.Error that names it; see [Device.Health].
// See NVIDIA's manual,
// https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXEC.html.
func (k *Kernel) Launch(dev *Device, grid, block Dim3, shared int, args ...any) error {
	if err := k.launch(never, dev, &size{grid, block, shared}, args); err != nil {
		return k.failed("launch", dev, err)
	}
	return nil
}

// LaunchContext is Launch with a context that ends the waiting, not the
// kernel: the error then matches ctx.Err(), and the launch is still ordered
// before what comes after it; one that ends while a function of [Stream.Do] has an
// array that is needed leaves it unlaunched.
func (k *Kernel) LaunchContext(ctx context.Context, dev *Device, grid, block Dim3, shared int, args ...any) error {
	for {
		err := k.launch(ctx, dev, &size{grid, block, shared}, args)
		if err == nil {
			return nil
		}
		if err = yield(ctx, err); err != nil {
			return k.failed("launch", dev, err)
		}
	}
}

// never is the context of calls that have none. It is nil: to ask a context whether it has ended, or can, is a call through an interface, which a launch
// can do without.
var never context.Context

// launch is LaunchContext.
func (k *Kernel) launch(ctx context.Context, dev *Device, z *size, args []any) error {
	if ctx != nil && ctx.Err() != nil {
		return ended(ctx)
	}
	f, err := k.on(ctx, dev)
	if err != nil {
		return err
	}
	c, err := f.pack(k, z, args)
	if err != nil {
		return err
	}
	w, err := c.start(ctx, dev.stream)
	f.put(c)
	if err != nil {
		return err
	}
	return dev.await(ctx, w)
}

// failed makes the error of a launch. It stands apart, as does all that a launch seldom needs: what lies between the steps of one that succeeds takes up
// the processor's caches, which the driver has emptied.
func (k *Kernel) failed(op string, dev *Device, err error) error {
	if why := k.made(); why != nil {
		return fmt.Errorf("rtc: %s: %w", op, why)
	}
	if dev != nil && !gaveUp(err) {
		err = dev.reason(err)
	}
	return failed(op, k.name, err)
}

// Enqueue is Launch that returns when the kernel is in stream's queue. Its
// errors then show in a later call: the next Synchronize, Launch or ToSlice.
// It runs after whatever was given before, to any stream of the device, that
// writes what it uses or uses what it writes; const in the signature tells.
// Arrays may be closed at once: their memory stays until the kernel has
// finished.
func (k *Kernel) Enqueue(stream *Stream, grid, block Dim3, shared int, args ...any) error {
	err := k.enqueue(stream, &size{grid, block, shared}, args)
	if err != nil {
		var dev *Device
		if stream != nil {
			dev = stream.dev
		}
		return k.failed("enqueue", dev, err)
	}
	return nil
}

func (k *Kernel) enqueue(s *Stream, z *size, args []any) error {
	if s == nil || s.dev == nil {
		return s.use()
	}
	f, err := k.on(context.Background(), s.dev)
	if err != nil {
		return err
	}
	c, err := f.pack(k, z, args)
	if err != nil {
		return err
	}
	err = c.enqueue(s)
	f.put(c)
	return err
}
