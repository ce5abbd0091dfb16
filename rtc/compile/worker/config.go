package worker

import (
	"runtime"
	"time"
)

// A Config says how a Pool compiles. The zero Config works in a program whose
// main calls Main.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the program to start. Empty: this one, if it has called Main, else the
	// command purecuda, if the PATH has it. Another must call Main, too.
	Path string
	// Args are its arguments, without the name.
	Args []string
	// Workers is how many compile at once. 0: GOMAXPROCS. One more waits, begun
	// ahead of time, to take the place of one that ends.
	Workers int

	// Isolation is what workers are kept from. The zero value is Auto: what the
	// machine can do.
	Isolation Isolation
	// Read are files and folders that sources may include, with all below them,
	// where the files are out of reach otherwise: those for -I. The compiler's own
	// headers are always among them. They must exist when the Pool is made.
	Read []string
	// Unsafe has all options pass, as they are. Otherwise, unless Isolation is Off,
	// those that nvrtc.SafeOptions doesn't know are refused, with its error: some
	// read and write files. Folders for headers must be among Read or NVRTC's own.
	Unsafe bool

	// Memory bounds what a worker may ask for beyond what it begins with (about 80
	// MB), in bytes. 0: 1 GiB.
	Memory int64
	// Stack bounds the stack that NVRTC recurses on, beside Memory, on Linux. 0: 512
	// MiB.
	Stack int64
	// CPU bounds the processor time of a compile: more is a *LimitError. 0: 10
	// minutes.
	CPU time.Duration
	// Output bounds what a compile makes, with its log, in bytes: more is a
	// *LimitError. 0: 64 MiB.
	Output int64

	// Jobs is after how many compiles a worker is replaced. 0: 1000.
	Jobs int
	// Resident is how much of its memory a worker may keep after a compile; if it
	// keeps more it is replaced. 0: 256 MiB.
	Resident int64
	// Idle is after how long a time without work a worker ends. 0: 5 minutes.
	Idle time.Duration
}

func (c Config) withDefaults() Config {
	def := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&c.Memory, 1<<30)
	def(&c.Stack, 512<<20)
	def(&c.Output, 64<<20)
	def(&c.Resident, 256<<20)
	if c.CPU <= 0 {
		c.CPU = 10 * time.Minute
	}
	if c.Idle <= 0 {
		c.Idle = 5 * time.Minute
	}
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Jobs <= 0 {
		c.Jobs = 1000
	}
	return c
}
