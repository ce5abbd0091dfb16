package sim

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func linkEntries() map[string]entry {
	return map[string]entry{
		"cuLinkCreate_v2":  {bound, notNull(linkCreate, 3)},
		"cuLinkAddData_v2": {bound, linkAddData},
		"cuLinkComplete":   {bound, linkComplete},
		"cuLinkDestroy":    unlessNull(nothing, 0, driver.InvalidHandle, bound, linkDestroy),
	}
}

// linkCreate keeps the logs' buffers, which are the caller's as long as the link lives.
func linkCreate(d *Driver, _ *context, a []uintptr) driver.Result {
	j, r := readJIT(a[0], a[1], a[2])
	if r == driver.Success {
		callee.Put(a[3], put(d, d.links, &link{jit: j}))
	}
	return r
}

func linkAddData(d *Driver, _ *context, a []uintptr) driver.Result {
	l := d.links[a[0]]
	switch {
	case l == nil:
		return driver.InvalidHandle
	case a[2] == 0 || a[3] == 0 || l.result != nil:
		return driver.InvalidValue
	}
	return l.add(d, driver.LinkInput(int32(a[1])), dl.Memory(a[2], int(a[3])), dl.GoString(a[4]))
}

func linkComplete(d *Driver, ctx *context, a []uintptr) driver.Result {
	l := d.links[a[0]]
	switch {
	case l == nil || l.result != nil:
		return driver.InvalidHandle
	case a[1] == 0 || a[2] == 0:
		return driver.InvalidValue
	}
	b, r := l.complete(d, ctx.device)
	if r == driver.Success {
		callee.Put(a[1], callee.Address(&b[0]))
		callee.Put(a[2], uint64(len(b)))
	}
	return r
}

func linkDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.links[a[0]] == nil {
		return driver.InvalidHandle
	}
	delete(d.links, a[0])
	return driver.Success
}
