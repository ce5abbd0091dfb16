package nvrtc

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/dl"
)

var (
	// ErrClosed is matched by the error of a use after Close.
	ErrClosed = errors.New("closed")
	// ErrBusy is matched by the error of a method that can't be called while the
	// program is being compiled, also by a compile whose context has ended.
	ErrBusy = errors.New("the program is being compiled")
	// ErrNotCompiled is matched by the error of a method that needs a compile
	// that succeeded, when there was none.
	ErrNotCompiled = errors.New("the program has not been compiled")
	// ErrNoOutput is matched by the error of an output method when the last
	// compile was not asked for that output, such as CUBIN after compute_70.
	ErrNoOutput = errors.New("the compile made none")
)

// UnsupportedError says that the NVRTC in use is too old for what was asked, or
// too new. It matches errors.ErrUnsupported.
type UnsupportedError = dl.UnsupportedError

// A CallError is a call of NVRTC that failed. It matches its Result.
//
// Safe for concurrent use after it is made; its fields must not change.
type CallError struct {
	Function string // as C has it
	Result   Result
}

// Error names the function and the result.
func (e *CallError) Error() string {
	return fmt.Sprintf("%s: %s (%s)", e.Function, e.Result, e.Result.Name())
}

// Unwrap gives the result.
func (e *CallError) Unwrap() error { return e.Result }

// A TextError says that a text can't be given to NVRTC.
//
// Safe for concurrent use after it is made; its fields must not change.
type TextError struct {
	What   string // which text: source, name, header "a.h", options[2], …
	Offset int    // in bytes, where the trouble is
	Reason string
}

// Error names the text and the reason.
func (e *TextError) Error() string { return e.What + ": " + e.Reason }
