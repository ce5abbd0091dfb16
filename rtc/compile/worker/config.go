package worker

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// A Config says how a Pool compiles. The zero Config works in a program whose
// main calls Main. A number less than zero is an error of NewPool.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Path is the program to start, a file or a name that the PATH has; it must call
	// Main first, too. Empty: this program, if it has called Main, else the command
	// purecuda, if the PATH has it.
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
	// MB), in bytes: at least 64 MiB. 0: 1 GiB.
	Memory int64
	// Stack bounds the stack that NVRTC recurses on, beside Memory, on Linux: at
	// least 1 MiB. 0: 512 MiB.
	Stack int64
	// CPU bounds the processor time of a compile: more is a *LimitError. 0: 10
	// minutes.
	CPU time.Duration
	// Input bounds what a compile is given, the source and its headers in memory,
	// in bytes: more is a *LimitError. 0: 64 MiB.
	Input int64
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

// What a worker needs at least to compile what isn't nested. With less memory it is
// Go's threads in it that find none, and few of their crashes say so.
const (
	leastStack  = 1 << 20
	leastMemory = 64 << 20
)

// check finds numbers that can't be meant.
func (c Config) check() error {
	errs := []error{
		notNegative("Workers", c.Workers), notNegative("Memory", c.Memory), notNegative("Stack", c.Stack), notNegative("CPU", c.CPU),
		notNegative("Input", c.Input), notNegative("Output", c.Output), notNegative("Jobs", c.Jobs), notNegative("Resident", c.Resident), notNegative("Idle", c.Idle),
	}
	return errors.Join(append(errs, atLeast("Memory", c.Memory, leastMemory), atLeast("Stack", c.Stack, leastStack))...)
}

func atLeast(field string, value, least int64) error {
	if value > 0 && value < least {
		return fmt.Errorf("%s is %d, less than %d (%d MiB), which a worker needs", "Config."+field, value, least, least>>20)
	}
	return nil
}

func notNegative[T int | int64 | time.Duration](field string, value T) error {
	if value < 0 {
		return fmt.Errorf("%s is %v, less than 0", "Config."+field, value)
	}
	return nil
}

// withDefaults has what was left out.
func (c Config) withDefaults() Config {
	const mib = 1 << 20
	c.Workers = cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	c.Memory = cmp.Or(c.Memory, 1024*mib)
	c.Stack = cmp.Or(c.Stack, 512*mib)
	c.CPU = cmp.Or(c.CPU, 10*time.Minute)
	c.Input = cmp.Or(c.Input, 64*mib)
	c.Output = cmp.Or(c.Output, 64*mib)
	c.Jobs = cmp.Or(c.Jobs, 1000)
	c.Resident = cmp.Or(c.Resident, 256*mib)
	c.Idle = cmp.Or(c.Idle, 5*time.Minute)
	return c
}
