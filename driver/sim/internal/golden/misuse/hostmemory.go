package misuse

// hostMemory pins memory wrongly.
func hostMemory() []Scenario {
	return []Scenario{
		{Name: "host allocation", Do: func(p *Process) {
			p.Ask("null", "cuMemHostAlloc", 0, 64, 0)
			p.Ask("no bytes", "cuMemHostAlloc", p.Out(), 0, 0)
			p.Ask("everything", "cuMemHostAlloc", p.Out(), huge, 0)
			p.Ask("bad flags", "cuMemHostAlloc", p.Out(), 64, 0x100)
			p.Ask("flag 8", "cuMemHostAlloc", p.Out(), 64, 8)
			p.Ask("null", "cuMemFreeHost", 0)
			p.Ask("not pinned", "cuMemFreeHost", p.Room(64))
			m := p.Make("cuMemHostAlloc", 4096, 0)
			p.Ask("inside", "cuMemFreeHost", m+64)
			p.Ask("allocated", "cuMemHostUnregister", m)
			p.Ask("allocated", "cuMemHostRegister_v2", m, 4096, 0)
			p.Ask("", "cuMemFreeHost", m)
			p.Ask("twice", "cuMemFreeHost", m)
			p.Ask("device memory", "cuMemFreeHost", p.Memory(4096))
		}},
		{Name: "host registration", Do: func(p *Process) {
			m := p.Room(64 << 10)
			m = (m + 4095) &^ 4095
			p.Ask("null", "cuMemHostRegister_v2", 0, 4096, 0)
			p.Ask("no bytes", "cuMemHostRegister_v2", m, 0, 0)
			p.Ask("bad flags", "cuMemHostRegister_v2", m, 4096, 0x100)
			p.Ask("nowhere", "cuMemHostRegister_v2", 0x1000, 4096, 0)
			p.Ask("device memory", "cuMemHostRegister_v2", p.Memory(4096), 4096, 0)
			p.Ask("not registered", "cuMemHostUnregister", m)
			p.Ask("not registered", "cuMemHostGetDevicePointer_v2", p.Out(), m, 0)
			p.Ask("", "cuMemHostRegister_v2", m, 8192, 0)
			p.Ask("twice", "cuMemHostRegister_v2", m, 8192, 0)
			p.Ask("a part", "cuMemHostRegister_v2", m+4096, 4096, 0)
			p.Ask("overlapping", "cuMemHostRegister_v2", m+4096, 8192, 0)
			p.Ask("inside", "cuMemHostUnregister", m+4096)
			p.Ask("registered", "cuMemFreeHost", m)
			p.Ask("flags", "cuMemHostGetDevicePointer_v2", p.Out(), m, 1)
			p.Ask("null", "cuMemHostGetDevicePointer_v2", 0, m, 0)
			p.Ask("null pointer", "cuMemHostGetDevicePointer_v2", p.Out(), 0, 0)
			p.Ask("device memory", "cuMemHostGetDevicePointer_v2", p.Out(), p.Memory(4096), 0)
			p.Ask("", "cuMemHostUnregister", m)
			p.Ask("twice", "cuMemHostUnregister", m)
			p.Ask("null", "cuMemHostUnregister", 0)
		}},
	}
}
