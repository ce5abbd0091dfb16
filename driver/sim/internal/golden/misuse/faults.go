package misuse

// faults take the GPU from the process, and ask what is left.
func faults() []Scenario {
	at := func(offset uintptr) func(*Process) []uintptr {
		return func(p *Process) []uintptr { return []uintptr{p.Memory(4096) + offset, 1} }
	}
	word := func(w uintptr) func(*Process) []uintptr {
		return func(*Process) []uintptr { return []uintptr{w, 1} }
	}
	return []Scenario{
		fault("a store to null", wrong, "store", word(0), everythingLeft),
		fault("a trap", wrong, "trapped", nil, everythingLeft),
		fault("a store to nowhere", wrong, "store", word(0x1000), someLeft),
		fault("a load from nowhere", wrong, "load", word(0x7f0000000000), someLeft),
		fault("an address of more than 57 bits", wrong, "store", word(1<<60), someLeft),
		fault("a misaligned store", wrong, "store", at(1), someLeft),
		fault("a misaligned atomic", wrong, "atomic", at(2), someLeft),
		fault("past shared memory", wrong, "sharedAt", word(1<<20), someLeft),
		fault("misaligned shared memory", wrong, "sharedAt", word(2), someLeft),
		fault("an assertion", wrong, "asserted", nil, someLeft),
		fault("a call of null", wrong, "jumping", word(0), someLeft),
		fault("a call of nowhere", wrong, "jumping", word(0x7fff12345670), someLeft),
		fault("calls without end", deep, "recursive", at(0), someLeft),
		{Name: "fault in another context", Alone: true, Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(4096)
			other := p.Make("cuCtxCreate_v2", 0, p.dev)
			t := p.Stream()
			f := p.Make("cuModuleGetFunction", p.Make("cuModuleLoadDataEx", p.Text(wrong), 0, 0, 0), p.Text("trapped"))
			p.Must("cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, t, 0, 0)
			p.Ask("there", "cuStreamSynchronize", t)
			p.Ask("back", "cuCtxSetCurrent", p.ctx)
			p.Ask("here", "cuStreamQuery", s)
			p.Ask("here", "cuStreamSynchronize", s)
			p.Ask("here", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("here", "cuMemFree_v2", m)
			p.Ask("there", "cuCtxDestroy_v2", other)
			p.Ask("after that", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("after that", "cuCtxSynchronize")
			p.Ask("after that", "cuCtxCreate_v2", p.Out(), 0, p.dev)
		}},
		{Name: "fault in a graph", Alone: true, Do: func(p *Process) {
			s, g := p.Stream(), p.Make("cuGraphCreate", 0)
			p.Must("cuGraphAddKernelNode_v2", p.Out(), g, 0, 0, p.Words(uint64(p.Kernel(wrong, "trapped")), pair(1, 1), pair(1, 1), pair(1, 1), 0, 0, 0, 0, 0))
			x := p.Make("cuGraphInstantiateWithFlags", g, 0)
			p.Ask("", "cuGraphLaunch", x, s)
			p.Ask("", "cuStreamSynchronize", s)
			p.Ask("again", "cuGraphLaunch", x, s)
			p.Ask("", "cuGraphExecDestroy", x)
			p.Ask("", "cuGraphDestroy", g)
		}},
		{Name: "fault and a reset", Alone: true, Do: func(p *Process) {
			s := p.Stream()
			p.Must("cuLaunchKernel", p.Kernel(wrong, "trapped"), 1, 1, 1, 1, 1, 1, 0, s, 0, 0)
			p.Ask("", "cuStreamSynchronize", s)
			p.Ask("", "cuDevicePrimaryCtxRelease_v2", 0)
			p.Ask("then", "cuDevicePrimaryCtxGetState", 0, p.Out(), p.Out())
			c := p.Out()
			p.Ask("then", "cuDevicePrimaryCtxRetain", c, 0)
			p.Ask("then", "cuCtxSetCurrent", p.Get(c))
			p.Ask("then", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("then", "cuStreamCreate", p.Out(), 0)
			p.Ask("then", "cuCtxSynchronize")
		}},
	}
}

// Things are made before a fault, to be used after it.
type things struct {
	*Process
	failed, other, past, event, memory, pooled, pinned, module, function, library, kernel, graph, exec, pool, context uintptr
}

// fault launches a kernel, with arguments of 8 bytes or less, and waits for it.
func fault(name, text, kernel string, arguments func(p *Process) []uintptr, then func(t *things)) Scenario {
	return Scenario{Name: "fault: " + name, Alone: true, Do: func(p *Process) {
		t := &things{Process: p, failed: p.Stream(), other: p.Stream(), event: p.Event(), memory: p.Memory(4096), pinned: p.Make("cuMemHostAlloc", 4096, 0)}
		t.context = p.Make("cuCtxCreate_v2", 0, p.dev)
		p.Must("cuCtxSetCurrent", p.ctx)
		t.past, t.pooled = p.eventIn(t.other), p.Make("cuMemAllocAsync", 4096, t.other)
		t.module, t.function = p.Module(plain), p.Kernel(plain, "nothing")
		t.library = p.Make("cuLibraryLoadData", p.Text(plain), 0, 0, 0, 0, 0, 0)
		t.kernel = p.Make("cuLibraryGetKernel", t.library, p.Text("nothing"))
		t.graph = p.Make("cuGraphCreate", 0)
		p.Must("cuGraphAddEmptyNode", p.Out(), t.graph, 0, 0)
		t.exec = p.Make("cuGraphInstantiateWithFlags", t.graph, 0)
		t.pool = p.Make("cuMemPoolCreate", p.Words(onDevice(0)...))
		f, params := p.Kernel(text, kernel), uintptr(0)
		if arguments != nil {
			params = p.Params(arguments(p)...)
		}
		p.Must("cuStreamSynchronize", t.other)
		p.Ask("the launch", "cuLaunchKernel", f, 1, 1, 1, 1, 1, 1, 0, t.failed, params, 0)
		p.Ask("the wait", "cuStreamSynchronize", t.failed)
		then(t)
	}}
}

// someLeft asks one function of each kind.
func someLeft(t *things) {
	t.Ask("then", "cuStreamSynchronize", t.failed)
	t.Ask("then", "cuStreamQuery", t.other)
	t.Ask("then", "cuEventQuery", t.past)
	t.Ask("then", "cuCtxSynchronize")
	t.Ask("then", "cuMemAlloc_v2", t.Out(), 64)
	t.Ask("then", "cuMemsetD8Async", t.memory, 1, 64, t.other)
	t.Ask("then", "cuLaunchKernel", t.function, 1, 1, 1, 1, 1, 1, 0, t.other, 0, 0)
	t.Ask("then", "cuCtxCreate_v2", t.Out(), 0, t.dev)
	t.Ask("then", "cuMemFree_v2", t.memory)
	t.Ask("then", "cuStreamDestroy_v2", t.failed)
	t.Ask("then", "cuModuleUnload", t.module)
	t.Ask("then", "cuDevicePrimaryCtxRelease_v2", 0)
}

// everythingLeft asks most functions, and gives back what was made.
func everythingLeft(t *things) {
	t.Ask("again", "cuStreamSynchronize", t.failed)
	for _, c := range []struct {
		function string
		words    []uintptr
	}{
		{"cuInit", []uintptr{0}},
		{"cuDriverGetVersion", []uintptr{t.Out()}},
		{"cuDeviceGetCount", []uintptr{t.Out()}},
		{"cuDeviceGet", []uintptr{t.Out(), 0}},
		{"cuDeviceGetName", []uintptr{t.Out(), 64, 0}},
		{"cuDeviceGetAttribute", []uintptr{t.Out(), 1, 0}},
		{"cuDeviceTotalMem_v2", []uintptr{t.Out(), 0}},
		{"cuDeviceCanAccessPeer", []uintptr{t.Out(), 0, 0}},
		{"cuDeviceGetDefaultMemPool", []uintptr{t.Out(), 0}},
		{"cuDeviceGetMemPool", []uintptr{t.Out(), 0}},
		{"cuDevicePrimaryCtxGetState", []uintptr{0, t.Out(), t.Out()}},
		{"cuCtxGetCurrent", []uintptr{t.Out()}},
		{"cuCtxSetCurrent", []uintptr{t.ctx}},
		{"cuCtxSynchronize", nil},
		{"cuCtxGetLimit", []uintptr{t.Out(), 0}},
		{"cuCtxSetLimit", []uintptr{0, 2048}},
		{"cuCtxGetStreamPriorityRange", []uintptr{t.Out(), t.Out()}},
		{"cuStreamCreate", []uintptr{t.Out(), 0}},
		{"cuStreamCreateWithPriority", []uintptr{t.Out(), 0, 0}},
		{"cuStreamGetPriority", []uintptr{t.other, t.Out()}},
		{"cuStreamQuery", []uintptr{t.other}},
		{"cuStreamSynchronize", []uintptr{t.other}},
		{"cuStreamWaitEvent", []uintptr{t.other, t.past, 0}},
		{"cuStreamIsCapturing", []uintptr{t.other, t.Out()}},
		{"cuEventCreate", []uintptr{t.Out(), 0}},
		{"cuEventQuery", []uintptr{t.past}},
		{"cuEventSynchronize", []uintptr{t.past}},
		{"cuEventElapsedTime", []uintptr{t.Out(), t.past, t.past}},
		{"cuEventRecord", []uintptr{t.event, t.other}},
		{"cuMemAlloc_v2", []uintptr{t.Out(), 64}},
		{"cuMemAllocAsync", []uintptr{t.Out(), 64, t.other}},
		{"cuMemAllocFromPoolAsync", []uintptr{t.Out(), 64, t.pool, t.other}},
		{"cuMemHostAlloc", []uintptr{t.Out(), 64, 0}},
		{"cuMemHostRegister_v2", []uintptr{(t.Room(16384) + 4095) &^ 4095, 4096, 0}},
		{"cuMemHostGetDevicePointer_v2", []uintptr{t.Out(), t.pinned, 0}},
		{"cuMemGetInfo_v2", []uintptr{t.Out(), t.Out()}},
		{"cuMemGetAddressRange_v2", []uintptr{t.Out(), t.Out(), t.memory}},
		{"cuPointerGetAttribute", []uintptr{t.Out(), 2, t.memory}},
		{"cuMemcpyHtoDAsync_v2", []uintptr{t.memory, t.Room(64), 64, t.other}},
		{"cuMemcpyDtoHAsync_v2", []uintptr{t.Room(64), t.memory, 64, t.other}},
		{"cuMemcpyDtoDAsync_v2", []uintptr{t.memory, t.memory + 128, 64, t.other}},
		{"cuMemsetD8Async", []uintptr{t.memory, 1, 64, t.other}},
		{"cuIpcGetMemHandle", []uintptr{t.Room(64), t.memory}},
		{"cuMemPoolCreate", []uintptr{t.Out(), t.Words(onDevice(0)...)}},
		{"cuMemPoolGetAttribute", []uintptr{t.pool, 4, t.Out()}},
		{"cuMemPoolTrimTo", []uintptr{t.pool, 0}},
		{"cuMemAddressReserve", []uintptr{t.Out(), 2 << 20, 0, 0, 0}},
		{"cuMemCreate", []uintptr{t.Out(), 2 << 20, t.Words(onDevice(0)...), 0}},
		{"cuMemGetAllocationGranularity", []uintptr{t.Out(), t.Words(onDevice(0)...), 0}},
		{"cuModuleLoadDataEx", []uintptr{t.Out(), t.Text(plain), 0, 0, 0}},
		{"cuModuleGetFunction", []uintptr{t.Out(), t.module, t.Text("nothing")}},
		{"cuModuleGetGlobal_v2", []uintptr{t.Out(), t.Out(), t.module, t.Text("counter")}},
		{"cuModuleGetLoadingMode", []uintptr{t.Out()}},
		{"cuLibraryLoadData", []uintptr{t.Out(), t.Text(plain), 0, 0, 0, 0, 0, 0}},
		{"cuLibraryGetKernel", []uintptr{t.Out(), t.library, t.Text("nothing")}},
		{"cuKernelGetFunction", []uintptr{t.Out(), t.kernel}},
		{"cuLinkCreate_v2", []uintptr{0, 0, 0, t.Out()}},
		{"cuFuncGetAttribute", []uintptr{t.Out(), 0, t.function}},
		{"cuFuncSetAttribute", []uintptr{t.function, 8, 1024}},
		{"cuFuncGetName", []uintptr{t.Out(), t.function}},
		{"cuOccupancyMaxActiveBlocksPerMultiprocessor", []uintptr{t.Out(), t.function, 32, 0}},
		{"cuLaunchKernel", []uintptr{t.function, 1, 1, 1, 1, 1, 1, 0, t.other, 0, 0}},
		{"cuLaunchCooperativeKernel", []uintptr{t.function, 1, 1, 1, 1, 1, 1, 0, t.other, 0}},
		{"cuLaunchHostFunc", []uintptr{t.other, t.hostFunc(), 0}},
		{"cuGraphCreate", []uintptr{t.Out(), 0}},
		{"cuGraphAddEmptyNode", []uintptr{t.Out(), t.graph, 0, 0}},
		{"cuGraphInstantiateWithFlags", []uintptr{t.Out(), t.graph, 0}},
		{"cuGraphLaunch", []uintptr{t.exec, t.other}},
		{"cuStreamBeginCapture_v2", []uintptr{t.other, relaxed}},
		{"cuStreamEndCapture", []uintptr{t.other, t.Out()}},
		{"cuDevicePrimaryCtxRetain", []uintptr{t.Out(), 0}},
		{"cuCtxCreate_v2", []uintptr{t.Out(), 0, 0}},
	} {
		t.Ask("then", c.function, c.words...)
	}
	t.Try("cuCtxSetCurrent", t.ctx)
	t.Ask("then wrong", "cuDeviceGet", t.Out(), 99)
	t.Ask("then wrong", "cuMemAlloc_v2", 0, 64)
	t.Ask("then wrong", "cuStreamCreate", 0, 0)
	t.Ask("then wrong", "cuLaunchKernel", t.function, 0, 1, 1, 1, 1, 1, 0, t.other, 0, 0)
	t.Ask("then wrong", "cuModuleGetFunction", t.Out(), t.module, t.Text("none"))
	t.Ask("in another context", "cuCtxSetCurrent", t.context)
	t.Ask("in another context", "cuMemAlloc_v2", t.Out(), 64)
	t.Ask("in another context", "cuCtxSynchronize")
	t.Try("cuCtxSetCurrent", t.ctx)
	for _, c := range []struct {
		function string
		words    []uintptr
	}{
		{"cuMemFree_v2", []uintptr{t.memory}},
		{"cuMemFreeAsync", []uintptr{t.pooled, t.other}},
		{"cuMemFreeHost", []uintptr{t.pinned}},
		{"cuMemPoolDestroy", []uintptr{t.pool}},
		{"cuGraphExecDestroy", []uintptr{t.exec}},
		{"cuGraphDestroy", []uintptr{t.graph}},
		{"cuEventDestroy_v2", []uintptr{t.event}},
		{"cuStreamDestroy_v2", []uintptr{t.failed}},
		{"cuModuleUnload", []uintptr{t.module}},
		{"cuLibraryUnload", []uintptr{t.library}},
		{"cuCtxDestroy_v2", []uintptr{t.context}},
		{"cuDevicePrimaryCtxRelease_v2", []uintptr{0}},
	} {
		t.Ask("in the end", c.function, c.words...)
	}
	t.Ask("after the end", "cuCtxSynchronize")
	t.Ask("after the end", "cuMemAlloc_v2", t.Out(), 64)
}
