package sim

import (
	"strings"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func deviceEntries() map[string]entry {
	return map[string]entry{
		"cuDeviceGet":             {facts, deviceGet},
		"cuDeviceGetCount":        {facts, deviceGetCount},
		"cuDeviceGetName":         {facts, deviceGetName},
		"cuDeviceGetUuid":         {facts, deviceGetUUID},
		"cuDeviceGetUuid_v2":      {facts, deviceGetUUID},
		"cuDeviceTotalMem_v2":     {facts, deviceTotalMem},
		"cuDeviceGetAttribute":    {facts, deviceGetAttribute},
		"cuDeviceGetPCIBusId":     {facts, deviceGetPCIBusID},
		"cuDeviceGetByPCIBusId":   {facts, deviceGetByPCIBusID},
		"cuDeviceCanAccessPeer":   {facts, deviceCanAccessPeer},
		"cuDeviceGetP2PAttribute": {facts, deviceGetP2PAttribute},
	}
}

func deviceGet(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.device(a[1]) == nil {
		return driver.InvalidDevice
	}
	callee.Put(a[0], int32(a[1]))
	return driver.Success
}

func deviceGetCount(d *Driver, _ *context, a []uintptr) driver.Result {
	callee.Put(a[0], int32(len(d.devices)))
	return driver.Success
}

// putText fills a buffer of the caller's with a C string, cut where it must be.
func putText(at, size uintptr, s string) driver.Result {
	n := int(int32(size))
	if at == 0 || n <= 0 {
		return driver.InvalidValue
	}
	b := dl.Memory(at, n)
	b[copy(b[:n-1], s)] = 0
	return driver.Success
}

func deviceGetName(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[2])
	if dev == nil {
		return driver.InvalidDevice
	}
	return putText(a[0], a[1], dev.name)
}

func deviceGetUUID(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[1])
	if dev == nil {
		return driver.InvalidDevice
	}
	callee.Put(a[0], dev.uuid())
	return driver.Success
}

func deviceTotalMem(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[1])
	if dev == nil {
		return driver.InvalidDevice
	}
	callee.Put(a[0], uint64(dev.memory.Limit()))
	return driver.Success
}

func deviceGetAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[2])
	if dev == nil {
		return driver.InvalidDevice
	}
	v, ok := d.attribute(dev, driver.Attribute(int32(a[1])))
	if !ok {
		return driver.InvalidValue
	}
	callee.Put(a[0], int32(v))
	return driver.Success
}

func deviceGetPCIBusID(d *Driver, _ *context, a []uintptr) driver.Result {
	dev := d.device(a[2])
	if dev == nil {
		return driver.InvalidDevice
	}
	return putText(a[0], a[1], dev.pci())
}

func deviceGetByPCIBusID(d *Driver, _ *context, a []uintptr) driver.Result {
	id := dl.GoString(a[1])
	if strings.Count(id, ":") == 1 {
		id = "0000:" + id
	}
	for _, dev := range d.devices {
		if strings.EqualFold(dev.pci(), id) {
			callee.Put(a[0], int32(dev.ordinal))
			return driver.Success
		}
	}
	return driver.InvalidDevice
}

func deviceCanAccessPeer(d *Driver, _ *context, a []uintptr) driver.Result {
	from, to := d.device(a[1]), d.device(a[2])
	if from == nil || to == nil {
		return driver.InvalidDevice
	}
	callee.Put(a[0], yes(from != to))
	return driver.Success
}

func deviceGetP2PAttribute(d *Driver, _ *context, a []uintptr) driver.Result {
	from, to := d.device(a[2]), d.device(a[3])
	switch {
	case from == nil || to == nil:
		return driver.InvalidDevice
	case from == to:
		return driver.InvalidDevice
	}
	switch driver.PeerAttribute(int32(a[1])) {
	case driver.PeerPerformanceRank, driver.PeerArrayAccess:
		callee.Put(a[0], int32(0))
	case driver.PeerAccessSupported, driver.PeerNativeAtomics:
		callee.Put(a[0], int32(1))
	default:
		return driver.InvalidValue
	}
	return driver.Success
}

// yes is a C truth value.
func yes(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
