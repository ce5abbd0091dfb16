package driver

import (
	"errors"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A Driver is an initialised CUDA driver. A process needs one; several are
// several views of the same GPU state, each with its own record of what was
// made and of what went wrong.
//
// Safe for concurrent use.
type Driver struct {
	api     *api
	version dl.Version

	mu       sync.Mutex
	devices  map[int]*Device
	counts   counts
	own      sync.Map // every contextHandle that was ever ours
	contexts family
}

// A Config says which driver to open. The zero Config searches.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the libcuda to open, a file or a folder. Empty: search as
	// package dl does, where a toolkit's stub library is passed over.
	Path string
}

// Open finds libcuda (nvcuda.dll on Windows), opens it and initialises it.
// It fails where the machine has no driver, and with an error that matches
// [NoDevice] where the driver sees no GPU.
func Open(c Config) (*Driver, error) {
	var d *Driver
	err := search(c.Path, func(r dl.Resolver) error {
		var err error
		d, err = Bind(r)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("driver: open: %w", err)
	}
	return d, nil
}

// Bind initialises the driver whose functions r has: cuInit(0).
func Bind(r dl.Resolver) (*Driver, error) {
	d := &Driver{devices: map[int]*Device{}}
	d.api = newAPI(r)
	d.api.fault.running = d.running
	if sim, ok := r.(Simulation); ok {
		d.api.fault.detail = sim.Fault
	}
	if err := d.api.init(0); err != nil {
		if errors.Is(err, StubLibrary) {
			err = fmt.Errorf("%s is a stub for linking, not a driver: %w", r.Path(), err)
		}
		return nil, fmt.Errorf("driver: initialise: %w", err)
	}
	v := new(int32)
	if err := d.api.driverGetVersion(v); err != nil {
		return nil, fmt.Errorf("driver: version of %s: %w", r.Path(), err)
	}
	d.version = versionOf(*v)
	d.api.have = d.version
	return d, nil
}

// versionOf reads the driver's number for a version: 12080 is 12.8.
func versionOf(v int32) dl.Version {
	return dl.Version{Major: int(v / 1000), Minor: int(v % 1000 / 10)}
}

// Version is the newest CUDA version that this driver supports.
func (d *Driver) Version() dl.Version { return d.version }

// Path is the file it was loaded from, or what the Resolver says it is.
func (d *Driver) Path() string { return d.api.table.Resolver().Path() }

// DeviceCount is the number of devices that the process may use, which
// CUDA_VISIBLE_DEVICES narrows.
func (d *Driver) DeviceCount() (int, error) {
	n := new(int32)
	if err := d.api.deviceGetCount(n); err != nil {
		return 0, fmt.Errorf("driver: count devices: %w", err)
	}
	return int(*n), nil
}

// Device is the device with that ordinal, from 0. Each call gives the same
// *Device. An ordinal out of range is an error that matches [InvalidDevice].
func (d *Driver) Device(ordinal int) (*Device, error) {
	if d == nil || d.api == nil {
		return nil, fmt.Errorf("driver: device %d: the Driver was not made by Open or Bind", ordinal)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if dev := d.devices[ordinal]; dev != nil {
		return dev, nil
	}
	count := new(int32)
	if err := d.api.deviceGetCount(count); err != nil {
		return nil, fmt.Errorf("driver: device %d: %w", ordinal, err)
	}
	if ordinal < 0 || ordinal >= int(*count) {
		return nil, &Error{Op: fmt.Sprintf("device %d", ordinal), Result: InvalidDevice,
			Detail: fmt.Sprintf("devices of this driver: %d, numbered from 0", *count)}
	}
	dev := &Device{driver: d, ordinal: ordinal}
	h := new(deviceHandle)
	if err := d.api.deviceGet(h, int32(ordinal)); err != nil {
		return nil, fmt.Errorf("driver: device %d: %w", ordinal, err)
	}
	dev.handle = *h
	name := make([]byte, 256)
	if err := d.api.deviceGetName(&name[0], int32(len(name)), dev.handle); err != nil {
		return nil, fmt.Errorf("driver: name of device %d: %w", ordinal, err)
	}
	dev.name = cstring(name)
	d.devices[ordinal] = dev
	return dev, nil
}
