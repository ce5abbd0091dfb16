package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func functionEntries() map[string]entry {
	return map[string]entry{
		"cuFuncGetAttribute": unlessNull(nothing, 2, driver.InvalidHandle, bound, notNull(funcGetAttribute, 0)),
		"cuFuncSetAttribute": unlessNull(facts, 0, driver.InvalidHandle, bound, funcSetAttribute),
		"cuFuncGetName":      {bound, notNull(funcGetName, 0, 1)},
		"cuFuncGetParamInfo": {bound, notNull(funcGetParamInfo, 0, 2)},
		"cuFuncLoad":         {bound, funcLoad},
		"cuFuncIsLoaded":     {bound, notNull(funcIsLoaded, 0)},

		"cuOccupancyMaxActiveBlocksPerMultiprocessor": {bound, notNull(maxActiveBlocks, 0)},
		"cuOccupancyMaxPotentialBlockSize":            {bound, notNull(maxPotentialBlockSize, 0, 1)},
		"cuOccupancyAvailableDynamicSMemPerBlock":     {bound, availableShared},
		"cuOccupancyMaxPotentialClusterSize":          {bound, notNull(noClusters, 0, 2)},
		"cuOccupancyMaxActiveClusters":                {bound, notNull(noClusters, 0, 2)},
	}
}

func funcGetAttribute(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[2], ctx)
	if r != driver.Success {
		return r
	}
	v, ok := d.funcAttribute(f, driver.FunctionAttribute(int32(a[1])))
	if !ok {
		return driver.InvalidValue
	}
	callee.Put(a[0], int32(v))
	return driver.Success
}

func funcSetAttribute(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[0], ctx)
	if r != driver.Success {
		return r
	}
	return d.setFuncAttribute(f, driver.FunctionAttribute(int32(a[1])), int(int32(a[2])))
}

func funcGetName(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[1], ctx)
	if r != driver.Success {
		return r
	}
	callee.Put(a[0], d.text(f.k.Name))
	return driver.Success
}

func funcGetParamInfo(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[0], ctx)
	if r != driver.Success {
		return r
	}
	if a[1] >= uintptr(len(f.k.Params)) {
		return driver.InvalidValue
	}
	p := &f.k.Params[a[1]]
	callee.Put(a[2], uint64(p.Offset))
	callee.Put(a[3], uint64(p.Size()))
	return driver.Success
}

func funcLoad(d *Driver, ctx *context, a []uintptr) driver.Result {
	_, r := d.function(a[0], ctx)
	return r
}

func funcIsLoaded(d *Driver, ctx *context, a []uintptr) driver.Result {
	_, r := d.function(a[1], ctx)
	if r == driver.Success {
		callee.Put(a[0], int32(1)) // CU_FUNCTION_LOADING_STATE_LOADED
	}
	return r
}

func maxActiveBlocks(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[1], ctx)
	switch threads := int(int32(a[2])); {
	case r != driver.Success:
		return r
	case threads <= 0:
		return driver.InvalidValue
	default:
		callee.Put(a[0], int32(f.fit(threads, int(a[3]))))
	}
	return driver.Success
}

func maxPotentialBlockSize(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[2], ctx)
	switch {
	case r != driver.Success:
		return r
	case int32(a[5]) < 0:
		return driver.InvalidValue
	case a[3] != 0:
		return driver.NotSupported // a C function that tells the shared memory by the block's size
	}
	blocks, threads := f.suggest(int(int32(a[5])), func(int) int { return int(a[4]) })
	callee.Put(a[0], int32(blocks))
	callee.Put(a[1], int32(threads))
	return driver.Success
}

func availableShared(d *Driver, ctx *context, a []uintptr) driver.Result {
	f, r := d.function(a[1], ctx)
	if r != driver.Success {
		return r
	}
	n, ok := f.available(int(int32(a[2])), int(int32(a[3])))
	if !ok {
		return driver.InvalidValue
	}
	callee.Put(a[0], uint64(n))
	return driver.Success
}

func noClusters(*Driver, *context, []uintptr) driver.Result { return driver.NotSupported }
