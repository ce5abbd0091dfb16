package misuse

// The modes of a capture.
const (
	global = iota
	perThread
	relaxed
)

// A kit is what is made before a capture begins, since making it could spoil that.
type kit struct {
	*Process
	nothing          uintptr   // a kernel
	block, pooled    uintptr   // memory, the second of a stream
	spare            uintptr   // a stream
	past, unrecorded uintptr   // events
	marks            []uintptr // events
	ready            uintptr   // an executable graph
}

func newKit(p *Process) *kit {
	k := &kit{Process: p, nothing: p.Kernel(plain, "nothing"), block: p.Memory(4096), spare: p.Stream(), unrecorded: p.Event()}
	k.pooled, k.past = p.Make("cuMemAllocAsync", 4096, k.spare), p.eventIn(k.spare)
	for range 4 {
		k.marks = append(k.marks, p.Event())
	}
	g := p.Make("cuGraphCreate", 0)
	p.Must("cuGraphAddEmptyNode", p.Out(), g, 0, 0)
	k.ready = p.Make("cuGraphInstantiateWithFlags", g, 0)
	p.Must("cuStreamSynchronize", k.spare)
	return k
}

// mark records an event.
func (k *kit) mark(stream uintptr) uintptr {
	e := k.marks[0]
	k.marks = k.marks[1:]
	k.Must("cuEventRecord", e, stream)
	return e
}

// during begins a capture, does something, and asks what became of it.
func during(name string, do func(p *kit, s uintptr)) Scenario {
	return Scenario{Name: "during a capture: " + name, Do: func(p *Process) {
		k, s := newKit(p), p.Make("cuStreamCreate", 0)
		p.Must("cuStreamBeginCapture_v2", s, global)
		do(k, s)
		p.Ask("after", "cuLaunchHostFunc", s, p.hostFunc(), 0)
		p.Ask("after", "cuStreamIsCapturing", s, p.Out())
		p.Ask("end", "cuStreamEndCapture", s, p.Out())
		p.Ask("later", "cuStreamSynchronize", s)
		p.Ask("later", "cuStreamQuery", s)
	}}
}

