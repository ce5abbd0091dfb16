package nvrtc

import (
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/dl"
)

// A Shield is how a program's signal handlers and stack limit are kept from
// NVRTC. The first compile of a process makes SIGINT and SIGTERM end it with
// code 4, past signal.Notify, for as long as it runs, and gives the handlers back
// in a state in which a later signal crashes a busy Go program; and every
// compile lifts RLIMIT_STACK meanwhile, which children that are then started inherit.
type Shield int

const (
	// ShieldNone: nothing is kept from NVRTC, as it is a test double or the
	// platform is not Linux on amd64 or arm64. The zero value.
	ShieldNone Shield = iota
	// ShieldImports: NVRTC's own import slots for signal and setrlimit lead
	// elsewhere. Nothing of the above happens.
	ShieldImports
	// ShieldFilter: the kernel turns the calls away on the compiler's threads.
	// Nothing of the above happens.
	ShieldFilter
	// ShieldRestore: the handlers were put right after a first, short compile when
	// the Compiler was opened. A signal within that time ended the program,
	// and children started during any compile have no stack limit.
	ShieldRestore
)

// String is the way in words.
func (s Shield) String() string {
	switch s {
	case ShieldNone:
		return "none"
	case ShieldImports:
		return "import slots"
	case ShieldFilter:
		return "system call filter"
	case ShieldRestore:
		return "restored handlers"
	}
	return fmt.Sprintf("shield %d", int(s))
}

// Shield tells which shield is in force, and in the error why a better one is
// not: nil with ShieldImports. It may change after a compile, for the handlers are
// looked at after each.
func (c *Compiler) Shield() (Shield, error) {
	s := &c.threads.shield
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kind, s.refused
}

// shield is the one in force.
type shield struct {
	mu      sync.Mutex
	kind    Shield
	refused error
	before  []dl.SignalAction // as they were when the compiler was opened
}

// A redirector is a library whose calls can be turned away: *dl.Library.
type redirector interface {
	Redirect(...dl.Redirect) error
}
