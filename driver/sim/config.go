package sim

import (
	"io"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// A Config says what machine to simulate. The zero Config is a driver of CUDA 13.0 with one device of compute capability 9.0.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Version is the CUDA version of the driver, from 8.0 on: functions that came later are missing, PTX of a later one
	// is refused. Zero is 13.0, whose PTX (9.0) is the newest that is known here.
	Version dl.Version
	// Devices are what the machine has; nil means one of the zero Device, empty means none.
	Devices []Device

	// Workers is how many goroutines run the blocks of a kernel; 0 is GOMAXPROCS. With 1, and one only, operations of different
	// streams take turns as well, in the order in which they were enqueued, and so everything happens in the same order each time.
	Workers int
	// Scheduler says when what is enqueued runs.
	Scheduler Scheduler
	// Seed is of the order that Worst chooses.
	Seed uint64
	// MaxSteps is how many instructions a warp may do before its kernel is ended with LAUNCH_TIMEOUT; 0 is no limit, as on
	// a GPU without a display.
	MaxSteps uint64
	// Check looks for what hardware can't tell.
	Check Check

	// Counts, if not nil, is told what each launch did that ended well, before whoever waits for it goes on; one call at a time. It must not
	// use the driver. Counting takes 4 to 6 times the time.
	Counts func(kernel string, c *Counts)

	// Output is what kernels write by printf and assert; nil: nowhere. Writes come one at a time.
	Output io.Writer
}

// A Scheduler is a way to choose what runs next.
type Scheduler int

// The schedulers.
const (
	InOrder Scheduler = iota // everything as soon as it can
	Worst                    // everything as late as it can, in a seeded order; warps and blocks too
)

// Check says which detectors run. What they find is a fault, LAUNCH_FAILED, that says what it was and where. The zero Check
// runs none: bounds, alignment and use after free are always looked at. DETECTORS.md beside this file says what each finds, and what it costs.
//
// Safe for concurrent use after it is made; its fields must not change.
type Check struct {
	Uninitialised bool // reads of memory that nobody wrote
	Race          bool // unordered accesses to shared and global memory
	Sync          bool // barriers without all their threads, and shuffles from lanes that take no part
}

// A Device is one that the machine has. The zero Device has compute capability 9.0 and 4 GiB of memory.
//
// Safe for concurrent use after it is made; its fields must not change.
type Device struct {
	Name         string // "" names it by its compute capability
	Major, Minor int    // of the compute capability, from 5.0 on
	// Memory is in bytes. The machine needs what a program really takes of it, no more.
	Memory uint64
	// Attributes are what differs from a usual device of that compute capability.
	Attributes map[driver.Attribute]int
}
