//go:build !((darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64))

package dl

import (
	"errors"
	"fmt"
)

// Open opens the library at path.
func Open(path string) (*Library, error) {
	return nil, fmt.Errorf("dl: open %s: %w", path, errors.ErrUnsupported)
}

// Lookup finds an exported function.
func (l *Library) Lookup(symbol string) (Func, error) {
	return Func{}, &SymbolError{Symbol: symbol, Path: l.path}
}

func openCandidate(candidate) (*Library, error) { return nil, errors.ErrUnsupported }

func loaded(Spec) []string { return nil }
