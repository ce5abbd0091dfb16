package misuse

// devices ask devices that are not there, and for what they have not.
func devices() []Scenario {
	return []Scenario{
		{Name: "no such device", Do: func(p *Process) {
			for _, c := range []struct {
				label string
				dev   uintptr
			}{{"99", 99}, {"-1", minus(1)}} {
				label, dev := c.label, c.dev
				p.Ask(label, "cuDeviceGet", p.Out(), dev)
				p.Ask(label, "cuDeviceGetName", p.Out(), 64, dev)
				p.Ask(label, "cuDeviceGetUuid_v2", p.Out(), dev)
				p.Ask(label, "cuDeviceTotalMem_v2", p.Out(), dev)
				p.Ask(label, "cuDeviceGetAttribute", p.Out(), 1, dev)
				p.Ask(label, "cuDeviceGetPCIBusId", p.Out(), 32, dev)
				p.Ask(label, "cuDeviceCanAccessPeer", p.Out(), 0, dev)
				p.Ask(label, "cuDeviceGetP2PAttribute", p.Out(), 1, 0, dev)
				p.Ask(label, "cuDeviceGetDefaultMemPool", p.Out(), dev)
				p.Ask(label, "cuDeviceGetMemPool", p.Out(), dev)
				p.Ask(label, "cuDevicePrimaryCtxRetain", p.Out(), dev)
				p.Ask(label, "cuDevicePrimaryCtxRelease_v2", dev)
				p.Ask(label, "cuDevicePrimaryCtxGetState", dev, p.Out(), p.Out())
				p.Ask(label, "cuCtxCreate_v2", p.Out(), 0, dev)
			}
		}},
		{Name: "device", Do: func(p *Process) {
			p.Ask("null", "cuDeviceGet", 0, 0)
			p.Ask("null", "cuDeviceGetCount", 0)
			p.Ask("null", "cuDeviceGetName", 0, 64, 0)
			p.Ask("length 0", "cuDeviceGetName", p.Out(), 0, 0)
			p.Ask("length -1", "cuDeviceGetName", p.Out(), minus(1), 0)
			p.Ask("length 2", "cuDeviceGetName", p.Out(), 2, 0)
			p.Ask("null", "cuDeviceGetUuid_v2", 0, 0)
			p.Ask("null", "cuDeviceTotalMem_v2", 0, 0)
			p.Ask("null", "cuDeviceGetAttribute", 0, 1, 0)
			p.Ask("attribute 0", "cuDeviceGetAttribute", p.Out(), 0, 0)
			p.Ask("attribute -1", "cuDeviceGetAttribute", p.Out(), minus(1), 0)
			p.Ask("attribute 5000", "cuDeviceGetAttribute", p.Out(), 5000, 0)
			p.Ask("null", "cuDeviceGetPCIBusId", 0, 32, 0)
			p.Ask("length 4", "cuDeviceGetPCIBusId", p.Out(), 4, 0)
			p.Ask("length 0", "cuDeviceGetPCIBusId", p.Out(), 0, 0)
			p.Ask("null", "cuDeviceGetByPCIBusId", 0, p.Text("0000:01:00.0"))
			p.Ask("null text", "cuDeviceGetByPCIBusId", p.Out(), 0)
			p.Ask("nonsense", "cuDeviceGetByPCIBusId", p.Out(), p.Text("nonsense"))
			p.Ask("empty", "cuDeviceGetByPCIBusId", p.Out(), p.Text(""))
			p.Ask("not there", "cuDeviceGetByPCIBusId", p.Out(), p.Text("0000:ff:1f.7"))
			p.Ask("null", "cuDeviceCanAccessPeer", 0, 0, 0)
			p.Ask("itself", "cuDeviceCanAccessPeer", p.Out(), 0, 0)
			p.Ask("itself", "cuDeviceGetP2PAttribute", p.Out(), 1, 0, 0)
			p.Ask("null", "cuDeviceGetDefaultMemPool", 0, 0)
			p.Ask("null", "cuDeviceSetMemPool", 0, 0)
			p.Ask("null", "cuModuleGetLoadingMode", 0)
		}},
	}
}
