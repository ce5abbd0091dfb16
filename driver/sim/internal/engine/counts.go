package engine

// Counts is what a launch did, with Config.Count. Instructions are those of the PTX text, which ptxas turns into machine instructions that are
// fewer or more; apart from that a field counts what the metric of Nsight Compute counts that is named with it.
//
// Not safe for concurrent use.
type Counts struct {
	// Classes are the instructions by class.
	Classes [classes]Instructions

	// Branches are the executed branches at which lanes may part: under a guard, by a table, calls through pointers. Uniform are those where
	// all running lanes went the same way: Uniform over Branches is smsp__sass_average_branch_targets_threads_uniform.pct.
	Branches, Uniform uint64
	// Calls are the calls of functions, by a warp, of the device's own (malloc, printf) too.
	Calls uint64

	// Loads, stores and atomic operations in global memory.
	GlobalLoads, GlobalStores, GlobalAtomics Requests
	// Loads and stores in shared memory.
	SharedLoads, SharedStores Wavefronts
}

// Instructions are those of a class that were executed.
//
// Not safe for concurrent use.
type Instructions struct {
	Warp   uint64 // by a warp: smsp__inst_executed.sum
	Thread uint64 // by threads that were at it: smsp__thread_inst_executed.sum
	On     uint64 // of these, not switched off by a guard: smsp__thread_inst_executed_pred_on.sum
}

// Requests are accesses of warps to global memory.
//
// Not safe for concurrent use.
type Requests struct {
	// Requests are the instructions for which at least one lane accessed it: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum, …_st, …_atom
	// and …_red.
	Requests uint64
	// Sectors are the different 32 bytes that the lanes of a request accessed, summed up: l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum and so on.
	Sectors uint64
}

// Wavefronts are accesses of warps to shared memory, which has 32 banks of 4 bytes.
//
// Not safe for concurrent use.
type Wavefronts struct {
	Requests uint64 // the instructions for which at least one lane accessed it
	// Passes are how often the banks worked for them: as often as one of them has different words to give. Of 8 bytes a lane a half of the
	// warp is served at a time, of 16 a quarter. l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum, …_st.
	Passes uint64
	// Conflicts are the passes that would not have been needed without bank conflicts: l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum,
	// …_st.
	Conflicts uint64
}

// Total is the instructions of all classes.
func (c *Counts) Total() (sum Instructions) {
	for _, x := range c.Classes {
		sum.add(x)
	}
	return sum
}

// BranchEfficiency is the part of the branches, from 0 to 1, at which no lanes parted; 1 if there were none.
func (c *Counts) BranchEfficiency() float64 { return ratio(c.Uniform, c.Branches, 1) }

// ActiveLanes is how many lanes of 32 were at an instruction in the mean: smsp__thread_inst_executed_per_inst_executed.ratio.
func (c *Counts) ActiveLanes() float64 {
	t := c.Total()
	return ratio(t.Thread, t.Warp, 0)
}

// SectorsPerRequest is how many there are in the mean: l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio, …_st. For 4 bytes a
// lane 4 is the least, 32 the most.
func (r Requests) SectorsPerRequest() float64 { return ratio(r.Sectors, r.Requests, 0) }

func ratio(a, b uint64, none float64) float64 {
	if b == 0 {
		return none
	}
	return float64(a) / float64(b)
}

func (i *Instructions) add(x Instructions) {
	i.Warp += x.Warp
	i.Thread += x.Thread
	i.On += x.On
}

func (r *Requests) add(x Requests) {
	r.Requests += x.Requests
	r.Sectors += x.Sectors
}

func (w *Wavefronts) add(x Wavefronts) {
	w.Requests += x.Requests
	w.Passes += x.Passes
	w.Conflicts += x.Conflicts
}

// add adds those of a block.
func (c *Counts) add(x *Counts) {
	for i := range c.Classes {
		c.Classes[i].add(x.Classes[i])
	}
	c.Branches += x.Branches
	c.Uniform += x.Uniform
	c.Calls += x.Calls
	c.GlobalLoads.add(x.GlobalLoads)
	c.GlobalStores.add(x.GlobalStores)
	c.GlobalAtomics.add(x.GlobalAtomics)
	c.SharedLoads.add(x.SharedLoads)
	c.SharedStores.add(x.SharedStores)
}
