package misuse

// launches launch what does not fit.
func launches() []Scenario {
	return []Scenario{
		{Name: "launch", Do: func(p *Process) {
			s := p.Stream()
			nothing, store, shared := p.Kernel(plain, "nothing"), p.Kernel(plain, "store"), p.Kernel(plain, "shared")
			start := func(label string, f uintptr, grid, block [3]uintptr, bytes, params, extra uintptr) {
				p.Ask(label, "cuLaunchKernel", f, grid[0], grid[1], grid[2], block[0], block[1], block[2], bytes, s, params, extra)
			}
			one := [3]uintptr{1, 1, 1}
			good := p.Params(p.Memory(4096), 7)
			start("null function", 0, one, one, 0, 0, 0)
			for _, c := range []struct {
				label string
				size  [3]uintptr
			}{
				{"(0,1,1)", [3]uintptr{0, 1, 1}}, {"(1,0,1)", [3]uintptr{1, 0, 1}}, {"(1,1,0)", [3]uintptr{1, 1, 0}}, {"(0,0,0)", [3]uintptr{0, 0, 0}},
				{"(2^31,1,1)", [3]uintptr{1 << 31, 1, 1}}, {"(1,65536,1)", [3]uintptr{1, 65536, 1}}, {"(1,1,65536)", [3]uintptr{1, 1, 65536}},
				{"(-1,1,1)", [3]uintptr{minus(1), 1, 1}},
			} {
				start("grid "+c.label, nothing, c.size, one, 0, 0, 0)
			}
			for _, c := range []struct {
				label string
				size  [3]uintptr
			}{
				{"(0,1,1)", [3]uintptr{0, 1, 1}}, {"(1,0,1)", [3]uintptr{1, 0, 1}}, {"(1,1,0)", [3]uintptr{1, 1, 0}},
				{"(1024,1,1)", [3]uintptr{1024, 1, 1}}, {"(1025,1,1)", [3]uintptr{1025, 1, 1}}, {"(1,1025,1)", [3]uintptr{1, 1025, 1}},
				{"(1,1,65)", [3]uintptr{1, 1, 65}}, {"(32,32,2)", [3]uintptr{32, 32, 2}}, {"(2^16,2^16,1)", [3]uintptr{1 << 16, 1 << 16, 1}},
				{"(-1,1,1)", [3]uintptr{minus(1), 1, 1}},
			} {
				start("block "+c.label, nothing, one, c.size, 0, 0, 0)
			}
			start("block (65,1,1) of maxntid 64", p.Kernel(plain, "bounded"), one, [3]uintptr{65, 1, 1}, 0, 0, 0)
			start("block (1,64,1) of maxntid 64", p.Kernel(plain, "bounded"), one, [3]uintptr{1, 64, 1}, 0, 0, 0)
			start("block (64,1,1) of maxntid 8,8", p.Kernel(plain, "flat"), one, [3]uintptr{64, 1, 1}, 0, 0, 0)
			start("block (65,1,1) of maxntid 8,8", p.Kernel(plain, "flat"), one, [3]uintptr{65, 1, 1}, 0, 0, 0)
			start("block (32,1,1) of reqntid 32,2", p.Kernel(plain, "required"), one, [3]uintptr{32, 1, 1}, 0, 0, 0)
			start("block (64,1,1) of reqntid 32,2", p.Kernel(plain, "required"), one, [3]uintptr{64, 1, 1}, 0, 0, 0)
			start("block (32,2,1) of reqntid 32,2", p.Kernel(plain, "required"), one, [3]uintptr{32, 2, 1}, 0, 0, 0)
			start("48 KiB of shared memory", nothing, one, one, 48<<10, 0, 0)
			start("a byte more", nothing, one, one, 48<<10+1, 0, 0)
			start("227 KiB of shared memory", nothing, one, one, 227<<10, 0, 0)
			start("4 GiB of shared memory", nothing, one, one, 1<<32-1, 0, 0)
			start("too much beside the static memory", shared, one, one, 10000, 0, 0)
			start("no parameters", store, one, one, 0, 0, 0)
			start("parameters of a kernel without", nothing, one, one, 0, good, 0)
			start("parameters and extra", store, one, one, 0, good, p.Words(0))
			start("extra that ends at once", nothing, one, one, 0, 0, p.Words(0))
			start("extra without the parameters it needs", store, one, one, 0, 0, p.Words(0))
			const pointer, size = 1, 2 // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE
			buffer := uint64(p.Words(uint64(p.Memory(64)), 7))
			start("extra of the right size", store, one, one, 0, 0, p.Words(pointer, buffer, size, uint64(p.Words(12)), 0))
			start("extra that is too short", store, one, one, 0, 0, p.Words(pointer, buffer, size, uint64(p.Words(8)), 0))
			start("extra that is too long", store, one, one, 0, 0, p.Words(pointer, buffer, size, uint64(p.Words(64)), 0))
			start("extra of no size", store, one, one, 0, 0, p.Words(pointer, buffer, 0))
			start("extra that is unknown", store, one, one, 0, 0, p.Words(9, 9, 0))
			start("right", store, one, one, 0, good, 0)
			p.Ask("after all", "cuStreamSynchronize", s)
		}},
		{Name: "cooperative launch", Do: func(p *Process) {
			s, f := p.Stream(), p.Kernel(plain, "nothing")
			start := func(label string, f, grid, block, bytes, stream, params uintptr) {
				p.Ask(label, "cuLaunchCooperativeKernel", f, grid, 1, 1, block, 1, 1, bytes, stream, params)
			}
			start("null function", 0, 1, 1, 0, s, 0)
			start("", f, 1, 32, 0, s, 0)
			start("no blocks", f, 0, 32, 0, s, 0)
			start("too many blocks", f, 1<<20, 32, 0, s, 0)
			start("too many blocks of 1024", f, 100000, 1024, 0, s, 0)
			start("no threads", f, 1, 0, 0, s, 0)
			start("1025 threads", f, 1, 1025, 0, s, 0)
			start("too much shared memory", f, 1, 32, 1<<20, s, 0)
			start("no parameters", p.Kernel(plain, "store"), 1, 32, 0, s, 0)
			start("the null stream", f, 1, 32, 0, 0, 0)
			p.Ask("after all", "cuStreamSynchronize", s)
		}},
		{Name: "launch with attributes", Do: func(p *Process) {
			s, f := uint64(p.Stream()), p.Kernel(plain, "nothing")
			start := func(label string, grid, block uint32, f uintptr, attributes ...uint64) {
				at := uint64(0)
				if len(attributes) > 0 {
					at = uint64(p.Words(attributes...))
				}
				c := p.Words(pair(grid, 1), pair(1, block), pair(1, 1), 0, s, at, uint64(len(attributes)/9))
				p.Ask(label, "cuLaunchKernelEx", c, f, 0, 0)
			}
			attribute := func(id uint64, value ...uint64) []uint64 {
				return append(append([]uint64{id}, value...), make([]uint64, 8-len(value))...)
			}
			p.Ask("null configuration", "cuLaunchKernelEx", 0, f, 0, 0)
			start("null function", 1, 1, 0)
			start("", 1, 1, f)
			start("no blocks", 0, 1, f)
			start("1025 threads", 1, 1025, f)
			p.Ask("null attributes", "cuLaunchKernelEx", p.Words(pair(1, 1), pair(1, 1), pair(1, 1), 0, s, 0, 1), f, 0, 0)
			start("an attribute that there is not", 1, 1, f, attribute(200)...)
			start("ignored", 1, 1, f, attribute(0)...)
			start("cooperative and too large", 1<<20, 32, f, attribute(2, 1)...)
			start("not cooperative", 1<<10, 32, f, attribute(2, 0)...)
			start("clusters of 0", 2, 1, f, attribute(4, 0, 0)...)
			start("clusters of 1", 2, 1, f, attribute(4, pair(1, 1), 1)...)
			start("clusters of 3 in a grid of 2", 2, 1, f, attribute(4, pair(3, 1), 1)...)
			start("clusters of 16", 16, 1, f, attribute(4, pair(16, 1), 1)...)
			start("clusters of 64", 64, 1, f, attribute(4, pair(64, 1), 1)...)
			start("a priority of 1000", 1, 1, f, attribute(8, 1000)...)
			p.Ask("after all", "cuStreamSynchronize", uintptr(s))
		}},
	}
}
