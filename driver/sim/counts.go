package sim

import "github.com/purecuda/purecuda/driver/sim/internal/engine"

// Counts is what a launch did. Instructions are those of the PTX text, which ptxas turns into machine instructions that are fewer or more; apart
// from that each field counts what the metric of Nsight Compute counts that stands with it. Its fields:
//
//	Classes [23]Instructions // by Class
//
//	Branches uint64 // executed ones at which lanes may part: under a guard, by a table, calls through pointers
//	Uniform  uint64 // of these, where all running lanes went the same way: Uniform / Branches is smsp__sass_average_branch_targets_threads_uniform.pct
//	Calls    uint64 // of functions, by a warp, of the device's own (malloc, printf) too
//
//	GlobalLoads, GlobalStores, GlobalAtomics Requests   // in global memory
//	SharedLoads, SharedStores                Wavefronts // in shared memory
//
// and its methods:
//
//	Total() Instructions       // of all classes
//	BranchEfficiency() float64 // Uniform / Branches; 1 if there were none
//	ActiveLanes() float64      // lanes of 32 at an instruction, in the mean: smsp__thread_inst_executed_per_inst_executed.ratio
//
// Not safe for concurrent use.
type Counts = engine.Counts

// Instructions are those of a class that were executed. Its fields:
//
//	Warp   uint64 // by a warp: smsp__inst_executed.sum
//	Thread uint64 // by threads that were at it: smsp__thread_inst_executed.sum
//	On     uint64 // of these, not switched off by a guard: smsp__thread_inst_executed_pred_on.sum
//
// Not safe for concurrent use.
type Instructions = engine.Instructions

// Requests are accesses of warps to global memory. Its fields and method:
//
//	Requests uint64 // instructions for which at least one lane accessed it: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum, …_st, …_atom and …_red
//	Sectors  uint64 // the different 32 bytes that the lanes of a request accessed, summed up: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum and so on
//
//	SectorsPerRequest() float64 // for 4 bytes a lane from 4 to 32
//
// Not safe for concurrent use.
type Requests = engine.Requests

// Wavefronts are accesses of warps to shared memory, which has 32 banks of 4 bytes. Its fields:
//
//	Requests  uint64 // instructions for which at least one lane accessed it
//	Passes    uint64 // how often the banks worked for them: l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, …_st
//	Conflicts uint64 // of these, what bank conflicts cost: l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum, …_st
//
// Not safe for concurrent use.
type Wavefronts = engine.Wavefronts

// A Class is a kind of instructions that are counted together, and an index of Counts.Classes. Its String is, in this order: "integer", "float32",
// "float64", "half", "conversion", "move", "load global", "load shared", "load local", "load const", "load generic", "store global", "store shared",
// "store local", "store generic", "atomic", "texture", "control", "barrier", "warp", "special", "tensor", "other".
//
// Safe for concurrent use.
type Class = engine.Class

// counted tells of a launch that has ended.
func (d *Driver) counted(kernel string, c *Counts) {
	d.counting.Lock()
	defer d.counting.Unlock()
	d.config.Counts(kernel, c)
}
