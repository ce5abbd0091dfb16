package engine

import (
	"io"
	"sync/atomic"

	"github.com/purecuda/purecuda/abi/ptx"
)

// A Kernel is an entry of a program.
//
// Safe for concurrent use after it is made; its fields must not change.
type Kernel struct {
	Name        string
	Params      []ptx.Param
	ParamBytes  int
	SharedBytes int       // static shared memory
	LocalBytes  int       // local memory of a thread, the frames of calls not counted
	ConstBytes  int       // constant variables of the module
	Registers   int       // an estimate: 32-bit registers that a thread needs
	MaxThreads  int       // from .maxntid or .reqntid, else 0
	Required    [3]uint32 // from .reqntid, else zeros

	program *Program
	fn      *function
	pool    pool
}

// A Launch is a kernel with its grid and arguments.
type Launch struct {
	Kernel      *Kernel
	Grid, Block [3]uint32 // none of them 0
	Shared      int       // dynamic shared memory in bytes
	Params      []byte    // the kernel's parameter space, Kernel.ParamBytes long
	Cooperative bool      // all blocks run side by side, so that they may wait for each other
}

// A Config says how to run. The zero Config works.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	Workers  int       // goroutines that run blocks; 0 is GOMAXPROCS
	Worst    bool      // warps and blocks take turns in a random order, and as often as they can
	Seed     uint64    // of that order
	MaxSteps uint64    // operations of a warp after which its kernel counts as endless; 0: no limit
	Output   io.Writer // of printf and assert; nil: nowhere
	Stack    int       // bytes of local memory a thread may use for the frames of calls; 0 is 64 KiB
	Heap     int64     // bytes that malloc may use; 0 is 8 MiB
	SM       int       // multiprocessors, for %nsmid; 0 is 1

	// Timer is the last %globaltimer that was read on the device, in nanoseconds. A read is later than every one before it, in whatever launch, block
	// and warp. nil: each launch has its own.
	Timer *atomic.Uint64

	// Check looks for what hardware can't tell. Programs are loaded with it, too: see [LoadConfig].
	Check Check
	// Count has Stats.Counts filled in. Programs are loaded with it, too.
	Count bool
}

// watches reports whether there are operations that watch the program's own. Those of Check.Sync are not among them.
func (c *Config) watches() bool { return c.Count || c.Check.Uninitialised || c.Check.Race }

// Check says which detectors run. The zero Check runs none; bounds, alignment and use after free are always checked. The operations of
// the detectors count as steps.
type Check struct {
	// Uninitialised looks for values that are used and that nobody wrote: of shared and local memory, and of allocations made after
	// [Memory.RememberWrites]. See watchuse.go for what a use is.
	Uninitialised bool
	// Race looks for accesses to shared and global memory, one of them a write, that nothing orders. See race.go for what orders them.
	// One goroutine runs the blocks then.
	Race bool
	// Sync looks for barriers that go on without threads that should be there, and for shuffles from lanes that take no part. See synccheck.go.
	Sync bool
}
