package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func virtualEntries() map[string]entry {
	return map[string]entry{
		"cuMemAddressReserve":           {facts, memAddressReserve},
		"cuMemAddressFree":              {process, memAddressFree},
		"cuMemCreate":                   {facts, memCreate},
		"cuMemRelease":                  {process, memRelease},
		"cuMemMap":                      {process, memMap},
		"cuMemUnmap":                    {process, memUnmap},
		"cuMemSetAccess":                {process, memSetAccess},
		"cuMemGetAllocationGranularity": {facts, memGetGranularity},

		"cuMemExportToShareableHandle":   {process, memExport},
		"cuMemImportFromShareableHandle": {process, memImport},
	}
}

// shareFile is the kind of handle that can be had of physical memory: a file descriptor.
const shareFile = int32(driver.ShareFileDescriptor)

func memAddressReserve(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 || a[4] != 0 {
		return driver.InvalidValue
	}
	at, r := d.reserve(uint64(a[1]), uint64(a[2]), uint64(a[3]))
	if r == driver.Success {
		callee.Put(a[0], at)
	}
	return r
}

func memAddressFree(d *Driver, _ *context, a []uintptr) driver.Result {
	return d.unreserve(uint64(a[0]), uint64(a[1]))
}

// memAllocationProp is a CUmemAllocationProp.
type memAllocationProp struct {
	allocType, handleTypes int32
	location               [2]int32
	_                      uintptr // security attributes of Windows
	_                      [8]byte // flags
}

// device is the one that the memory is asked of.
func (p *memAllocationProp) device(d *Driver) (*device, driver.Result) {
	dev := d.device(uintptr(p.location[1]))
	switch {
	case p.allocType != 1 || p.location[0] != 1: // CU_MEM_ALLOCATION_TYPE_PINNED, CU_MEM_LOCATION_TYPE_DEVICE
		return nil, driver.InvalidValue
	case dev == nil:
		return nil, driver.InvalidDevice
	}
	return dev, driver.Success
}

func memCreate(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 || a[2] == 0 {
		return driver.InvalidValue
	}
	p := callee.At[memAllocationProp](a[2])
	dev, r := p.device(d)
	switch {
	case r != driver.Success:
		return r
	case a[3] != 0:
		return driver.InvalidValue
	case p.handleTypes&handleKinds&^shareFile != 0, p.handleTypes&shareFile != 0 && !canShare:
		return driver.NotSupported
	}
	h, r := d.newPhysical(dev, uint64(a[1]), p.handleTypes&shareFile != 0)
	if r == driver.Success {
		callee.Put(a[0], uint64(h))
	}
	return r
}

func memRelease(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.physical[a[0]]
	if p == nil || p.released {
		return driver.InvalidValue
	}
	p.released = true
	d.leave(p)
	return driver.Success
}

func memMap(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.physical[a[3]]
	if p == nil || p.released || a[4] != 0 {
		return driver.InvalidValue
	}
	return d.place(uint64(a[0]), uint64(a[1]), uint64(a[2]), p)
}

func memUnmap(d *Driver, _ *context, a []uintptr) driver.Result {
	return d.unmap(uint64(a[0]), uint64(a[1]))
}

// memAccessDesc is a CUmemAccessDesc.
type memAccessDesc struct {
	location [2]int32
	flags    int32 // CU_MEM_ACCESS_FLAGS_PROT_…: none, read, 3 for read and write
}

func memSetAccess(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[2] == 0 || a[3] == 0 {
		return driver.InvalidValue
	}
	for _, desc := range callee.Slice[memAccessDesc](a[2], int(a[3])) {
		dev := d.device(uintptr(desc.location[1]))
		if desc.location[0] != 1 || dev == nil || desc.flags != 0 && desc.flags != 1 && desc.flags != 3 || a[1] == 0 {
			return driver.InvalidValue
		}
		if r := d.access(uint64(a[0]), uint64(a[1]), dev, desc.flags != 0); r != driver.Success {
			return r
		}
	}
	return driver.Success
}

func memGetGranularity(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 || a[1] == 0 {
		return driver.InvalidValue
	}
	if callee.At[memAllocationProp](a[1]).allocType != 1 || uint32(a[2]) > 1 { // CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
		return driver.InvalidValue
	}
	callee.Put(a[0], uint64(granularity))
	return driver.Success
}

func memExport(d *Driver, _ *context, a []uintptr) driver.Result {
	p := d.physical[a[1]]
	switch {
	case a[0] == 0 || p == nil || p.released || a[3] != 0, int32(a[2]) != shareFile || p.shared == nil:
		return driver.InvalidValue
	}
	fd, err := p.shared.export()
	if err != nil {
		return driver.OperatingSystem
	}
	callee.Put(a[0], int32(fd))
	return driver.Success
}

// memImport makes the memory one of the first device: which it was made on the descriptor does not tell.
func memImport(d *Driver, _ *context, a []uintptr) driver.Result {
	switch {
	case a[0] == 0 || int32(a[2]) != shareFile:
		return driver.InvalidValue
	case !canShare:
		return driver.NotSupported
	}
	s, err := importShared(a[1])
	if err != nil {
		return driver.Unknown
	}
	p := &physical{dev: d.devices[0], data: s.bytes, users: 1}
	p.handle = put(d, d.physical, p)
	callee.Put(a[0], uint64(p.handle))
	return driver.Success
}
