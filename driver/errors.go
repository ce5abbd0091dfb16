package driver

import (
	"errors"
	"strings"
)

// ErrClosed is matched by the error of every use of an object after its Close.
var ErrClosed = errors.New("closed")

// An Error is a call that the driver refused, or that this package refused
// because the driver would have. It matches its Result: errors.Is(err, OutOfMemory).
//
// Safe for concurrent use after it is made; its fields must not change.
type Error struct {
	Op       string // what was being done, in this package's words; "" inside another error
	Function string // the C function that answered; "" when none was called
	Result   Result // its code, or the one it would have given
	Detail   string // what is known beyond the code: the limit, the names, the log
	Fault    *Fault // the first fatal fault of this driver, if there was one by now
}

// Error says what was being done, what is known of it, the code and the first
// fault. What a [Simulation] knows of the fault comes first: it says more than all else.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("driver: ")
	if e.Op != "" {
		b.WriteString(e.Op + ": ")
	}
	simulated := e.Fault != nil && e.Fault.Detail != ""
	if simulated {
		if running := e.Fault.Running; len(running) == 1 && !strings.HasPrefix(e.Fault.Detail, running[0]+": ") {
			b.WriteString("kernel " + running[0] + ": ") // Detail has its name in the code, which may be mangled
		}
		b.WriteString(e.Fault.Detail + ": ")
	}
	if e.Detail != "" {
		b.WriteString(e.Detail + ": ")
	}
	b.WriteString(e.Result.String())
	b.WriteString(" (")
	if e.Function != "" {
		b.WriteString(e.Function + ": ")
	}
	b.WriteString(e.Result.Name() + ")")
	if simulated {
		b.WriteString("; the simulated device is lost")
	} else if e.Fault != nil {
		b.WriteString("; the process has lost the GPU: " + e.Fault.String())
	}
	return b.String()
}

// Is reports whether target is e's Result.
func (e *Error) Is(target error) bool { return target == e.Result }

// Fatal reports whether the process has lost the GPU: see [Fault].
func (e *Error) Fatal() bool { return e.Result.Fatal() || e.Fault != nil }

// explain puts what was being done, and what is known, into the *Error in err.
func explain(err error, op, detail string) error {
	if op == "" {
		return err
	}
	var e *Error
	if !errors.As(err, &e) || e == errNotReady {
		if err == nil {
			return nil
		}
		return &opError{op, err}
	}
	if detail == "" {
		detail = e.Detail
	}
	if detail == "" {
		detail = hint(e)
	}
	c := *e
	c.Op, c.Detail = op, detail
	return &c
}

// An opError says what was being done when err happened.
type opError struct {
	op  string
	err error
}

func (e *opError) Error() string { return "driver: " + e.op + ": " + e.err.Error() }
func (e *opError) Unwrap() error { return e.err }
