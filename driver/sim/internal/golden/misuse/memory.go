package misuse

// memory allocates and frees wrongly, and asks what pointers are that are none.
func memory() []Scenario {
	return []Scenario{
		{Name: "allocation", Do: func(p *Process) {
			p.Ask("null", "cuMemAlloc_v2", 0, 64)
			p.Ask("no bytes", "cuMemAlloc_v2", p.Out(), 0)
			p.Ask("8 TB", "cuMemAlloc_v2", p.Out(), 8<<40)
			p.Ask("everything", "cuMemAlloc_v2", p.Out(), huge)
			p.Ask("-1", "cuMemAlloc_v2", p.Out(), ^uintptr(0))
			p.Ask("null free", "cuMemGetInfo_v2", 0, p.Out())
			p.Ask("null total", "cuMemGetInfo_v2", p.Out(), 0)
			p.Ask("nulls", "cuMemGetInfo_v2", 0, 0)
		}},
		{Name: "free", Do: func(p *Process) {
			m := p.Memory(4096)
			p.Ask("null", "cuMemFree_v2", 0)
			p.Ask("inside", "cuMemFree_v2", m+256)
			p.Ask("nowhere", "cuMemFree_v2", 0x1000)
			p.Ask("host memory", "cuMemFree_v2", p.Room(64))
			p.Ask("pinned memory", "cuMemFree_v2", p.Make("cuMemHostAlloc", 64, 0))
			p.Ask("a module's variable", "cuMemFree_v2", p.Make("cuModuleGetGlobal_v2", p.Out(), p.Module(plain), p.Text("counter")))
			p.Ask("", "cuMemFree_v2", m)
			p.Ask("twice", "cuMemFree_v2", m)
		}},
		{Name: "free of a stream's memory", Do: func(p *Process) {
			s := p.Stream()
			m := p.Make("cuMemAllocAsync", 4096, s)
			p.Ask("inside", "cuMemFreeAsync", m+256, s)
			p.Ask("null", "cuMemFreeAsync", 0, s)
			p.Ask("nowhere", "cuMemFreeAsync", 0x1000, s)
			p.Ask("host memory", "cuMemFreeAsync", p.Room(64), s)
			p.Ask("pinned memory", "cuMemFreeAsync", p.Make("cuMemHostAlloc", 64, 0), s)
			p.Ask("", "cuMemFreeAsync", m, s)
			p.Ask("twice", "cuMemFreeAsync", m, s)
			p.Must("cuStreamSynchronize", s)
			p.Ask("thrice", "cuMemFreeAsync", m, s)
			p.Ask("after it was freed", "cuMemFree_v2", m)
			m = p.Make("cuMemAllocAsync", 4096, s)
			p.Must("cuStreamSynchronize", s)
			p.Ask("not in a stream", "cuMemFree_v2", m)
			n := p.Memory(4096)
			p.Ask("of other memory", "cuMemFreeAsync", n, s)
			p.Must("cuStreamSynchronize", s)
			p.Ask("of other memory again", "cuMemFree_v2", n)
			p.Ask("null", "cuMemAllocAsync", 0, 64, s)
			p.Ask("no bytes", "cuMemAllocAsync", p.Out(), 0, s)
			p.Ask("8 TB", "cuMemAllocAsync", p.Out(), 8<<40, s)
			p.Ask("everything", "cuMemAllocAsync", p.Out(), huge, s)
		}},
		{Name: "address range", Do: func(p *Process) {
			m := p.Memory(4096)
			p.Ask("null", "cuMemGetAddressRange_v2", p.Out(), p.Out(), 0)
			p.Ask("nowhere", "cuMemGetAddressRange_v2", p.Out(), p.Out(), 0x1000)
			p.Ask("host memory", "cuMemGetAddressRange_v2", p.Out(), p.Out(), p.Room(64))
			p.Ask("pinned memory", "cuMemGetAddressRange_v2", p.Out(), p.Out(), p.Make("cuMemHostAlloc", 64, 0))
			p.Ask("null results", "cuMemGetAddressRange_v2", 0, 0, m)
			p.Ask("inside", "cuMemGetAddressRange_v2", p.Out(), p.Out(), m+100)
			p.Must("cuMemFree_v2", m)
			p.Ask("freed", "cuMemGetAddressRange_v2", p.Out(), p.Out(), m)
		}},
		{Name: "pointer attributes", Do: func(p *Process) {
			m := p.Memory(4096)
			p.Ask("null", "cuPointerGetAttribute", 0, 2, m)
			p.Ask("attribute 0", "cuPointerGetAttribute", p.Out(), 0, m)
			p.Ask("attribute -1", "cuPointerGetAttribute", p.Out(), minus(1), m)
			p.Ask("attribute 500", "cuPointerGetAttribute", p.Out(), 500, m)
			pinned, plain := p.Make("cuMemHostAlloc", 4096, 0), p.Room(64)
			freed := p.Memory(4096)
			p.Must("cuMemFree_v2", freed)
			for _, at := range []struct {
				label string
				p     uintptr
			}{{"a null pointer", 0}, {"nowhere", 0x1000}, {"host memory", plain}, {"pinned memory", pinned}, {"freed memory", freed}, {"device memory", m + 8}} {
				for _, attribute := range []struct {
					label  string
					number uintptr
				}{{"context", 1}, {"memory type", 2}, {"device pointer", 3}, {"host pointer", 4}, {"buffer id", 7}, {"managed", 8}, {"ordinal", 9},
					{"IPC", 10}, {"range start", 11}, {"range size", 12}, {"mapped", 13}, {"allowed handles", 14}, {"access flags", 16}, {"pool", 17}} {
					p.Ask(attribute.label+" of "+at.label, "cuPointerGetAttribute", p.Out(), attribute.number, at.p)
				}
			}
		}},
	}
}
