package driver

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/dl"
)

// A UUID names a device for good, across processes and reboots.
type UUID [16]byte

// String is the UUID as nvidia-smi and CUDA_VISIBLE_DEVICES write it.
func (u UUID) String() string {
	h := hex.EncodeToString(u[:])
	return "GPU-" + strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-")
}

// UUID is the device's. Since CUDA 11.4 that of a MIG instance is its own;
// before, that of its GPU. Since CUDA 9.2.
func (d *Device) UUID() (UUID, error) {
	u := new(UUID)
	err := d.driver.api.deviceGetUuid(u, d.handle)
	if errors.Is(err, errors.ErrUnsupported) {
		err = d.driver.api.deviceGetUuidOld(u, d.handle)
	}
	return *u, explain(err, "UUID of "+d.String(), "")
}

// TotalMemory is the device's memory, in bytes.
func (d *Device) TotalMemory() (uint64, error) {
	n := new(uint64)
	err := d.driver.api.deviceTotalMem(n, d.handle)
	return *n, explain(err, "memory of "+d.String(), "")
}

// PCI is the device's place on the PCI bus, such as "0000:17:00.0".
func (d *Device) PCI() (string, error) {
	b := make([]byte, 32)
	err := d.driver.api.deviceGetPCIBusId(&b[0], int32(len(b)), d.handle)
	return cstring(b), explain(err, "PCI bus id of "+d.String(), "")
}

// DeviceAtPCI is the device at a place on the PCI bus, written "0000:17:00.0"
// or "17:00.0".
func (d *Driver) DeviceAtPCI(id string) (*Device, error) {
	cid, err := dl.CString(id)
	if err != nil {
		return nil, &opError{"find a device by its PCI bus id", err}
	}
	h := new(deviceHandle)
	if err := d.api.deviceGetByPCIBusId(h, &cid[0]); err != nil {
		return nil, explain(err, fmt.Sprintf("find a device at PCI %q", id), "")
	}
	n, err := d.DeviceCount()
	if err != nil {
		return nil, err
	}
	for i := range n {
		if dev, err := d.Device(i); err == nil && dev.handle == *h {
			return dev, nil
		}
	}
	return nil, &Error{Op: fmt.Sprintf("find a device at PCI %q", id), Result: InvalidDevice}
}
