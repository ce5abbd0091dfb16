package sim

import "github.com/purecuda/purecuda/driver/sim/internal/engine"

// Counts is what a launch did: Classes, the instructions by [Class]; Branches and Uniform, of them those where no lanes parted; Calls; GlobalLoads,
// GlobalStores and GlobalAtomics; SharedLoads and SharedStores. Its methods Total, BranchEfficiency and ActiveLanes, and those of its fields, give
// what one asks of them. Instructions are those of the PTX text, which ptxas turns into machine instructions that are fewer or more; apart from
// that each is what a metric of Nsight Compute counts, which the field's comment names.
//
// Not safe for concurrent use.
type Counts = engine.Counts

// Instructions are those of a class: Warp, how often a warp executed one; Thread, how often a thread was at one; On, of these, those that no guard had
// switched off.
//
// Not safe for concurrent use.
type Instructions = engine.Instructions

// Requests are accesses of warps to global memory: Requests, the instructions; Sectors, the different 32 bytes that each of them touched, summed up.
//
// Not safe for concurrent use.
type Requests = engine.Requests

// Wavefronts are accesses of warps to shared memory: Requests, the instructions; Passes, how often the banks worked for them; Conflicts, of these,
// those that bank conflicts cost.
//
// Not safe for concurrent use.
type Wavefronts = engine.Wavefronts

// A Class is a kind of instructions that are counted together: its String is "float32" or "load global". It is an index of Counts.Classes.
//
// Safe for concurrent use.
type Class = engine.Class

// counted tells of a launch that has ended.
func (d *Driver) counted(kernel string, c *Counts) {
	d.counting.Lock()
	defer d.counting.Unlock()
	d.config.Counts(kernel, c)
}
