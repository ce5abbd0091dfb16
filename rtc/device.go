package rtc

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/purecuda/purecuda/driver"
)

// A Device is a GPU that kernels run on and arrays live on. It owns what is
// made from it: Close closes the arrays, the stream and the loaded modules.
//
// Safe for concurrent use.
type Device struct {
	drv     *driver.Driver
	dev     *driver.Device
	ctx     *driver.Context
	stream  *Stream
	ordinal int
	name    string
	major   int
	minor   int

	life     lifetime
	autoFree bool
	garbage  garbage
	leaked   func(Leak)

	closed atomic.Bool
}

func newDevice(drv *driver.Driver, c OpenConfig) (*Device, error) {
	dev, err := drv.Device(c.Ordinal)
	if err != nil {
		return nil, err
	}
	d := &Device{drv: drv, dev: dev, ordinal: c.Ordinal, autoFree: c.AutoFree, leaked: c.Leaked}
	d.name = dev.Name()
	if d.major, d.minor, err = dev.ComputeCapability(); err != nil {
		return nil, err
	}
	if d.ctx, err = dev.Primary(); err != nil {
		return nil, err
	}
	if d.stream, err = newStream(d); err != nil {
		d.ctx.Close()
		return nil, err
	}
	return d, nil
}

// Ordinal is the device's number in this process, from 0.
func (d *Device) Ordinal() int { return d.ordinal }

// Name is what NVIDIA calls the device, such as "NVIDIA H200".
func (d *Device) Name() string { return d.name }

// ComputeCapability is the version of the device's instruction set, such as
// 9 and 0.
func (d *Device) ComputeCapability() (major, minor int) { return d.major, d.minor }

// Driver is the CUDA driver that the device belongs to.
func (d *Device) Driver() *driver.Driver { return d.drv }

// Context is the device's primary context, for calls that this package has no
// word for. The Device owns it.
func (d *Device) Context() *driver.Context { return d.ctx }

// Stream is the stream that launches and copies of this device are ordered on.
func (d *Device) Stream() *Stream { return d.stream }

func (d *Device) String() string {
	return fmt.Sprintf("device %d (%s, compute capability %d.%d)", d.ordinal, d.name, d.major, d.minor)
}

// Synchronize waits until all work given to the device so far is complete.
func (d *Device) Synchronize(ctx context.Context) error { return d.stream.Synchronize(ctx) }

// Health is nil as long as the device can be used. After a fault (an illegal
// address, a trap, a failed assertion, a hardware error) the process has lost
// the GPU for good, and Health is the *driver.Error that every call returns:
// its Fault has the first cause and the kernels that were running.
func (d *Device) Health() error { return d.dev.Health() }

// Close waits for the device's work, closes everything made from the device,
// newest first, and gives the device back. Later calls do nothing. After a
// fault it returns that error, without waiting for anything.
func (d *Device) Close() error {
	if d == nil {
		return nil
	}
	if d.closed.Swap(true) {
		return nil
	}
	lastOpened.remove(d)
	d.reportOpen()
	err := d.life.close()
	if serr := d.stream.close(); err == nil {
		err = serr
	}
	if cerr := d.ctx.Close(); err == nil {
		err = cerr
	}
	return err
}

// use is called at the start of what needs the device.
func (d *Device) use() error {
	if d == nil {
		return errors.New("the device is nil")
	}
	if d.closed.Load() {
		return fmt.Errorf("device %d is %w", d.ordinal, ErrClosed)
	}
	return d.dev.Health()
}
