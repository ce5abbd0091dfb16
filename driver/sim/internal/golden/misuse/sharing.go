package misuse

// sharing makes and opens handles for other processes that are none.
func sharing() []Scenario {
	return []Scenario{
		{Name: "IPC memory", Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(4<<20)
			h := p.Room(64)
			const get, open, closed = "cuIpcGetMemHandle", "cuIpcOpenMemHandle_v2", "cuIpcCloseMemHandle"
			p.Ask("null", get, 0, m)
			p.Ask("null memory", get, h, 0)
			p.Ask("nowhere", get, h, 0x1000)
			p.Ask("host memory", get, h, p.Room(64))
			p.Ask("pinned memory", get, h, p.Make("cuMemHostAlloc", 64, 0))
			p.Ask("a stream's memory", get, h, p.Make("cuMemAllocAsync", 4096, s))
			p.Ask("inside", get, p.Room(64), m+4096)
			freed := p.Memory(4 << 20)
			p.Must("cuMemFree_v2", freed)
			p.Ask("freed", get, h, freed)
			p.Ask("zeros", open, p.ByValue(open, p.Out(), p.Room(64), 1)...)
			garbage := p.Words(1, 2, 3, 4, 5, 6, 7, 8)
			p.Ask("garbage", open, p.ByValue(open, p.Out(), garbage, 1)...)
			p.Ask("", get, h, m)
			p.Ask("its own", open, p.ByValue(open, p.Out(), h, 1)...)
			p.Ask("null", open, p.ByValue(open, 0, h, 1)...)
			p.Ask("flags of 0", open, p.ByValue(open, p.Out(), h, 0)...)
			p.Ask("flags of 2", open, p.ByValue(open, p.Out(), h, 2)...)
			p.Ask("null", closed, 0)
			p.Ask("not opened", closed, m)
			p.Ask("nowhere", closed, 0x1000)
		}},
		{Name: "IPC event", Do: func(p *Process) {
			h := p.Room(64)
			const get, open = "cuIpcGetEventHandle", "cuIpcOpenEventHandle"
			e := p.Make("cuEventCreate", 6)
			p.Ask("null", get, 0, e)
			p.Ask("null event", get, h, 0)
			p.Ask("another event", get, h, p.Event())
			p.Ask("zeros", open, p.ByValue(open, p.Out(), p.Room(64))...)
			p.Ask("garbage", open, p.ByValue(open, p.Out(), p.Words(1, 2, 3, 4, 5, 6, 7, 8))...)
			p.Ask("", get, h, e)
			p.Ask("its own", open, p.ByValue(open, p.Out(), h)...)
			p.Ask("null", open, p.ByValue(open, 0, h)...)
		}},
	}
}
