package misuse

// copies copy and fill what is too small, gone, or elsewhere.
func copies() []Scenario {
	return []Scenario{
		{Name: "copy", Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(4096)
			host := p.Room(8192)
			p.Ask("no bytes", "cuMemcpyHtoDAsync_v2", m, host, 0, s)
			p.Ask("no bytes to nowhere", "cuMemcpyHtoDAsync_v2", 0, 0, 0, s)
			p.Ask("no bytes from nowhere", "cuMemcpyDtoHAsync_v2", 0, 0, 0, s)
			p.Ask("no bytes to nowhere", "cuMemcpyDtoDAsync_v2", 0, 0, 0, s)
			p.Ask("to null", "cuMemcpyHtoDAsync_v2", 0, host, 64, s)
			p.Ask("to nowhere", "cuMemcpyHtoDAsync_v2", 0x1000, host, 64, s)
			p.Ask("from null", "cuMemcpyHtoDAsync_v2", m, 0, 64, s)
			p.Ask("to null", "cuMemcpyDtoHAsync_v2", 0, m, 64, s)
			p.Ask("from null", "cuMemcpyDtoHAsync_v2", host, 0, 64, s)
			p.Ask("from nowhere", "cuMemcpyDtoHAsync_v2", host, 0x1000, 64, s)
			p.Ask("to null", "cuMemcpyDtoDAsync_v2", 0, m, 64, s)
			p.Ask("from null", "cuMemcpyDtoDAsync_v2", m, 0, 64, s)
			p.Ask("overlapping", "cuMemcpyDtoDAsync_v2", m, m+16, 64, s)
			p.Ask("onto itself", "cuMemcpyDtoDAsync_v2", m, m, 64, s)
			p.Ask("the wrong way round", "cuMemcpyHtoDAsync_v2", host, m, 64, s)
			p.Ask("the wrong way round", "cuMemcpyDtoHAsync_v2", m, host, 64, s)
			p.Ask("from host memory", "cuMemcpyDtoDAsync_v2", m, host, 64, s)
			p.Ask("to host memory", "cuMemcpyDtoDAsync_v2", host, m, 64, s)
			p.Ask("from device memory", "cuMemcpyHtoDAsync_v2", m, m+1024, 64, s)
			p.Ask("of everything", "cuMemcpyHtoDAsync_v2", m, host, huge, s)
			p.Ask("of everything", "cuMemcpyDtoHAsync_v2", host, m, huge, s)
			p.Ask("of everything", "cuMemcpyDtoDAsync_v2", m, m, huge, s)
			p.Ask("after that", "cuStreamSynchronize", s)
		}},
		{Name: "copy past the end", Do: func(p *Process) {
			// The block is as large as what memory is mapped in, so that nothing lies behind what is copied.
			const block = 64 << 20
			s, m := p.Stream(), p.Memory(block)
			host := p.Make("cuMemHostAlloc", 4<<20, 0)
			p.Ask("in the last bytes", "cuMemcpyHtoDAsync_v2", m+block-64, host, 64, s)
			p.Ask("one byte over", "cuMemcpyHtoDAsync_v2", m+block-64, host, 65, s)
			p.Ask("one byte over", "cuMemcpyDtoHAsync_v2", host, m+block-64, 65, s)
			p.Ask("one byte over", "cuMemcpyDtoDAsync_v2", m, m+block-64, 65, s)
			p.Ask("one byte over the target", "cuMemcpyDtoDAsync_v2", m+block-64, m, 65, s)
			p.Ask("one byte over", "cuMemsetD8Async", m+block-64, 1, 65, s)
			p.Ask("a word over", "cuMemsetD32Async", m+block-64, 1, 17, s)
			p.Ask("after that", "cuStreamSynchronize", s)
		}},
		{Name: "copy of freed memory", Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(64<<20)
			p.Must("cuMemFree_v2", m)
			p.Ask("to", "cuMemcpyHtoDAsync_v2", m, p.Room(64), 64, s)
			p.Ask("from", "cuMemcpyDtoHAsync_v2", p.Room(64), m, 64, s)
			p.Ask("fill", "cuMemsetD8Async", m, 1, 64, s)
			p.Ask("after that", "cuStreamSynchronize", s)
		}},
		{Name: "fill", Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(4096)
			p.Ask("nothing", "cuMemsetD8Async", m, 1, 0, s)
			p.Ask("nothing nowhere", "cuMemsetD8Async", 0, 1, 0, s)
			p.Ask("null", "cuMemsetD8Async", 0, 1, 64, s)
			p.Ask("nowhere", "cuMemsetD8Async", 0x1000, 1, 64, s)
			p.Ask("host memory", "cuMemsetD8Async", p.Room(128), 1, 64, s)
			p.Ask("pinned memory", "cuMemsetD8Async", p.Make("cuMemHostAlloc", 64, 0), 1, 64, s)
			p.Ask("misaligned", "cuMemsetD16Async", m+1, 1, 8, s)
			p.Ask("misaligned", "cuMemsetD32Async", m+2, 1, 8, s)
			p.Ask("misaligned nothing", "cuMemsetD32Async", m+2, 1, 0, s)
			p.Ask("everything", "cuMemsetD8Async", m, 1, huge, s)
			p.Ask("everything", "cuMemsetD32Async", m, 1, 1<<62, s)
			p.Ask("after that", "cuStreamSynchronize", s)
		}},
		{Name: "copy between contexts", Do: func(p *Process) {
			s, m := p.Stream(), p.Memory(4096)
			p.Ask("the same", "cuMemcpyPeerAsync", m, p.ctx, m+1024, p.ctx, 64, s)
			p.Ask("null contexts", "cuMemcpyPeerAsync", m, 0, m+1024, 0, 64, s)
			p.Ask("null target", "cuMemcpyPeerAsync", 0, p.ctx, m, p.ctx, 64, s)
			p.Ask("null source", "cuMemcpyPeerAsync", m, p.ctx, 0, p.ctx, 64, s)
			p.Ask("no bytes", "cuMemcpyPeerAsync", m, p.ctx, m, p.ctx, 0, s)
			p.Ask("after that", "cuStreamSynchronize", s)
		}},
	}
}
