package golden

// A Machine runs kernels.
//
// Safe for concurrent use.
type Machine interface {
	// About says what it is.
	About() About
	// Load makes a module of PTX text.
	Load(text string) (Module, error)
	// Close gives everything back.
	Close() error
}

// About is what a machine is; the header of a file of answers.
//
// Safe for concurrent use after it is made; its fields must not change.
type About struct {
	GPU    string // "NVIDIA H200"
	Arch   int    // compute capability times ten: 90
	Driver string // of the GPU: "580.159.04", where it is known
	CUDA   string // of the driver: "13.0"
	Date   string // "2026-11-30"
}

// A Module is loaded PTX.
//
// Safe for concurrent use.
type Module interface {
	// Run launches a kernel and waits for it. The buffers among the arguments hold what the kernel left in them afterwards.
	Run(Launch) error
	// Global fills b with what lies in the first bytes of a variable of the module.
	Global(name string, b []byte) error
	// Close unloads it.
	Close() error
}

// A Launch is a kernel with its sizes and arguments.
//
// Not safe for concurrent use.
type Launch struct {
	Kernel      string
	Grid, Block [3]uint32
	Shared      uint32 // dynamic shared memory in bytes
	Cooperative bool
	Args        []Arg
}

// An Arg is an argument: a buffer in the device's memory, or the bytes of a value.
//
// Not safe for concurrent use.
type Arg struct {
	Buffer []byte // the kernel gets its address
	Value  []byte // where Buffer is nil
}
