package sim

import (
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func deviceEntries() map[string]entry {
	return map[string]entry{
		"cuDeviceGet":             {facts, notNull(deviceGet, 0)},
		"cuDeviceGetCount":        {facts, notNull(deviceGetCount, 0)},
		"cuDeviceGetName":         {facts, deviceGetName},
		"cuDeviceGetUuid":         {facts, notNull(deviceGetUUID, 0)},
		"cuDeviceGetUuid_v2":      {facts, notNull(deviceGetUUID, 0)},
		"cuDeviceTotalMem_v2":     {facts, notNull(deviceTotalMem, 0)},
		"cuDeviceGetAttribute":    {facts, notNull(deviceGetAttribute, 0)},
		"cuDeviceGetPCIBusId":     {facts, deviceGetPCIBusID},
		"cuDeviceGetByPCIBusId":   {facts, notNull(deviceGetByPCIBusID, 0, 1)},
		"cuDeviceCanAccessPeer":   {facts, notNull(deviceCanAccessPeer, 0)},
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
	if at == 0 || uint32(size) == 0 {
		return driver.InvalidValue
	}
	b := dl.Memory(at, int(min(uint32(size), uint32(len(s)+1)))) // a negative size is a large one
	b[copy(b[:len(b)-1], s)] = 0
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
	if int(int32(a[1])) <= len(dev.pci()) {
		return driver.InvalidValue
	}
	return putText(a[0], a[1], dev.pci())
}

// isBusID reports whether a text is a device's place: domain, bus and device, and perhaps its function behind a dot.
func isBusID(id string) bool {
	parts := strings.Split(strings.Replace(id, ".", ":", 1), ":")
	if len(parts) != 3 && len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if _, err := strconv.ParseUint(p, 16, 32); err != nil {
			return false
		}
	}
	return true
}

func deviceGetByPCIBusID(d *Driver, _ *context, a []uintptr) driver.Result {
	id := dl.GoString(a[1])
	if strings.Count(id, ":") == 1 {
		id = "0000:" + id
	}
	if !isBusID(id) {
		return driver.InvalidValue
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
