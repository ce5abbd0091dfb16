package drivertest

// Live is how many things of each kind exist in the double.
//
// Safe for concurrent use after it is made; its fields must not change.
type Live struct {
	Contexts, Modules, Streams, Events, Allocations, HostBuffers, Graphs, Libraries, Links int
	Bytes                                                                                  uint64 // of device memory
}

// Live counts what has been made and not given back, for tests that look for
// leaks: the zero Live says that nothing is left.
func (d *Driver) Live() Live {
	d.mu.Lock()
	defer d.mu.Unlock()
	l := Live{Contexts: len(d.contexts), Modules: len(d.modules), Streams: len(d.streams), Events: len(d.events), Graphs: len(d.graphs),
		HostBuffers: len(d.hosts), Libraries: len(d.libraries), Links: len(d.links)}
	for _, b := range d.memory.blocks {
		if b.module == 0 {
			l.Allocations++
			l.Bytes += uint64(len(b.bytes))
		}
	}
	return l
}
