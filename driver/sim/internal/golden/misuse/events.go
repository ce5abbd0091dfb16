package misuse

// events ask for times of events that have none.
func events() []Scenario {
	return []Scenario{
		{Name: "event", Do: func(p *Process) {
			p.Ask("null", "cuEventCreate", 0, 0)
			p.Ask("flags of 8", "cuEventCreate", p.Out(), 8)
			p.Ask("flags of -1", "cuEventCreate", p.Out(), minus(1))
			p.Ask("for other processes with timing", "cuEventCreate", p.Out(), 4)
			p.Ask("for other processes", "cuEventCreate", p.Out(), 6)
			p.Ask("null", "cuEventDestroy_v2", 0)
			p.Ask("null", "cuEventQuery", 0)
			p.Ask("null", "cuEventSynchronize", 0)
			p.Ask("null", "cuEventRecord", 0, 0)
			e := p.Event()
			p.Ask("never recorded", "cuEventQuery", e)
			p.Ask("never recorded", "cuEventSynchronize", e)
			p.Ask("in the null stream", "cuEventRecord", e, 0)
			p.Ask("in the legacy stream", "cuEventRecord", e, 1)
			p.Ask("in the stream of the thread", "cuEventRecord", e, 2)
			p.Ask("then", "cuEventSynchronize", e)
		}},
		{Name: "elapsed time", Do: func(p *Process) {
			s := p.Stream()
			a, b := p.eventIn(s), p.eventIn(s)
			never := p.Event()
			untimed := p.Make("cuEventCreate", 2)
			p.Must("cuEventRecord", untimed, s)
			p.Must("cuStreamSynchronize", s)
			p.Ask("", "cuEventElapsedTime", p.Out(), a, b)
			p.Ask("backwards", "cuEventElapsedTime", p.Out(), b, a)
			p.Ask("of one", "cuEventElapsedTime", p.Out(), a, a)
			p.Ask("null result", "cuEventElapsedTime", 0, a, b)
			p.Ask("null start", "cuEventElapsedTime", p.Out(), 0, b)
			p.Ask("null end", "cuEventElapsedTime", p.Out(), a, 0)
			p.Ask("nulls", "cuEventElapsedTime", p.Out(), 0, 0)
			p.Ask("start never recorded", "cuEventElapsedTime", p.Out(), never, b)
			p.Ask("end never recorded", "cuEventElapsedTime", p.Out(), a, never)
			p.Ask("neither recorded", "cuEventElapsedTime", p.Out(), never, p.Event())
			p.Ask("start without timing", "cuEventElapsedTime", p.Out(), untimed, b)
			p.Ask("end without timing", "cuEventElapsedTime", p.Out(), a, untimed)
			open := p.Hold(s)
			held := p.eventIn(s)
			untimedHeld := p.Make("cuEventCreate", 2)
			p.Must("cuEventRecord", untimedHeld, s)
			p.Ask("end that is held", "cuEventElapsedTime", p.Out(), a, held)
			p.Ask("start that is held", "cuEventElapsedTime", p.Out(), held, a)
			p.Ask("of one that is held", "cuEventElapsedTime", p.Out(), held, held)
			p.Ask("end that is held, start never recorded", "cuEventElapsedTime", p.Out(), never, held)
			p.Ask("end that is held, start without timing", "cuEventElapsedTime", p.Out(), untimed, held)
			p.Ask("end that is held without timing", "cuEventElapsedTime", p.Out(), a, untimedHeld)
			open()
			p.Ask("then", "cuEventSynchronize", held)
			p.Ask("then", "cuEventElapsedTime", p.Out(), a, held)
		}},
	}
}
