package sim

import "github.com/purecuda/purecuda/driver"

func copyEntries() map[string]entry {
	return map[string]entry{
		"cuMemcpyHtoDAsync_v2": {process, memcpyHtoD},
		"cuMemcpyDtoHAsync_v2": {process, memcpyDtoH},
		"cuMemcpyDtoDAsync_v2": {process, memcpyDtoD},
		"cuMemcpyPeerAsync":    {process, memcpyPeer},
		"cuMemsetD8Async": {process, func(d *Driver, _ *context, a []uintptr) driver.Result {
			return memset(d, a, uint32(uint8(a[1])), 1)
		}},
		"cuMemsetD16Async": {process, func(d *Driver, _ *context, a []uintptr) driver.Result {
			return memset(d, a, uint32(uint16(a[1])), 2)
		}},
		"cuMemsetD32Async": {process, func(d *Driver, _ *context, a []uintptr) driver.Result { return memset(d, a, uint32(a[1]), 4) }},
	}
}

func memcpyHtoD(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[3])
	if r != driver.Success {
		return r
	}
	return d.copyIn(s, uint64(a[0]), a[1], uint64(a[2]))
}

func memcpyDtoH(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[3])
	if r != driver.Success {
		return r
	}
	return d.copyOut(s, a[0], uint64(a[1]), uint64(a[2]))
}

func memcpyDtoD(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[3])
	if r != driver.Success {
		return r
	}
	return d.copyBetween(s, uint64(a[0]), uint64(a[1]), uint64(a[2]))
}

func memcpyPeer(d *Driver, _ *context, a []uintptr) driver.Result {
	s, r := d.stream(a[5])
	switch {
	case r != driver.Success:
		return r
	case a[1] != 0 && d.contexts[a[1]] == nil || a[3] != 0 && d.contexts[a[3]] == nil: // null is that of the stream
		return driver.InvalidContext
	}
	return d.copyBetween(s, uint64(a[0]), uint64(a[2]), uint64(a[4]))
}

func memset(d *Driver, a []uintptr, value uint32, size uint64) driver.Result {
	s, r := d.stream(a[3])
	if r != driver.Success {
		return r
	}
	return d.memset(s, uint64(a[0]), value, size, uint64(a[2]))
}
