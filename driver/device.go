package driver

import (
	"fmt"
	"sync"
)

// A Device is a GPU, or a part of one that the driver presents as a GPU.
// It is not closed.
//
// Safe for concurrent use.
type Device struct {
	driver  *Driver
	ordinal int
	handle  deviceHandle
	name    string

	mu     sync.Mutex
	facts  map[Attribute]int
	limits *limits
}

// Driver is the driver that the device belongs to.
func (d *Device) Driver() *Driver { return d.driver }

// Ordinal is the device's number among those the process may use, from 0.
func (d *Device) Ordinal() int { return d.ordinal }

// Name is what the driver calls the device, such as "NVIDIA H200".
func (d *Device) Name() string { return d.name }

// String is the ordinal with the name: device 0 (NVIDIA H200).
func (d *Device) String() string { return fmt.Sprintf("device %d (%s)", d.ordinal, d.name) }

// Attribute reads a fact about the device. It is asked of the driver once.
// A driver that is older than the attribute gives [InvalidValue].
func (d *Device) Attribute(a Attribute) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v, ok := d.facts[a]; ok {
		return v, nil
	}
	v := new(int32)
	if err := d.driver.api.deviceGetAttribute(v, a, d.handle); err != nil {
		return 0, explain(err, fmt.Sprintf("attribute %s of %s", a, d), "")
	}
	if d.facts == nil {
		d.facts = map[Attribute]int{}
	}
	d.facts[a] = int(*v)
	return int(*v), nil
}

// ComputeCapability is the device's architecture: 9, 0 for sm_90.
func (d *Device) ComputeCapability() (major, minor int, err error) {
	if major, err = d.Attribute(ComputeCapabilityMajor); err != nil {
		return 0, 0, err
	}
	minor, err = d.Attribute(ComputeCapabilityMinor)
	return major, minor, err
}

// Health is nil, or an error that says what took the GPU from the process, as
// far as this driver has seen: nothing is asked of the GPU.
func (d *Device) Health() error { return d.driver.Health() }

// Health is nil, or an error that says what took the GPU from the process, as
// far as this driver has seen. After a fault on one device every context of the
// process is lost, on that device and, as the driver does it today, on the others.
func (d *Driver) Health() error {
	if f := d.api.fault.first(); f != nil {
		return &Error{Op: "health", Function: f.Function, Result: f.Result, Fault: f}
	}
	return nil
}
