package compile

import (
	"errors"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
)

// A Request is one compile: what NVRTC is given, and how the Service goes about
// it. The options are NVRTC's, as they are; nothing is added to them.
//
// Safe for concurrent use after it is made; its fields must not change.
type Request struct {
	Source  string            // CUDA C++
	Name    string            // the program's, which diagnostics give as the file
	Options []string          // as for nvrtc's Program.Compile
	Exports []string          // as in nvrtc.ProgramConfig
	Headers map[string]string // as in nvrtc.ProgramConfig

	// Compiler is the NVRTC to use. Nil: the Service's.
	Compiler *nvrtc.Compiler

	// Priority puts a request before those with a lower one that wait, too. Among
	// equals the first that was submitted is the first. As long as there are higher ones
	// a lower one waits, if need be for ever; its place in the queue is taken meanwhile.
	Priority int
	// Timeout ends the compile after so long a time of running. 0: the
	// Service's.
	Timeout time.Duration

	// Extra stands for all that the key can't see, such as a header that is
	// included by a macro, or the time that __TIME__ writes: a digest of it, or
	// a number that the caller counts up. With it a request is cached that would
	// not be, see Result.Uncached.
	Extra string
	// Fresh compiles anew, whatever the cache has, and keeps the result there.
	Fresh bool
}

// label is the program's name for messages.
func (r *Request) label() string {
	if r.Name == "" {
		return "a source without a name"
	}
	return r.Name
}

// check finds what no compiler need be asked about.
func (r *Request) check() error {
	if r.Source == "" {
		return errors.New("the request has no source")
	}
	return notNegative("the request's Timeout", r.Timeout)
}
