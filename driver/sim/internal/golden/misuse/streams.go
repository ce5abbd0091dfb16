package misuse

// streams make streams wrongly and ask those that are held.
func streams() []Scenario {
	return []Scenario{
		{Name: "stream", Do: func(p *Process) {
			p.Ask("null", "cuStreamCreate", 0, 0)
			p.Ask("flags of 2", "cuStreamCreate", p.Out(), 2)
			p.Ask("flags of -1", "cuStreamCreate", p.Out(), minus(1))
			p.Ask("null", "cuStreamCreateWithPriority", 0, 0, 0)
			p.Ask("flags of 2", "cuStreamCreateWithPriority", p.Out(), 2, 0)
			p.Ask("a priority of 100", "cuStreamCreateWithPriority", p.Out(), 0, 100)
			p.Ask("a priority of -100", "cuStreamCreateWithPriority", p.Out(), 0, minus(100))
			p.Ask("null", "cuStreamDestroy_v2", 0)
			p.Ask("legacy", "cuStreamDestroy_v2", 1)
			p.Ask("per thread", "cuStreamDestroy_v2", 2)
			p.Ask("null", "cuStreamQuery", 0)
			p.Ask("legacy", "cuStreamQuery", 1)
			p.Ask("per thread", "cuStreamQuery", 2)
			p.Ask("null", "cuStreamSynchronize", 0)
			p.Ask("per thread", "cuStreamSynchronize", 2)
			s := p.Stream()
			p.Ask("null", "cuStreamGetPriority", s, 0)
			p.Ask("null stream", "cuStreamGetPriority", 0, p.Out())
			p.Ask("per thread", "cuStreamGetPriority", 2, p.Out())
			p.Ask("null event", "cuStreamWaitEvent", s, 0, 0)
			p.Ask("flags of 1", "cuStreamWaitEvent", s, p.Event(), 1)
			p.Ask("flags of 2", "cuStreamWaitEvent", s, p.Event(), 2)
			p.Ask("an event that was never recorded", "cuStreamWaitEvent", s, p.Event(), 0)
			p.Ask("null function", "cuLaunchHostFunc", s, 0, 0)
			p.Ask("null", "cuStreamIsCapturing", s, 0)
		}},
		{Name: "held stream", Do: func(p *Process) {
			s, t, e := p.Stream(), p.Stream(), p.Event()
			begun := p.Event()
			p.Must("cuEventRecord", begun, s)
			p.Must("cuStreamSynchronize", s)
			open := p.Hold(s)
			p.Ask("", "cuStreamQuery", s)
			p.Must("cuEventRecord", e, s)
			p.Ask("behind it", "cuEventQuery", e)
			p.Ask("before it", "cuEventQuery", begun)
			p.Ask("until it", "cuEventElapsedTime", p.Out(), begun, e)
			p.Ask("from it", "cuEventElapsedTime", p.Out(), e, begun)
			p.Must("cuStreamWaitEvent", t, e, 0)
			p.Ask("another that waits for it", "cuStreamQuery", t)
			p.Ask("another", "cuStreamQuery", p.Stream())
			m := p.Make("cuMemAllocAsync", 4096, s)
			p.Ask("freed in another", "cuMemFreeAsync", m, p.Stream())
			p.Ask("its memory", "cuMemFreeAsync", p.Make("cuMemAllocAsync", 4096, s), s)
			p.Ask("an event that is pending", "cuEventDestroy_v2", p.eventIn(s))
			p.Ask("again", "cuEventRecord", e, s)
			p.Ask("again", "cuEventQuery", e)
			open()
			p.Ask("then", "cuStreamSynchronize", s)
			p.Ask("then", "cuStreamQuery", s)
			p.Ask("then", "cuEventQuery", e)
			p.Ask("then, another that waits for it", "cuStreamSynchronize", t)
			p.Ask("then", "cuEventElapsedTime", p.Out(), begun, e)
		}},
		{Name: "held null stream", Do: func(p *Process) {
			s, blocking := p.Stream(), p.Make("cuStreamCreate", 0)
			open := p.Hold(blocking)
			p.Ask("with a blocking one held", "cuStreamQuery", 0)
			p.Ask("one that does not block", "cuStreamQuery", s)
			open()
			p.Must("cuStreamSynchronize", blocking)
			open = p.Hold(0)
			p.Ask("held", "cuStreamQuery", 0)
			p.Ask("held, as the legacy stream", "cuStreamQuery", 1)
			p.Ask("held, another", "cuStreamQuery", s)
			p.Must("cuEventRecord", p.Event(), blocking)
			p.Ask("held, with work in a blocking one", "cuStreamQuery", blocking)
			open()
			p.Ask("then", "cuStreamSynchronize", 0)
			p.Ask("then, a blocking one", "cuStreamSynchronize", blocking)
		}},
		{Name: "destroyed while held", Do: func(p *Process) {
			s := p.Stream()
			open := p.Hold(s)
			p.Ask("", "cuStreamDestroy_v2", s)
			open()
			p.Ask("then", "cuCtxSynchronize")
		}},
	}
}

// eventIn is an event that is recorded in a stream.
func (p *Process) eventIn(stream uintptr) uintptr {
	e := p.Event()
	p.Must("cuEventRecord", e, stream)
	return e
}
