package driver

// Handle is the CUcontext, for other libraries. It is valid until Close.
func (c *Context) Handle() uintptr { return uintptr(c.handle) }

// Handle is the CUfunction, for other libraries. It is valid as long as the module.
func (f *Function) Handle() uintptr { return uintptr(f.handle) }

// Handle is the CUevent, for other libraries. It is valid until Close.
func (e *Event) Handle() uintptr { return uintptr(e.handle) }

// Handle is the CUgraphExec, for other libraries. It is valid until Close.
func (x *ExecGraph) Handle() uintptr { return uintptr(x.handle) }
