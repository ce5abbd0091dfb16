//go:build (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// Open opens the library at path, or by the system's rules when path has no
// slash.
func Open(path string) (*Library, error) {
	c := candidate{place: place{source: ByPath, kind: file, path: path}, file: path}
	if !strings.Contains(path, "/") {
		c.kind = bareName
	}
	l, err := openCandidate(c)
	if err != nil {
		return nil, fmt.Errorf("dl: open %s: %w", path, err)
	}
	l.source = ByPath
	return l, nil
}

// openCandidate opens one file. Its errors don't say which: that stands beside
// them.
func openCandidate(c candidate) (*Library, error) {
	name, mode := c.file, purego.RTLD_NOW|purego.RTLD_LOCAL
	if _, err := CString(name); err != nil { // dlopen would take what stands before the NUL
		return nil, errors.New("its name has a NUL byte")
	}
	switch {
	case c.source == ByProcess:
		mode |= noLoad
	case c.kind != bareName:
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, plain(err)
		}
		name = abs
		if runtime.GOOS != "darwin" { // what macOS's own libraries look like is none of this package's business
			if err := checkFile(name, runtime.GOOS, runtime.GOARCH); err != nil {
				return nil, err
			}
		}
	}
	// dlerror's text belongs to the thread that made the failing call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h, err := purego.Dlopen(name, mode)
	if err != nil {
		reason := strings.TrimPrefix(err.Error(), name+": ")
		if reason == "" {
			reason = "not loaded" // RTLD_NOLOAD says no more
		}
		return nil, errors.New(reason)
	}
	l := &Library{path: name, handle: h}
	if p := loadedFrom(h); filepath.IsAbs(p) { // a relative name may be as old as the process
		l.path = p
	}
	return l, nil
}

// Lookup finds an exported function.
func (l *Library) Lookup(symbol string) (Func, error) {
	if _, err := CString(symbol); err != nil {
		return Func{}, &SymbolError{Symbol: symbol, Path: l.path, Reason: "the name has a NUL byte"}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	addr, err := purego.Dlsym(l.handle, symbol)
	if err != nil {
		return Func{}, &SymbolError{Symbol: symbol, Path: l.path, Reason: err.Error()}
	}
	return Func{Addr: addr}, nil
}
