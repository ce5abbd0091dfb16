package worker

import (
	"errors"
	"fmt"
	"runtime"
)

var (
	// ErrNoMain is matched by the error of a Pool that is to start this very
	// program, whose main has not called Main.
	ErrNoMain = errors.New("this program can't be a worker: call worker.Main first in its main (in tests, in TestMain), install the command purecuda, or name another program in Config.Path")
	// ErrNoWalls is matched by the error of NewPool for a Config whose Isolation is
	// Required, on a machine that can't do it.
	ErrNoWalls = errors.New("this machine can't keep files and system calls from a worker")
	// ErrClosed is matched by the errors of a Pool that was closed.
	ErrClosed = errors.New("the pool is closed")
)

var errUnmade = errors.New("the Pool was not made by NewPool")

func unsupported() error {
	return fmt.Errorf("compiling in child processes on %s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

// A LimitError is about a compile that went beyond a limit of the Config.
//
// Safe for concurrent use after it is made; its fields must not change.
type LimitError struct {
	Limit  string // the field of Config: CPU, Input or Output
	Detail string // in words
}

// Error is the detail, and the limit's name.
func (e *LimitError) Error() string { return fmt.Sprintf("%s (Config.%s)", e.Detail, e.Limit) }
