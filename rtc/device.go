package rtc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
)

// A Device is a GPU that kernels run on and arrays live on. It owns what is
// made from it: Close closes the arrays, the stream and the loaded modules.
// [Open] makes one.
//
// Safe for concurrent use. The caller closes it.
type Device struct {
	stream    *Stream
	garbage   garbage // beside the stream, as is order: a launch that waits looks at all three
	order     ordering
	drv       *driver.Driver
	dev       *driver.Device
	ctx       *driver.Context
	memPool   *driver.MemoryPool // that arrays come from; nil: each is asked for
	ordinal   int
	name      string
	major     int
	minor     int
	simulated bool

	waiter   waiter
	staging  staging
	pool     streamPool
	peers    sync.Map // by ordinal: a peer
	life     lifetime
	autoFree bool
	leaked   func(Leak)

	left   atomic.Bool // somebody gave up waiting
	closed atomic.Bool
	end    closer
}

var opened atomic.Uint64

func newDevice(drv *driver.Driver, c OpenConfig) (*Device, error) {
	dev, err := drv.Device(c.Ordinal)
	if err != nil {
		return nil, err
	}
	d := &Device{drv: drv, dev: dev, ordinal: c.Ordinal, autoFree: c.AutoFree, leaked: c.Leaked}
	d.name, d.simulated = dev.Name(), drv.Simulated()
	if d.major, d.minor, err = dev.ComputeCapability(); err != nil {
		return nil, err
	}
	if d.ctx, err = dev.Primary(); err != nil {
		return nil, err
	}
	d.order.closings, d.order.number = 1, opened.Add(1)
	d.waiter.init()
	d.staging.init(d)
	d.order.copied.L, d.pool.back.L = &d.order.mu, &d.pool.mu
	if d.stream, err = newStream(d, 0); err != nil {
		_ = d.ctx.Close() // the first error is the one that counts
		return nil, err
	}
	d.order.streams = []*Stream{d.stream}
	d.order.seat(d.stream)
	if c.Pool != nil {
		if err := d.openPool(c.Pool); err != nil {
			_ = joined(d.memPool.Close(), d.ctx.Close()) // the first error is the one that counts
			return nil, err
		}
	}
	return d, nil
}

// Ordinal is the device's number in this process, from 0.
func (d *Device) Ordinal() int {
	if d == nil {
		return 0
	}
	return d.ordinal
}

// Name is what NVIDIA calls the device, such as "NVIDIA H200".
func (d *Device) Name() string {
	if d == nil {
		return ""
	}
	return d.name
}

// ComputeCapability is the version of the device's instruction set, such as
// 9 and 0.
func (d *Device) ComputeCapability() (major, minor int) {
	if d == nil {
		return 0, 0
	}
	return d.major, d.minor
}

// Driver is the CUDA driver that the device belongs to.
func (d *Device) Driver() *driver.Driver {
	if d == nil {
		return nil
	}
	return d.drv
}

// Context is the device's primary context, for calls that this package has no
// word for. The Device owns it.
func (d *Device) Context() *driver.Context {
	if d == nil {
		return nil
	}
	return d.ctx
}

// Stream is the stream that the device was opened with: Launch and fills use it.
func (d *Device) Stream() *Stream {
	if d == nil {
		return nil
	}
	return d.stream
}

// String is the ordinal with the name and the compute capability.
func (d *Device) String() string {
	if d == nil {
		return "no device"
	}
	return fmt.Sprintf("device %d (%s, compute capability %d.%d)", d.ordinal, d.name, d.major, d.minor)
}

// Synchronize waits until all work given to the device so far is complete, or
// ctx is done; the work goes on then. An error of that work is returned.
func (d *Device) Synchronize(ctx context.Context) error {
	if err := d.use(); err != nil {
		return fmt.Errorf("rtc: synchronize: %w", err)
	}
	d.order.mu.Lock()
	if d.order.several {
		streams := slices.Clone(d.order.streams)
		d.order.mu.Unlock()
		for _, s := range streams {
			if err := unlessClosed(s.Synchronize(ctx)); err != nil {
				return err
			}
		}
		return nil
	}
	d.order.mu.Unlock()
	return d.stream.Synchronize(ctx)
}

// Health is nil as long as the device can be used, as far as its calls have
// told. After a fault (an illegal address, a trap, a failed assertion, a
// hardware error) the process has lost the GPU for good, and Health is the
// *driver.Error that every call returns from then on: its Fault has the first
// cause and the kernels that were running. Of a device that was closed, after no
// fault, it matches ErrClosed. Nothing is asked of the GPU.
func (d *Device) Health() error {
	if err := d.made(); err != nil {
		return fmt.Errorf("rtc: health: %w", err)
	}
	if err := d.dev.Health(); err != nil {
		return err
	}
	if err := d.use(); err != nil {
		return fmt.Errorf("rtc: health: %w", err)
	}
	return nil
}

// Close waits for the device's work, closes everything made from the device,
// newest first, and gives the device back. Later calls do nothing; those at
// the same time wait. After a fault it returns that error, without waiting for
// anything. It is safe on nil.
//
// CUDA can't stop a kernel that runs, nor give back what it uses: while an
// endless one runs, Close waits, and so do the Close of a Module and of an
// Array. Where a kernel may not end, call Synchronize with a context that ends
// first; if the kernel has not ended by then, close nothing and end the
// process, which frees the GPU. A simulated device can stop it: its Close, after a wait that
// was given up, ends what still runs, and the error says where that was.
func (d *Device) Close() error {
	if d == nil || d.dev == nil {
		return nil
	}
	err := d.end.close(func() error {
		lastOpened.remove(d)
		d.closed.Store(true)
		d.reportOpen()
		d.halt()
		err := joined(d.life.close(), d.closeStreams(), d.staging.close(), d.memPool.Close(), d.ctx.Close())
		if lost := d.dev.Health(); lost != nil {
			err = lost // all others came of it
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("rtc: close device %d: %w", d.ordinal, err)
	}
	return nil
}

// halt ends what runs on a simulated device that somebody has given up waiting for.
func (d *Device) halt() {
	if !d.simulated || !d.left.Load() || d.idle() || d.dev.Health() != nil {
		return
	}
	if d.drv.Halt() == nil {
		_ = d.drain() // Health has it from now on
	}
}

var errNilDevice = errors.New("the device is nil")

func (d *Device) made() error {
	switch {
	case d == nil:
		return errNilDevice
	case d.dev == nil:
		return unmade("Device")
	}
	return nil
}

// use is called at the start of what needs the device.
func (d *Device) use() error {
	if err := d.made(); err != nil {
		return err
	}
	if d.closed.Load() {
		return fmt.Errorf("device %d is %w", d.ordinal, ErrClosed)
	}
	return d.dev.Health()
}

// reason is err of a launch, or why d can't be used at all: launches leave it to
// the driver to see that. What a call of C has just told is kept.
func (d *Device) reason(err error) error {
	var told *driver.Error
	if errors.As(err, &told) && told.Function != "" {
		return err
	}
	if why := d.use(); why != nil {
		return why
	}
	return err
}

// other tells of a device of another array or launch, which may be a second
// Device of the same ordinal.
func (d *Device) other(than *Device) string {
	if d.ordinal == than.ordinal {
		return fmt.Sprintf("another Device that was opened for device %d", d.ordinal)
	}
	return fmt.Sprintf("device %d", d.ordinal)
}
