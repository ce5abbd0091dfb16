package dl

import (
	"errors"
	"fmt"
)

// ErrNoSymbol is matched by the error of a Lookup for a function that the
// library does not have.
var ErrNoSymbol = errors.New("dl: no such symbol")

// A SymbolError says which function a library lacks. It matches ErrNoSymbol.
//
// Safe for concurrent use after it is made; its fields must not change.
type SymbolError struct {
	Symbol string // as it was looked up
	Path   string // the library's
	Reason string // the loader's words, if it gave any
}

// Error names the library and the function.
func (e *SymbolError) Error() string {
	s := fmt.Sprintf("dl: lookup: %s has no function %s", e.Path, e.Symbol)
	if e.Reason != "" {
		s += " (" + e.Reason + ")"
	}
	return s
}

// Is reports whether target is ErrNoSymbol.
func (e *SymbolError) Is(target error) bool { return target == ErrNoSymbol }

// An UnsupportedError says that the library in use is too old for what was
// asked, or too new. It matches errors.ErrUnsupported.
//
// Safe for concurrent use after it is made; its fields must not change.
type UnsupportedError struct {
	Feature string  // what was asked, in the user's words or a C function's name
	Since   Version // the first CUDA version that has it
	Gone    Version // the first one without it again; zero: it is still there
	Have    Version // the version in use; zero when it isn't known
	Path    string  // the library in use
}

// Error says what is needed and what is there. It has no package in front: whoever
// passes it on says what was being done.
func (e *UnsupportedError) Error() string {
	have := "a version that does not say its number"
	if e.Have != (Version{}) {
		have = e.Have.String()
	}
	if e.Gone != (Version{}) && e.Have.Compare(e.Gone) >= 0 {
		return fmt.Sprintf("%s needs CUDA %s up to %s, which dropped it; %s is %s", e.Feature, e.Since, e.Gone, e.Path, have)
	}
	return fmt.Sprintf("%s needs CUDA %s; %s is %s", e.Feature, e.Since, e.Path, have)
}

// Is reports whether target is errors.ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == errors.ErrUnsupported }
