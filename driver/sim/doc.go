// Package sim is a CUDA driver in pure Go: a dl.Resolver whose devices are simulated, so that a program whose kernels
// come as PTX runs, whole and unchanged, on any machine that Go knows.
//
//	simulated, err := sim.New(sim.Config{})
//	d, err := driver.Bind(simulated)
//
// It is for tests and for teaching: kernels run instruction by instruction, with exact bounds on every access, and a fault
// says kernel, block, thread, PTX line and, where the PTX has it, the line of the source. That a program passes here is
// no proof for a GPU: what ptxas and the hardware do differently does not show, and times are those of a simple model.
//
// # What it takes
//
// PTX, alone, in a fatbin (not compressed) or linked by cuLink. A cubin is machine code, which the simulator does not run: it is
// refused with NO_BINARY_FOR_GPU and a log that says how to get the PTX. An instruction that is not built is refused
// when the module is loaded, with INVALID_PTX and its name and line in the error log.
//
// # How work runs
//
// Each stream is a queue; streams run beside each other on goroutines that end when there is nothing to do. A wait holds a
// goroutine, no thread. With Config.Scheduler [Worst] nothing runs before something forces it, and then only what must, in an order
// that Config.Seed chooses: what a program has not ordered shows. With Config.Workers 1 everything happens in the order in which
// it was enqueued, one thing at a time, so that each run is like the last.
//
// Event times come from a model (see cost.go), not from the machine that simulates.
//
// # Faults
//
// A kernel's fault takes every context of this simulated driver for good, as one on a GPU takes those of the process. Make another
// with New to go on. Halt makes such a fault of a kernel that never ends.
//
// # What it does not do
//
// Clusters and textures; memory that a graph allocates; copies of several rows in graphs. Memory and events can be had by other processes on
// Linux alone. A context does not keep kernels of another context of the same device from its memory.
// EXACT.md has what is exact, and what is not.
package sim
