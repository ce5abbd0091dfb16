package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
	"github.com/purecuda/purecuda/rtc/compile/worker"
)

// How the command ends.
const (
	atFault     = 1 // what it was given: a source, the contents of a cache
	usage       = 2 // the command line, or a file that it names
	lacking     = 3 // something that the machine does not have
	interrupted = 130
)

const exitHelp = `
Exit status: 0 all went well; 1 what was given is at fault: a source, a damaged cache;
2 the command line is, or a file that it names; 3 the machine lacks something.
`

// errHelp asks for a command's help.
var errHelp = errors.New("help is wanted")

// An exitError says how the command ends. Its text may be empty: then all was
// said before.
type exitError struct {
	code int
	err  error
	hint string // the command whose help is worth reading, "" for none
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError is a mistake in the command line of a command.
func usageError(command, format string, args ...any) error {
	hint := "purecuda help"
	if command != "" {
		hint += " " + command
		format = command + ": " + format
	}
	return &exitError{usage, fmt.Errorf(format, args...), hint}
}

// exit gives err an exit status.
func exit(code int, err error) error { return &exitError{code: code, err: err} }

// report prints an error and returns the exit status.
func report(ctx context.Context, err error) int {
	if err == nil {
		return 0
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{code: codeOf(err), err: err}
	}
	if ctx.Err() != nil {
		e.code = interrupted
	}
	if text := e.Error(); text != "" {
		fmt.Fprintf(os.Stderr, "purecuda: %s\n", printable(redact(text)))
	}
	if e.hint != "" {
		fmt.Fprintf(os.Stderr, "\"%s\" says how it is used.\n", e.hint)
	}
	return e.code
}

// codeOf is the exit status of a compile that failed, or of what comes before.
func codeOf(err error) int {
	var (
		refused  *nvrtc.CompileError
		option   *nvrtc.OptionError
		builtins *nvrtc.BuiltinsError
		text     *nvrtc.TextError
		missing  *dl.NotFoundError
		crashed  *worker.CrashError
		over     *worker.LimitError
	)
	switch {
	case errors.Is(err, context.Canceled):
		return interrupted
	case errors.As(err, &option), errors.Is(err, nvrtc.InvalidOption), errors.Is(err, nvrtc.ErrNoOutput):
		return usage
	case errors.As(err, &builtins), errors.As(err, &missing), errors.Is(err, errors.ErrUnsupported), errors.Is(err, nvrtc.OutOfMemory):
		return lacking
	case errors.As(err, &refused), errors.As(err, &text), errors.As(err, &crashed), errors.As(err, &over), errors.Is(err, compile.ErrTimeout):
		return atFault
	}
	return lacking
}
