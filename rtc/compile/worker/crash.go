package worker

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"syscall"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/child"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A CrashError is about a compile that killed its worker, twice. The Pool refuses
// the same from then on, unless the worker was killed from outside: by somebody, or
// because the machine had no memory left.
//
// Safe for concurrent use after it is made; its fields must not change.
type CrashError struct {
	Name    string // the program's
	Options []string
	Input   int64      // bytes that it was given, as Config.Input counts them
	Exit    child.Exit // of the worker
	Reason  string     // what went wrong, in words
}

// Error is the size, the reason, and the first words that the worker left.
func (e *CrashError) Error() string {
	return fmt.Sprintf("the compiler crashed, twice, on a source of %d bytes: %s%s", e.Input, e.Reason, strings.TrimPrefix(said(e.Exit.Stderr), ": "+e.Reason))
}

// fromOutside reports whether it was neither the source nor the Pool that killed the
// worker. (One that has used up its processor time is killed so, too, but the Pool
// comes before.)
func (e *CrashError) fromOutside() bool {
	return e.Exit.Signal == syscall.SIGKILL && !e.Exit.Killed
}

// said is the first line of what a worker wrote, for messages.
func said(stderr string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if line == "" {
		return ""
	}
	return fmt.Sprintf(": %.200s", line)
}

// Go's runtime says on stderr which signal ended the process.
var crashSignal = regexp.MustCompile(`(?m)^(?:\[signal )?(SIG[A-Z]+)\b`)

// These say that there is none left: NVRTC, Go's runtime, and what starts its threads.
var noMemory = regexp.MustCompile(`out of memory|cannot allocate memory|pthread_create failed`)

// starved reports whether NVRTC itself says so of a compile that ended with err.
func starved(err error) (refused *nvrtc.CompileError, is bool) {
	is = errors.As(err, &refused) && (refused.Result == nvrtc.OutOfMemory || strings.Contains(refused.Log, "catastrophic error: out of memory"))
	return refused, is
}

// crashed ends a worker whose answer is none, and says what was the matter.
func (p *Pool) crashed(w *worker, err error) *CrashError {
	e := &CrashError{Exit: w.end(err)}
	m := crashSignal.FindStringSubmatch(e.Exit.Stderr)
	switch {
	case errors.Is(err, errNonsense):
		e.Reason = err.Error()
	case noMemory.MatchString(e.Exit.Stderr):
		e.Reason = fmt.Sprintf("it needs more memory than the %d bytes that a worker may have (Config.Memory)", p.config.Memory)
	case m != nil:
		e.Reason = m[1]
	default:
		e.Reason = e.Exit.String()
	}
	return e
}

// describe gives an error the names of package and program, unless it has them.
func describe(r *compile.Request, err error) error {
	var refused *nvrtc.CompileError
	if errors.As(err, &refused) {
		return err
	}
	name := r.Name
	if name == "" {
		name = "default_program"
	}
	return fmt.Errorf("worker: compile %s: %w", name, err)
}
