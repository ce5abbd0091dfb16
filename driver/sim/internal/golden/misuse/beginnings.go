package misuse

// beginnings call functions before cuInit, or where no context is current.
func beginnings() []Scenario {
	return []Scenario{
		{Name: "before cuInit", Bare: true, Alone: true, Do: func(p *Process) {
			everything(p)
			p.Ask("", "cuDriverGetVersion", p.Out())
			p.Ask("null", "cuDriverGetVersion", 0)
			p.Ask("", "cuGetErrorName", 1, p.Out())
			p.Ask("null", "cuGetErrorName", 1, 0)
			p.Ask("no such code", "cuGetErrorName", 12345, p.Out())
			p.Ask("no such code", "cuGetErrorString", 12345, p.Out())
			p.Ask("null", "cuGetErrorString", 1, 0)
		}},
		{Name: "cuInit", Bare: true, Alone: true, Do: func(p *Process) {
			p.Ask("flags of 1", "cuInit", 1)
			p.Ask("after that", "cuDeviceGetCount", p.Out())
			p.Ask("no flags", "cuInit", 0)
			p.Ask("again", "cuInit", 0)
			p.Ask("flags of 1 later", "cuInit", 1)
			p.Ask("after all", "cuDeviceGetCount", p.Out())
		}},
		{Name: "no context", Bare: true, Alone: true, Do: func(p *Process) {
			p.Must("cuInit", 0)
			everything(p)
		}},
		{Name: "context of nobody", Bare: true, Alone: true, Do: func(p *Process) {
			p.Must("cuInit", 0)
			c := p.Make("cuDevicePrimaryCtxRetain", 0)
			s := func() uintptr {
				p.Must("cuCtxSetCurrent", c)
				defer p.Must("cuCtxSetCurrent", 0)
				return p.Stream()
			}()
			out := p.Out()
			p.Ask("of a stream", "cuMemAllocAsync", out, 64, s)
			p.Ask("of a stream", "cuMemsetD8Async", p.Get(out), 0, 64, s)
			p.Ask("of a stream", "cuMemcpyDtoHAsync_v2", p.Room(64), p.Get(out), 64, s)
			p.Ask("of a stream", "cuStreamQuery", 0)
			p.Ask("of a stream", "cuMemFreeAsync", p.Get(out), s)
			p.Ask("of a stream", "cuStreamSynchronize", s)
			p.Ask("of a stream", "cuStreamGetPriority", s, p.Out())
			p.Ask("of a stream", "cuStreamBeginCapture_v2", s, 2)
			g := p.Out()
			p.Ask("of a stream", "cuStreamEndCapture", s, g)
			p.Ask("of a stream", "cuGraphDestroy", p.Get(g))
			p.Ask("of a stream", "cuStreamDestroy_v2", s)
			p.Ask("released", "cuDevicePrimaryCtxRelease_v2", 0)
			p.Ask("too often", "cuDevicePrimaryCtxRelease_v2", 0)
			p.Ask("too often", "cuDevicePrimaryCtxGetState", 0, p.Out(), p.Out())
		}},
	}
}

