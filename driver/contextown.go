package driver

import "errors"

// A ContextConfig says how threads wait in a context of the program's own. The
// zero value lets the driver choose.
//
// Safe for concurrent use after it is made; its fields must not change.
type ContextConfig struct {
	Spin     bool // a wait spins: quickest, and takes a core
	Yield    bool // a wait spins, but lets other threads go first
	Blocking bool // a wait sleeps
	MapHost  bool // pinned memory can be mapped; always so since CUDA 11
}

// NewContext makes a context of the program's own on the device, beside the
// primary one that other libraries use. It costs memory on the device, and does
// not protect from faults: they take every context of the process.
//
// Manual: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html
func (d *Device) NewContext(config ContextConfig) (*Context, error) {
	var flags uint32
	for i, on := range []bool{config.Spin, config.Yield, config.Blocking, config.MapHost} {
		if on {
			flags |= 1 << i // CU_CTX_SCHED_SPIN, _YIELD, _BLOCKING_SYNC, CU_CTX_MAP_HOST
		}
	}
	h, a := new(contextHandle), d.driver.api
	err := d.driver.onThread(func() error {
		// The driver makes a new context current; what was before, is again.
		before := new(contextHandle)
		if err := a.ctxGetCurrent(before); err != nil {
			return err
		}
		var err error
		if a.table.Has(fnCtxCreate) {
			err = a.ctxCreate(h, flags, d.handle)
		} else {
			err = a.ctxCreateWithParams(h, nil, flags, d.handle)
		}
		if err != nil {
			return err
		}
		err = a.ctxSetCurrent(*before)
		if errors.Is(err, InvalidContext) { // another goroutine has closed it
			err = a.ctxSetCurrent(0)
		}
		return err
	})
	if err != nil {
		return nil, explain(err, "make a context on "+d.String(), "")
	}
	return d.context(*h, false), nil
}

// destroy gives the driver's context back.
func (c *Context) destroy() error {
	switch {
	case !c.primary:
		return c.driver.onThread(func() error { return c.api.ctxDestroy(c.handle) })
	case !c.api.table.Has(fnDevicePrimaryCtxRelease):
		return c.api.devicePrimaryCtxReleaseOld(c.device.handle)
	}
	return c.api.devicePrimaryCtxRelease(c.device.handle)
}

// PrimaryActive reports whether anybody in the process has retained the
// device's primary context.
func (d *Device) PrimaryActive() (bool, error) {
	flags, active := new(uint32), new(int32)
	err := d.driver.api.devicePrimaryCtxGetState(d.handle, flags, active)
	return *active != 0, explain(err, "state of the primary context of "+d.String(), "")
}

// Synchronize waits for all work of the context, of every stream.
func (c *Context) Synchronize() error {
	streams := c.streams()
	epochs := make([]uint64, len(streams))
	for i, s := range streams {
		epochs[i] = s.mark()
	}
	if err := c.Do(c.api.ctxSynchronize); err != nil {
		return explain(err, "synchronize the context of "+c.device.String(), "")
	}
	for i, s := range streams {
		s.settled(epochs[i])
	}
	return nil
}

// streams are the open streams of the context.
func (c *Context) streams() []*Stream {
	var all []*Stream
	for _, child := range c.children.list() {
		if s, ok := child.(*Stream); ok {
			all = append(all, s)
		}
	}
	return all
}

// A Limit is a size that the driver sets aside for all kernels of a context.
type Limit int32

// The limits that the driver documents, all in bytes but for the two counts.
const (
	LimitStackSize          Limit = 0 // CU_LIMIT_STACK_SIZE: of a thread
	LimitPrintfBuffer       Limit = 1 // CU_LIMIT_PRINTF_FIFO_SIZE
	LimitMallocHeap         Limit = 2 // CU_LIMIT_MALLOC_HEAP_SIZE
	LimitSyncDepth          Limit = 3 // CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH: a count
	LimitPendingLaunches    Limit = 4 // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT: a count
	LimitMaxL2Fetch         Limit = 5 // CU_LIMIT_MAX_L2_FETCH_GRANULARITY
	LimitPersistingL2Memory Limit = 6 // CU_LIMIT_PERSISTING_L2_CACHE_SIZE
)

// Limit reads a limit of the context.
func (c *Context) Limit(l Limit) (uint64, error) {
	v := new(uint64)
	err := c.Do(func() error { return c.api.ctxGetLimit(v, l) })
	return *v, explain(err, "read a limit of the context of "+c.device.String(), "")
}

// SetLimit sets a limit of the context; the driver may round it up. The malloc
// heap's can be set only before the first kernel that uses it has run.
func (c *Context) SetLimit(l Limit, value uint64) error {
	return explain(c.Do(func() error { return c.api.ctxSetLimit(l, value) }), "set a limit of the context of "+c.device.String(), "")
}
