package driver

import "sync/atomic"

// Counts is how many things of each kind a Driver has made and not given back.
// A program that has closed everything reads the zero Counts.
//
// Safe for concurrent use after it is made; its fields must not change.
type Counts struct {
	Contexts    int // primary contexts retained and own ones
	Streams     int
	Events      int
	Modules     int // and libraries
	Allocations int // of device memory
	HostBuffers int // pinned or registered host memory
	Graphs      int // and executable graphs
	Others      int // memory pools, links, mappings
}

type counts struct {
	contexts, streams, events, modules, allocations, hostBuffers, graphs, others atomic.Int64
}

// Counts reads the number of live handles, for tests that look for leaks.
// Safe for concurrent use.
func (d *Driver) Counts() Counts {
	c := &d.counts
	return Counts{
		Contexts: int(c.contexts.Load()), Streams: int(c.streams.Load()), Events: int(c.events.Load()),
		Modules: int(c.modules.Load()), Allocations: int(c.allocations.Load()), HostBuffers: int(c.hostBuffers.Load()),
		Graphs: int(c.graphs.Load()), Others: int(c.others.Load()),
	}
}
