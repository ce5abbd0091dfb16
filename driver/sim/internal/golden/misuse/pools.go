package misuse

// A CUmemPoolProps has the kind of allocation, kinds of handles, location, security attributes, most bytes, usage and reserved words; a
// CUmemAllocationProp begins alike. onDevice is the beginning of both: pinned memory of device 0.
func onDevice(handles uint32) []uint64 { return []uint64{pair(1, handles), pair(1, 0), 0, 0} }

// pools make pools of what is not there.
func pools() []Scenario {
	return []Scenario{
		{Name: "pool", Do: func(p *Process) {
			s := p.Stream()
			good := p.Words(onDevice(0)...)
			p.Ask("null", "cuMemPoolCreate", 0, good)
			p.Ask("null properties", "cuMemPoolCreate", p.Out(), 0)
			p.Ask("no kind of allocation", "cuMemPoolCreate", p.Out(), p.Words(0, pair(1, 0)))
			p.Ask("kind 7", "cuMemPoolCreate", p.Out(), p.Words(pair(7, 0), pair(1, 0)))
			p.Ask("no location", "cuMemPoolCreate", p.Out(), p.Words(pair(1, 0), 0))
			p.Ask("location 99", "cuMemPoolCreate", p.Out(), p.Words(pair(1, 0), pair(99, 0)))
			p.Ask("device 99", "cuMemPoolCreate", p.Out(), p.Words(pair(1, 0), pair(1, 99)))
			p.Ask("handles 0x8000", "cuMemPoolCreate", p.Out(), p.Words(onDevice(0x8000)...))
			p.Ask("null", "cuMemPoolDestroy", 0)
			standard := p.Make("cuDeviceGetDefaultMemPool", 0)
			p.Ask("of the device", "cuMemPoolDestroy", standard)
			p.Ask("null", "cuMemPoolTrimTo", 0, 0)
			p.Ask("to everything", "cuMemPoolTrimTo", standard, huge)
			p.Ask("null pool", "cuDeviceSetMemPool", 0, 0)
			p.Ask("device 99", "cuDeviceSetMemPool", 99, standard)
			pool := p.Make("cuMemPoolCreate", good)
			for _, c := range []struct {
				label  string
				number uintptr
			}{{"0", 0}, {"-1", minus(1)}, {"9", 9}, {"10", 10}, {"100", 100}} {
				p.Ask("attribute "+c.label, "cuMemPoolGetAttribute", pool, c.number, p.Out())
				p.Ask("attribute "+c.label, "cuMemPoolSetAttribute", pool, c.number, p.Out())
			}
			p.Ask("reserved memory to 0", "cuMemPoolSetAttribute", pool, 5, p.Words(0))
			p.Ask("most reserved memory to 0", "cuMemPoolSetAttribute", pool, 6, p.Words(0))
			p.Ask("most reserved memory to 1", "cuMemPoolSetAttribute", pool, 6, p.Words(1))
			p.Ask("used memory to 0", "cuMemPoolSetAttribute", pool, 7, p.Words(0))
			p.Ask("most used memory to 0", "cuMemPoolSetAttribute", pool, 8, p.Words(0))
			p.Ask("most used memory to 1", "cuMemPoolSetAttribute", pool, 8, p.Words(1))
			p.Ask("reuse of 2", "cuMemPoolSetAttribute", pool, 1, p.Words(2))
			p.Ask("null value", "cuMemPoolGetAttribute", pool, 4, 0)
			p.Ask("null value", "cuMemPoolSetAttribute", pool, 4, 0)
			p.Ask("null pool", "cuMemPoolGetAttribute", 0, 4, p.Out())
			p.Ask("null pool", "cuMemPoolSetAttribute", 0, 4, p.Out())
			p.Ask("null", "cuMemAllocFromPoolAsync", 0, 64, pool, s)
			p.Ask("no bytes", "cuMemAllocFromPoolAsync", p.Out(), 0, pool, s)
			p.Ask("8 TB", "cuMemAllocFromPoolAsync", p.Out(), 8<<40, pool, s)
			p.Ask("null pool", "cuMemAllocFromPoolAsync", p.Out(), 64, 0, s)
			m := p.Make("cuMemAllocFromPoolAsync", 64, pool, s)
			p.Ask("with memory in use", "cuMemPoolDestroy", pool)
			p.Ask("of a pool that is gone", "cuMemFreeAsync", m, s)
			p.Ask("then", "cuStreamSynchronize", s)
		}},
		{Name: "pool of a size", Do: func(p *Process) {
			s := p.Stream()
			pool := p.Out()
			p.Ask("", "cuMemPoolCreate", pool, p.Words(pair(1, 0), pair(1, 0), 0, 64<<20))
			p.Ask("more", "cuMemAllocFromPoolAsync", p.Out(), 128<<20, p.Get(pool), s)
			p.Ask("less", "cuMemAllocFromPoolAsync", p.Out(), 32<<20, p.Get(pool), s)
			p.Ask("less twice", "cuMemAllocFromPoolAsync", p.Out(), 32<<20, p.Get(pool), s)
			p.Ask("less thrice", "cuMemAllocFromPoolAsync", p.Out(), 32<<20, p.Get(pool), s)
			p.Ask("then", "cuStreamSynchronize", s)
		}},
	}
}
