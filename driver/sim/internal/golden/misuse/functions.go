package misuse

import "fmt"

// functions ask functions for what they have not, and set what cannot be set.
func functions() []Scenario {
	return []Scenario{
		{Name: "function attributes", Do: func(p *Process) {
			f := p.Kernel(plain, "shared")
			p.Ask("null", "cuFuncGetAttribute", 0, 0, f)
			p.Ask("null function", "cuFuncGetAttribute", p.Out(), 0, 0)
			for _, i := range []int32{-1, 10, 15, 16, 17, 100} {
				p.Ask(fmt.Sprint(i), "cuFuncGetAttribute", p.Out(), uintptr(uint32(i)), f)
			}
			for i := range uintptr(8) {
				p.Ask(fmt.Sprint("read-only ", i), "cuFuncSetAttribute", f, i, 0)
			}
			for _, i := range []int32{-1, 16, 100} {
				p.Ask(fmt.Sprint(i), "cuFuncSetAttribute", f, uintptr(uint32(i)), 0)
			}
			p.Ask("null function", "cuFuncSetAttribute", 0, 8, 0)
			const dynamic, carveout = 8, 9
			p.Ask("dynamic memory of -1", "cuFuncSetAttribute", f, dynamic, minus(1))
			p.Ask("dynamic memory that fits", "cuFuncSetAttribute", f, dynamic, 100000)
			p.Ask("dynamic memory beside the static", "cuFuncSetAttribute", f, dynamic, 232448)
			p.Ask("dynamic memory of everything", "cuFuncSetAttribute", f, dynamic, 1<<30)
			p.Ask("carve-out of -1", "cuFuncSetAttribute", f, carveout, minus(1))
			p.Ask("carve-out of -2", "cuFuncSetAttribute", f, carveout, minus(2))
			p.Ask("carve-out of 100", "cuFuncSetAttribute", f, carveout, 100)
			p.Ask("carve-out of 101", "cuFuncSetAttribute", f, carveout, 101)
			p.Ask("required cluster width", "cuFuncSetAttribute", f, 10, 1)
			p.Ask("cluster width", "cuFuncSetAttribute", f, 11, 2)
			p.Ask("cluster width of -1", "cuFuncSetAttribute", f, 11, minus(1))
			p.Ask("large clusters", "cuFuncSetAttribute", f, 14, 1)
			p.Ask("cluster scheduling of 9", "cuFuncSetAttribute", f, 15, 9)
		}},
		{Name: "function", Do: func(p *Process) {
			f := p.Kernel(plain, "store")
			p.Ask("null", "cuFuncGetName", 0, f)
			p.Ask("null function", "cuFuncGetName", p.Out(), 0)
			p.Ask("parameter 2 of 2", "cuFuncGetParamInfo", f, 2, p.Out(), p.Out())
			p.Ask("parameter -1", "cuFuncGetParamInfo", f, ^uintptr(0), p.Out(), p.Out())
			p.Ask("null offset", "cuFuncGetParamInfo", f, 0, 0, p.Out())
			p.Ask("null size", "cuFuncGetParamInfo", f, 0, p.Out(), 0)
			p.Ask("null function", "cuFuncGetParamInfo", 0, 0, p.Out(), p.Out())
			p.Ask("null function", "cuFuncLoad", 0)
			p.Ask("null", "cuFuncIsLoaded", 0, f)
			p.Ask("null function", "cuFuncIsLoaded", p.Out(), 0)
		}},
		{Name: "occupancy", Do: func(p *Process) {
			f := p.Kernel(plain, "shared")
			const blocks = "cuOccupancyMaxActiveBlocksPerMultiprocessor"
			p.Ask("no threads", blocks, p.Out(), f, 0, 0)
			p.Ask("-1 threads", blocks, p.Out(), f, minus(1), 0)
			p.Ask("1025 threads", blocks, p.Out(), f, 1025, 0)
			p.Ask("much shared memory", blocks, p.Out(), f, 32, 230000)
			p.Ask("too much shared memory", blocks, p.Out(), f, 32, 1<<30)
			p.Ask("null", blocks, 0, f, 32, 0)
			p.Ask("null function", blocks, p.Out(), 0, 32, 0)
			p.Ask("threads over the bounds", blocks, p.Out(), p.Kernel(plain, "bounded"), 128, 0)
			p.Ask("threads over those required", blocks, p.Out(), p.Kernel(plain, "required"), 128, 0)
			const size = "cuOccupancyMaxPotentialBlockSize"
			p.Ask("null grid", size, 0, p.Out(), f, 0, 0, 0)
			p.Ask("null block", size, p.Out(), 0, f, 0, 0, 0)
			p.Ask("null function", size, p.Out(), p.Out(), 0, 0, 0, 0)
			p.Ask("limit of -1", size, p.Out(), p.Out(), f, 0, 0, minus(1))
			p.Ask("limit of 5000", size, p.Out(), p.Out(), f, 0, 0, 5000)
			p.Ask("too much shared memory", size, p.Out(), p.Out(), f, 0, 1<<30, 0)
			const shared = "cuOccupancyAvailableDynamicSMemPerBlock"
			p.Ask("null", shared, 0, f, 1, 32)
			p.Ask("null function", shared, p.Out(), 0, 1, 32)
			p.Ask("no blocks", shared, p.Out(), f, 0, 32)
			p.Ask("-1 blocks", shared, p.Out(), f, minus(1), 32)
			p.Ask("no threads", shared, p.Out(), f, 1, 0)
			p.Ask("1025 threads", shared, p.Out(), f, 1, 1025)
			p.Ask("100 blocks", shared, p.Out(), f, 100, 32)
			p.Ask("null", "cuOccupancyMaxPotentialClusterSize", 0, f, p.Words(0))
			p.Ask("null configuration", "cuOccupancyMaxPotentialClusterSize", p.Out(), f, 0)
			p.Ask("null", "cuOccupancyMaxActiveClusters", 0, f, p.Words(0))
			p.Ask("null configuration", "cuOccupancyMaxActiveClusters", p.Out(), f, 0)
		}},
	}
}
