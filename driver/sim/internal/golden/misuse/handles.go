package misuse

// handles use handles that are gone, each in a process of its own.
func handles() []Scenario {
	gone := func(name string, do func(p *Process)) Scenario {
		return Scenario{Name: "destroyed " + name, Alone: true, Do: do}
	}
	return []Scenario{
		gone("stream", func(p *Process) {
			s := p.Stream()
			p.Must("cuStreamDestroy_v2", s)
			p.Ask("", "cuStreamQuery", s)
			p.Ask("", "cuStreamSynchronize", s)
			p.Ask("", "cuStreamGetPriority", s, p.Out())
			p.Ask("", "cuStreamWaitEvent", s, p.Event(), 0)
			p.Ask("", "cuEventRecord", p.Event(), s)
			p.Ask("", "cuMemsetD8Async", p.Memory(64), 1, 64, s)
			p.Ask("", "cuLaunchKernel", p.Kernel(plain, "nothing"), 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
			p.Ask("", "cuStreamBeginCapture_v2", s, 0)
			p.Ask("", "cuStreamDestroy_v2", s)
		}),
		gone("event", func(p *Process) {
			s, e := p.Stream(), p.Event()
			p.Must("cuEventDestroy_v2", e)
			p.Ask("", "cuEventQuery", e)
			p.Ask("", "cuEventSynchronize", e)
			p.Ask("", "cuEventRecord", e, s)
			p.Ask("", "cuStreamWaitEvent", s, e, 0)
			p.Ask("", "cuEventElapsedTime", p.Out(), e, e)
			p.Ask("", "cuEventDestroy_v2", e)
		}),
		gone("module", func(p *Process) {
			m := p.Make("cuModuleLoadDataEx", p.Text(plain), 0, 0, 0)
			f := p.Make("cuModuleGetFunction", m, p.Text("nothing"))
			v := p.Make("cuModuleGetGlobal_v2", p.Out(), m, p.Text("counter"))
			p.Must("cuModuleUnload", m)
			p.Ask("its variable", "cuMemsetD8Async", v, 1, 4, p.Stream())
			p.Ask("", "cuModuleGetFunction", p.Out(), m, p.Text("nothing"))
			p.Ask("", "cuModuleGetGlobal_v2", p.Out(), p.Out(), m, p.Text("counter"))
			p.Ask("its kernel", "cuFuncGetAttribute", p.Out(), 0, f)
			p.Ask("its kernel", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, p.Stream(), 0, 0)
			p.Ask("", "cuModuleUnload", m)
		}),
		gone("library", func(p *Process) {
			l := p.Make("cuLibraryLoadData", p.Text(plain), 0, 0, 0, 0, 0, 0)
			k := p.Make("cuLibraryGetKernel", l, p.Text("nothing"))
			f := p.Make("cuKernelGetFunction", k)
			p.Must("cuLibraryUnload", l)
			p.Ask("", "cuLibraryGetKernel", p.Out(), l, p.Text("nothing"))
			p.Ask("its kernel", "cuKernelGetFunction", p.Out(), k)
			p.Ask("its function", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, p.Stream(), 0, 0)
			p.Ask("", "cuLibraryUnload", l)
		}),
		gone("graph", func(p *Process) {
			g := p.Make("cuGraphCreate", 0)
			n := p.Make("cuGraphAddEmptyNode", g, 0, 0)
			p.Must("cuGraphDestroy", g)
			p.Ask("", "cuGraphAddEmptyNode", p.Out(), g, 0, 0)
			p.Ask("", "cuGraphGetNodes", g, 0, p.Out())
			p.Ask("", "cuGraphInstantiateWithFlags", p.Out(), g, 0)
			p.Ask("its node", "cuGraphNodeGetType", n, p.Out())
			p.Ask("", "cuGraphDestroy", g)
		}),
		gone("executable graph", func(p *Process) {
			s, g := p.Stream(), p.Make("cuGraphCreate", 0)
			x := p.Make("cuGraphInstantiateWithFlags", g, 0)
			p.Must("cuGraphExecDestroy", x)
			p.Ask("", "cuGraphLaunch", x, s)
			p.Ask("", "cuGraphUpload", x, s)
			p.Ask("", "cuGraphExecDestroy", x)
		}),
		gone("pool", func(p *Process) {
			s := p.Stream()
			pool := p.Make("cuMemPoolCreate", p.Words(onDevice(0)...))
			p.Must("cuMemPoolDestroy", pool)
			p.Ask("", "cuMemAllocFromPoolAsync", p.Out(), 64, pool, s)
			p.Ask("", "cuMemPoolTrimTo", pool, 0)
			p.Ask("", "cuMemPoolGetAttribute", pool, 4, p.Out())
			p.Ask("", "cuDeviceSetMemPool", 0, pool)
			p.Ask("", "cuMemPoolDestroy", pool)
		}),
		gone("link", func(p *Process) {
			out := p.Out()
			p.Must("cuLinkCreate_v2", 0, 0, 0, out)
			s := p.Get(out)
			p.Must("cuLinkDestroy", s)
			p.Ask("", "cuLinkComplete", s, p.Out(), p.Out())
			p.Ask("", "cuLinkDestroy", s)
		}),
		{Name: "handles of other kinds", Alone: true, Do: func(p *Process) {
			s, e := p.Stream(), p.Event()
			p.Ask("an event", "cuStreamQuery", e)
			p.Ask("a stream", "cuEventQuery", s)
			p.Ask("a stream", "cuGraphLaunch", s, s)
			p.Ask("a stream", "cuLaunchKernel", s, 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
			p.Ask("a stream", "cuModuleGetFunction", p.Out(), s, p.Text("nothing"))
			p.Ask("a stream", "cuCtxSetCurrent", s)
			p.Ask("a stream", "cuGraphAddEmptyNode", p.Out(), s, 0, 0)
			p.Ask("a stream", "cuMemPoolTrimTo", s, 0)
			p.Ask("zeroed memory", "cuStreamQuery", p.Room(4096))
			p.Ask("zeroed memory", "cuEventQuery", p.Room(4096))
			p.Ask("zeroed memory", "cuCtxSetCurrent", p.Room(4096))
			p.Ask("zeroed memory", "cuModuleUnload", p.Room(4096))
			p.Ask("zeroed memory", "cuGraphDestroy", p.Room(4096))
			p.Ask("zeroed memory", "cuLaunchKernel", p.Room(4096), 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
		}},
	}
}
