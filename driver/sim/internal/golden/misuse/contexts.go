package misuse

// contexts use contexts that are gone, and what they have wrongly.
func contexts() []Scenario {
	return []Scenario{
		{Name: "null context", Do: func(p *Process) {
			p.Ask("null", "cuCtxCreate_v2", 0, 0, 0)
			p.Ask("bad flags", "cuCtxCreate_v2", p.Out(), 0x4000, 0)
			p.Ask("two schedules", "cuCtxCreate_v2", p.Out(), 3, 0)
			p.Ask("null", "cuCtxDestroy_v2", 0)
			p.Ask("null", "cuCtxGetCurrent", 0)
			p.Ask("null", "cuDevicePrimaryCtxRetain", 0, 0)
			p.Ask("null flags", "cuDevicePrimaryCtxGetState", 0, 0, p.Out())
			p.Ask("null state", "cuDevicePrimaryCtxGetState", 0, p.Out(), 0)
			p.Ask("null", "cuCtxEnablePeerAccess", 0, 0)
			p.Ask("null", "cuCtxDisablePeerAccess", 0)
			p.Ask("null", "cuCtxGetStreamPriorityRange", 0, 0)
		}},
		{Name: "limits", Alone: true, Do: func(p *Process) {
			p.Ask("null", "cuCtxGetLimit", 0, 0)
			p.Ask("-1", "cuCtxGetLimit", p.Out(), minus(1))
			p.Ask("1000", "cuCtxGetLimit", p.Out(), 1000)
			p.Ask("1000", "cuCtxSetLimit", 1000, 0)
			for i, name := range []string{"stack", "printf", "heap", "depth", "pending", "fetch", "persisting L2"} {
				p.Ask(name, "cuCtxGetLimit", p.Out(), uintptr(i))
			}
			p.Ask("stack of everything", "cuCtxSetLimit", 0, huge)
			p.Ask("stack of 1 MiB", "cuCtxSetLimit", 0, 1<<20)
			p.Ask("stack of 0", "cuCtxSetLimit", 0, 0)
			p.Ask("printf of 0", "cuCtxSetLimit", 1, 0)
			p.Ask("printf of everything", "cuCtxSetLimit", 1, huge)
			p.Ask("heap of everything", "cuCtxSetLimit", 2, huge)
			p.Ask("depth", "cuCtxSetLimit", 3, 5)
			p.Ask("pending", "cuCtxSetLimit", 4, 5)
			p.Ask("fetch of 128", "cuCtxSetLimit", 5, 128)
			p.Ask("fetch of 129", "cuCtxSetLimit", 5, 129)
			p.Ask("persisting L2 of everything", "cuCtxSetLimit", 6, huge)
			p.Ask("stack of 1024", "cuCtxSetLimit", 0, 1024)
		}},
		{Name: "printf's size after a launch", Alone: true, Do: func(p *Process) {
			s := p.Stream()
			p.Must("cuLaunchKernel", p.Kernel(plain, "nothing"), 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
			p.Must("cuStreamSynchronize", s)
			p.Ask("printf", "cuCtxSetLimit", 1, 4<<20)
			p.Ask("heap", "cuCtxSetLimit", 2, 16<<20)
			p.Ask("stack", "cuCtxSetLimit", 0, 4096)
		}},
		{Name: "peers", Do: func(p *Process) {
			p.Ask("itself", "cuCtxEnablePeerAccess", p.ctx, 0)
			p.Ask("itself again", "cuCtxEnablePeerAccess", p.ctx, 0)
			p.Ask("flags", "cuCtxEnablePeerAccess", p.ctx, 1)
			p.Ask("not enabled", "cuCtxDisablePeerAccess", p.ctx)
			other := p.Make("cuCtxCreate_v2", 0, p.dev)
			p.Ask("of the same device", "cuCtxEnablePeerAccess", p.ctx, 0)
			p.Ask("of the same device", "cuCtxDisablePeerAccess", p.ctx)
			p.Must("cuCtxDestroy_v2", other)
		}},
		{Name: "primary context", Alone: true, Do: func(p *Process) {
			p.Ask("", "cuCtxDestroy_v2", p.ctx)
			p.Ask("after", "cuCtxSynchronize")
			p.Ask("once", "cuDevicePrimaryCtxRelease_v2", 0)
			p.Ask("released", "cuCtxSynchronize")
			p.Ask("released", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("released", "cuStreamCreate", p.Out(), 0)
			p.Ask("released", "cuCtxGetCurrent", p.Out())
			p.Ask("twice", "cuDevicePrimaryCtxRelease_v2", 0)
			p.Ask("released", "cuCtxSetCurrent", p.ctx)
			p.Ask("again", "cuDevicePrimaryCtxRetain", p.Out(), 0)
			p.Ask("again", "cuMemAlloc_v2", p.Out(), 64)
		}},
		{Name: "destroyed context", Alone: true, Do: func(p *Process) {
			c := p.Make("cuCtxCreate_v2", 0, p.dev)
			m := p.Memory(64)
			p.Must("cuCtxDestroy_v2", c)
			p.Ask("after", "cuCtxGetCurrent", p.Out())
			p.Ask("after", "cuCtxSynchronize")
			p.Ask("after", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("set", "cuCtxSetCurrent", c)
			p.Ask("after it was set", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("after it was set", "cuCtxSynchronize")
			p.Try("cuCtxSetCurrent", p.ctx)
			p.Ask("its memory", "cuMemFree_v2", m)
			p.Ask("its memory", "cuMemGetAddressRange_v2", p.Out(), p.Out(), m)
			p.Ask("its memory", "cuMemsetD8Async", m, 0, 64, p.Stream())
			p.Ask("again", "cuCtxDestroy_v2", c)
			p.Ask("peer", "cuCtxEnablePeerAccess", c, 0)
		}},
		{Name: "streams of a destroyed context", Alone: true, Do: func(p *Process) {
			c := p.Make("cuCtxCreate_v2", 0, p.dev)
			s, e := p.Stream(), p.Event()
			p.Must("cuCtxDestroy_v2", c)
			p.Must("cuCtxSetCurrent", p.ctx)
			p.Ask("", "cuStreamQuery", s)
			p.Ask("", "cuStreamSynchronize", s)
			p.Ask("", "cuEventQuery", e)
			p.Ask("", "cuEventRecord", e, p.Stream())
			p.Ask("", "cuStreamDestroy_v2", s)
			p.Ask("", "cuEventDestroy_v2", e)
		}},
		{Name: "another context", Do: func(p *Process) {
			s, e, f := p.Stream(), p.Event(), p.Kernel(plain, "nothing")
			m := p.Memory(64)
			other := p.Make("cuCtxCreate_v2", 0, p.dev)
			t, o := p.Stream(), p.Event()
			p.Ask("a stream", "cuStreamQuery", s)
			p.Ask("an event in a stream of this one", "cuEventRecord", e, t)
			p.Ask("an event of this one in a stream", "cuEventRecord", o, s)
			p.Ask("an event", "cuEventRecord", e, s)
			p.Ask("an event that this one waits for", "cuStreamWaitEvent", t, e, 0)
			p.Ask("a kernel in a stream of this one", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, t, 0, 0)
			p.Ask("a kernel in the null stream", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
			p.Ask("a kernel in its stream", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
			p.Ask("a kernel's attribute", "cuFuncGetAttribute", p.Out(), 0, f)
			p.Ask("a module's function", "cuModuleGetFunction", p.Out(), p.Module(plain), p.Text("nothing"))
			p.Ask("memory in a stream of this one", "cuMemsetD8Async", m, 1, 64, t)
			p.Ask("memory of it", "cuMemGetAddressRange_v2", p.Out(), p.Out(), m)
			p.Ask("memory", "cuMemFree_v2", m)
			p.Try("cuStreamSynchronize", t)
			p.Try("cuStreamSynchronize", s)
			p.Must("cuCtxDestroy_v2", other)
		}},
	}
}
