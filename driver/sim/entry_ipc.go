package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func ipcEntries() map[string]entry {
	return map[string]entry{
		"cuIpcGetMemHandle":     {bound, ipcGetMemHandle},
		"cuIpcOpenMemHandle":    {bound, ipcOpenMemHandle},
		"cuIpcOpenMemHandle_v2": {bound, ipcOpenMemHandle},
		"cuIpcCloseMemHandle":   {bound, ipcCloseMemHandle},
		"cuIpcGetEventHandle":   {process, ipcGetEventHandle},
		"cuIpcOpenEventHandle":  {bound, ipcOpenEventHandle},
	}
}

func ipcGetMemHandle(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 {
		return driver.InvalidValue
	}
	h, r := d.share(uint64(a[1]))
	if r == driver.Success {
		callee.Put(a[0], h)
	}
	return r
}

// ipcOpenMemHandle has the handle at an address, as all Go functions that take a large struct by value.
func ipcOpenMemHandle(d *Driver, ctx *context, a []uintptr) driver.Result {
	const lazyPeer = 1 // CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS
	if a[0] == 0 || a[1] == 0 || uint32(a[2]) != lazyPeer {
		return driver.InvalidValue
	}
	at, r := d.openShared(ctx, *callee.At[driver.IPCHandle](a[1]))
	if r == driver.Success {
		callee.Put(a[0], at)
	}
	return r
}

func ipcCloseMemHandle(d *Driver, _ *context, a []uintptr) driver.Result {
	return d.closeShared(uint64(a[0]))
}

func ipcGetEventHandle(d *Driver, _ *context, a []uintptr) driver.Result {
	e := d.events[a[1]]
	switch {
	case a[0] == 0 || a[1] == 0:
		return driver.InvalidValue
	case e == nil:
		return driver.InvalidHandle
	}
	h, r := d.shareEvent(e)
	if r == driver.Success {
		callee.Put(a[0], h)
	}
	return r
}

func ipcOpenEventHandle(d *Driver, ctx *context, a []uintptr) driver.Result {
	if a[0] == 0 || a[1] == 0 {
		return driver.InvalidValue
	}
	e, r := d.openEvent(ctx, *callee.At[driver.IPCHandle](a[1]))
	if r == driver.Success {
		callee.Put(a[0], e)
	}
	return r
}
