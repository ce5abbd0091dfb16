package driver

//go:generate go run github.com/purecuda/purecuda/dl/mkapi

import (
	"bytes"
	"errors"

	"github.com/purecuda/purecuda/dl"
)

// UnsupportedError says that the driver in use is too old for what was asked.
type UnsupportedError = dl.UnsupportedError

// api is the table of C functions; zapi.go has a method for each.
type api struct {
	table     *dl.Table
	unguarded *dl.Table
	have      dl.Version
	fault     fault
}

func newAPI(r dl.Resolver) *api {
	a := &api{unguarded: dl.NewTable(r, decls)}
	a.table = dl.NewTable(guard{r, &a.fault}, decls)
	return a
}

var errNotReady = &Error{Result: NotReady}

func (a *api) result(fn int, r uintptr) error {
	switch code := Result(int32(r)); code {
	case Success:
		return nil
	case NotReady: // an answer rather than a failure, and polled for
		return errNotReady
	default:
		return a.failure(a.table.Decl(fn).Name, code)
	}
}

// failure makes the error for a code that a C function gave.
func (a *api) failure(function string, code Result) *Error {
	e := &Error{Function: function, Result: code}
	if _, known := results[code]; !known && function != "cuGetErrorName" && function != "cuGetErrorString" {
		if name, text := a.describe(code); name != "" {
			e.Detail = name + ", " + text
		}
	}
	if code.Fatal() {
		a.fault.note(function, code)
	}
	e.Fault = a.fault.first()
	return e
}

func (a *api) missing(err error) error {
	var u *dl.UnsupportedError
	if errors.As(err, &u) {
		u.Have = a.have
	}
	return err
}

// cstring is the text before the first NUL.
func cstring(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// direct is a function as the Resolver has it, without the guard: its caller
// looks at the fault itself.
func (a *api) direct(fn int) (*dl.Func, error) {
	f, err := a.unguarded.Func(fn)
	return f, a.missing(err)
}

// call is for functions that have no method, since a word of theirs is no Go
// pointer or a struct by value.
func (a *api) call(fn int, words ...uintptr) error {
	f, err := a.table.Func(fn)
	if err != nil {
		return a.missing(err)
	}
	return a.result(fn, f.CallSlice(words))
}