// captures do what cannot be captured.
func captures() []Scenario {
	return []Scenario{
		{Name: "capture", Do: func(p *Process) {
			s := p.Stream()
			p.Ask("without a beginning", "cuStreamEndCapture", s, p.Out())
			p.Ask("null stream without a beginning", "cuStreamEndCapture", 0, p.Out())
			p.Ask("mode 3", "cuStreamBeginCapture_v2", s, 3)
			p.Ask("mode -1", "cuStreamBeginCapture_v2", s, minus(1))
			p.Ask("of the null stream", "cuStreamBeginCapture_v2", 0, global)
			p.Ask("of the legacy stream", "cuStreamBeginCapture_v2", 1, global)
			p.Ask("of the null stream, relaxed", "cuStreamBeginCapture_v2", 0, relaxed)
			p.Ask("null stream", "cuStreamIsCapturing", 0, p.Out())
			p.Ask("", "cuStreamBeginCapture_v2", s, global)
			p.Ask("twice", "cuStreamBeginCapture_v2", s, global)
			p.Ask("", "cuStreamIsCapturing", s, p.Out())
			p.Ask("null result", "cuStreamEndCapture", s, 0)
			p.Ask("after that", "cuStreamEndCapture", s, p.Out())
			p.Ask("again", "cuStreamEndCapture", s, p.Out())
			open := p.Hold(s)
			p.Ask("of a held stream", "cuStreamBeginCapture_v2", s, global)
			p.Ask("of a held stream", "cuStreamEndCapture", s, p.Out())
			open()
			p.Must("cuStreamSynchronize", s)
		}},
		during("nothing", func(p *kit, s uintptr) {}),
		during("query", func(p *kit, s uintptr) { p.Ask("", "cuStreamQuery", s) }),
		during("synchronize", func(p *kit, s uintptr) { p.Ask("", "cuStreamSynchronize", s) }),
		during("synchronize the context", func(p *kit, s uintptr) { p.Ask("", "cuCtxSynchronize") }),
		during("the null stream", func(p *kit, s uintptr) { p.Ask("", "cuMemsetD8Async", p.block, 0, 4, 0) }),
		during("a launch in the null stream", func(p *kit, s uintptr) {
			p.Ask("", "cuLaunchKernel", p.nothing, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)
		}),
		during("query of the null stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamQuery", 0) }),
		during("synchronize the null stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamSynchronize", 0) }),
		during("record in the null stream", func(p *kit, s uintptr) { p.Ask("", "cuEventRecord", p.past, 0) }),
		during("wait in the null stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamWaitEvent", 0, p.mark(s), 0) }),
		during("query of another stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamQuery", p.spare) }),
		during("synchronize another stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamSynchronize", p.spare) }),
		during("query of an event", func(p *kit, s uintptr) { p.Ask("", "cuEventQuery", p.mark(s)) }),
		during("synchronize an event", func(p *kit, s uintptr) { p.Ask("", "cuEventSynchronize", p.mark(s)) }),
		during("query of an event from before", func(p *kit, s uintptr) { p.Ask("", "cuEventQuery", p.past) }),
		during("synchronize an event from before", func(p *kit, s uintptr) { p.Ask("", "cuEventSynchronize", p.past) }),
		during("elapsed time", func(p *kit, s uintptr) {
			p.Ask("", "cuEventElapsedTime", p.Out(), p.mark(s), p.mark(s))
		}),
		during("wait for an event from before", func(p *kit, s uintptr) { p.Ask("", "cuStreamWaitEvent", s, p.past, 0) }),
		during("wait for an event that was never recorded", func(p *kit, s uintptr) { p.Ask("", "cuStreamWaitEvent", s, p.unrecorded, 0) }),
		during("allocation", func(p *kit, s uintptr) { p.Ask("", "cuMemAlloc_v2", p.Out(), 64) }),
		during("free", func(p *kit, s uintptr) { p.Ask("", "cuMemFree_v2", p.block) }),
		during("free of null", func(p *kit, s uintptr) { p.Ask("", "cuMemFree_v2", 0) }),
		during("host allocation", func(p *kit, s uintptr) { p.Ask("", "cuMemHostAlloc", p.Out(), 64, 0) }),
		during("host registration", func(p *kit, s uintptr) {
			p.Ask("", "cuMemHostRegister_v2", (p.Room(16384)+4095)&^4095, 4096, 0)
		}),
		during("allocation in the stream", func(p *kit, s uintptr) { p.Ask("", "cuMemAllocAsync", p.Out(), 64, s) }),
		during("allocation and free in the stream", func(p *kit, s uintptr) {
			out := p.Out()
			p.Ask("", "cuMemAllocAsync", out, 64, s)
			p.Ask("", "cuMemFreeAsync", p.Get(out), s)
		}),
		during("free in the stream of memory from before", func(p *kit, s uintptr) { p.Ask("", "cuMemFreeAsync", p.pooled, s) }),
		during("module", func(p *kit, s uintptr) { p.Ask("", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 0, 0, 0) }),
		during("stream", func(p *kit, s uintptr) { p.Ask("", "cuStreamCreate", p.Out(), 0) }),
		during("event", func(p *kit, s uintptr) { p.Ask("", "cuEventCreate", p.Out(), 0) }),
		during("limit", func(p *kit, s uintptr) { p.Ask("", "cuCtxSetLimit", 0, 2048) }),
		during("memory info", func(p *kit, s uintptr) { p.Ask("", "cuMemGetInfo_v2", p.Out(), p.Out()) }),
		during("a copy to pageable memory", func(p *kit, s uintptr) { p.Ask("", "cuMemcpyDtoHAsync_v2", p.Room(64), p.block, 4, s) }),
		during("a copy to nowhere", func(p *kit, s uintptr) { p.Ask("", "cuMemcpyHtoDAsync_v2", 0x1000, p.Room(64), 4, s) }),
		during("a launch without blocks", func(p *kit, s uintptr) {
			p.Ask("", "cuLaunchKernel", p.nothing, 0, 1, 1, 1, 1, 1, 0, s, 0, 0)
		}),
		during("a launch of 1025 threads", func(p *kit, s uintptr) {
			p.Ask("", "cuLaunchKernel", p.nothing, 1, 1, 1, 1025, 1, 1, 0, s, 0, 0)
		}),
		during("another capture", func(p *kit, s uintptr) {
			p.Ask("", "cuStreamBeginCapture_v2", p.spare, global)
			p.Ask("of it", "cuStreamEndCapture", p.spare, p.Out())
		}),
		during("an event of another capture", func(p *kit, s uintptr) {
			p.Must("cuStreamBeginCapture_v2", p.spare, global)
			p.Ask("", "cuStreamWaitEvent", s, p.mark(p.spare), 0)
			p.Ask("of it", "cuStreamEndCapture", p.spare, p.Out())
		}),
		during("the end of a capture that is none", func(p *kit, s uintptr) { p.Ask("of it", "cuStreamEndCapture", p.spare, p.Out()) }),
		during("a stream that is not joined", func(p *kit, s uintptr) {
			p.Must("cuStreamWaitEvent", p.spare, p.mark(s), 0)
			p.Ask("in it", "cuLaunchHostFunc", p.spare, p.hostFunc(), 0)
			p.Ask("of it", "cuStreamEndCapture", p.spare, p.Out())
		}),
		during("a stream that has nothing in it", func(p *kit, s uintptr) { p.Must("cuStreamWaitEvent", p.spare, p.mark(s), 0) }),
		during("a stream that is joined", func(p *kit, s uintptr) {
			p.Must("cuStreamWaitEvent", p.spare, p.mark(s), 0)
			p.Must("cuLaunchHostFunc", p.spare, p.hostFunc(), 0)
			p.Ask("", "cuStreamWaitEvent", s, p.mark(p.spare), 0)
		}),
		during("the end of a stream that joined", func(p *kit, s uintptr) {
			p.Must("cuStreamWaitEvent", p.spare, p.mark(s), 0)
			p.Ask("", "cuStreamDestroy_v2", p.spare)
		}),
		during("a graph's launch", func(p *kit, s uintptr) { p.Ask("", "cuGraphLaunch", p.ready, s) }),
		{Name: "destroyed while it is captured", Do: func(p *Process) {
			s := p.Stream()
			p.Must("cuStreamBeginCapture_v2", s, global)
			p.Ask("", "cuStreamDestroy_v2", s)
			p.Ask("then", "cuCtxSynchronize")
		}},
		{Name: "relaxed capture", Do: func(bare *Process) {
			p := newKit(bare)
			s := p.Stream()
			p.Must("cuStreamBeginCapture_v2", s, relaxed)
			p.Ask("", "cuMemAlloc_v2", p.Out(), 64)
			p.Ask("", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 0, 0, 0)
			p.Ask("", "cuEventQuery", p.past)
			p.Ask("", "cuStreamQuery", p.spare)
			p.Ask("", "cuCtxSynchronize")
			p.Ask("", "cuStreamEndCapture", s, p.Out())
		}},
		{Name: "after a capture", Do: func(p *Process) {
			s := p.Stream()
			e := p.Event()
			p.Must("cuStreamBeginCapture_v2", s, global)
			p.Must("cuEventRecord", e, s)
			p.Must("cuLaunchHostFunc", s, p.hostFunc(), 0)
			p.Must("cuStreamEndCapture", s, p.Out())
			p.Ask("its event", "cuEventQuery", e)
			p.Ask("its event", "cuEventSynchronize", e)
			p.Ask("its event", "cuEventElapsedTime", p.Out(), e, e)
			p.Ask("its event", "cuStreamWaitEvent", s, e, 0)
			p.Ask("its event", "cuEventRecord", e, s)
			p.Ask("then", "cuStreamSynchronize", s)
		}},
	}
}