// everything calls most functions as if nothing were wrong; handles are null.
func everything(p *Process) {
	image := p.Text(plain)
	for _, c := range []struct {
		function string
		words    []uintptr
	}{
		{"cuDeviceGet", []uintptr{p.Out(), 0}},
		{"cuDeviceGetCount", []uintptr{p.Out()}},
		{"cuDeviceGetName", []uintptr{p.Out(), 64, 0}},
		{"cuDeviceGetUuid_v2", []uintptr{p.Out(), 0}},
		{"cuDeviceTotalMem_v2", []uintptr{p.Out(), 0}},
		{"cuDeviceGetAttribute", []uintptr{p.Out(), 1, 0}},
		{"cuDeviceGetPCIBusId", []uintptr{p.Out(), 32, 0}},
		{"cuDeviceGetByPCIBusId", []uintptr{p.Out(), p.Text("0000:ff:1f.7")}},
		{"cuDeviceGetDefaultMemPool", []uintptr{p.Out(), 0}},
		{"cuDeviceGetMemPool", []uintptr{p.Out(), 0}},
		{"cuDevicePrimaryCtxGetState", []uintptr{0, p.Out(), p.Out()}},
		{"cuDevicePrimaryCtxRelease_v2", []uintptr{0}},
		{"cuCtxDestroy_v2", []uintptr{0}},
		{"cuCtxSetCurrent", []uintptr{0}},
		{"cuCtxGetCurrent", []uintptr{p.Out()}},
		{"cuCtxSynchronize", nil},
		{"cuCtxSetLimit", []uintptr{0, 1024}},
		{"cuCtxGetLimit", []uintptr{p.Out(), 0}},
		{"cuCtxGetStreamPriorityRange", []uintptr{p.Out(), p.Out()}},
		{"cuCtxEnablePeerAccess", []uintptr{0, 0}},
		{"cuCtxDisablePeerAccess", []uintptr{0}},
		{"cuModuleLoadDataEx", []uintptr{p.Out(), image, 0, 0, 0}},
		{"cuModuleUnload", []uintptr{0}},
		{"cuModuleGetFunction", []uintptr{p.Out(), 0, p.Text("nothing")}},
		{"cuModuleGetGlobal_v2", []uintptr{p.Out(), p.Out(), 0, p.Text("counter")}},
		{"cuModuleGetLoadingMode", []uintptr{p.Out()}},
		{"cuLibraryUnload", []uintptr{0}},
		{"cuLibraryGetKernel", []uintptr{p.Out(), 0, p.Text("nothing")}},
		{"cuLinkCreate_v2", []uintptr{0, 0, 0, p.Out()}},
		{"cuLinkDestroy", []uintptr{0}},
		{"cuFuncGetAttribute", []uintptr{p.Out(), 0, 0}},
		{"cuFuncSetAttribute", []uintptr{0, 8, 0}},
		{"cuMemAlloc_v2", []uintptr{p.Out(), 64}},
		{"cuMemFree_v2", []uintptr{0}},
		{"cuMemGetInfo_v2", []uintptr{p.Out(), p.Out()}},
		{"cuMemGetAddressRange_v2", []uintptr{p.Out(), p.Out(), 0x7f0000000000}},
		{"cuPointerGetAttribute", []uintptr{p.Out(), 2, 0x7f0000000000}},
		{"cuMemAllocAsync", []uintptr{p.Out(), 64, 0}},
		{"cuMemFreeAsync", []uintptr{0, 0}},
		{"cuMemHostAlloc", []uintptr{p.Out(), 64, 0}},
		{"cuMemFreeHost", []uintptr{0}},
		{"cuMemHostRegister_v2", []uintptr{p.Room(8192), 4096, 0}},
		{"cuMemHostUnregister", []uintptr{p.Room(64)}},
		{"cuMemHostGetDevicePointer_v2", []uintptr{p.Out(), p.Room(64), 0}},
		{"cuMemcpyHtoDAsync_v2", []uintptr{0x7f0000000000, p.Room(64), 64, 0}},
		{"cuMemcpyDtoHAsync_v2", []uintptr{p.Room(64), 0x7f0000000000, 64, 0}},
		{"cuMemcpyDtoDAsync_v2", []uintptr{0x7f0000000000, 0x7f0000000000, 64, 0}},
		{"cuMemsetD8Async", []uintptr{0x7f0000000000, 1, 64, 0}},
		{"cuIpcGetMemHandle", []uintptr{p.Out(), 0x7f0000000000}},
		{"cuIpcCloseMemHandle", []uintptr{0x7f0000000000}},
		{"cuMemAddressFree", []uintptr{0x7f0000000000, 2 << 20}},
		{"cuMemRelease", []uintptr{0}},
		{"cuMemUnmap", []uintptr{0x7f0000000000, 2 << 20}},
		{"cuStreamCreate", []uintptr{p.Out(), 0}},
		{"cuStreamCreateWithPriority", []uintptr{p.Out(), 0, 0}},
		{"cuStreamGetPriority", []uintptr{0, p.Out()}},
		{"cuStreamDestroy_v2", []uintptr{0}},
		{"cuStreamSynchronize", []uintptr{0}},
		{"cuStreamQuery", []uintptr{0}},
		{"cuStreamWaitEvent", []uintptr{0, 0, 0}},
		{"cuStreamIsCapturing", []uintptr{0, p.Out()}},
		{"cuStreamBeginCapture_v2", []uintptr{0, 0}},
		{"cuStreamEndCapture", []uintptr{0, p.Out()}},
		{"cuEventCreate", []uintptr{p.Out(), 0}},
		{"cuEventDestroy_v2", []uintptr{0}},
		{"cuEventRecord", []uintptr{0, 0}},
		{"cuEventSynchronize", []uintptr{0}},
		{"cuEventQuery", []uintptr{0}},
		{"cuEventElapsedTime", []uintptr{p.Out(), 0, 0}},
		{"cuLaunchKernel", []uintptr{0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0}},
		{"cuLaunchCooperativeKernel", []uintptr{0, 1, 1, 1, 1, 1, 1, 0, 0, 0}},
		{"cuLaunchHostFunc", []uintptr{0, p.hostFunc(), 0}},
		{"cuOccupancyMaxActiveBlocksPerMultiprocessor", []uintptr{p.Out(), 0, 32, 0}},
		{"cuGraphDestroy", []uintptr{0}},
		{"cuGraphAddEmptyNode", []uintptr{p.Out(), 0, 0, 0}},
		{"cuGraphInstantiateWithFlags", []uintptr{p.Out(), 0, 0}},
		{"cuGraphLaunch", []uintptr{0, 0}},
		{"cuGraphExecDestroy", []uintptr{0}},
		{"cuGraphCreate", []uintptr{p.Out(), 0}},
		{"cuMemAddressReserve", []uintptr{p.Out(), 2 << 20, 0, 0, 0}},
	} {
		p.Ask("", c.function, c.words...)
	}
}
