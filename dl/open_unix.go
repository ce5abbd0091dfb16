//go:build (darwin || freebsd || linux || netbsd) && (amd64 || arm64)

package dl

import (
	"fmt"
	"runtime"

	"github.com/ebitengine/purego"
)

// Open opens the library at path, or by the system's rules when path has no
// slash.
func Open(path string) (*Library, error) {
	// dlerror's text belongs to the thread that made the failing call.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	h, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("dl: open %s: %w", path, err)
	}
	return &Library{path: path, handle: h}, nil
}

// Lookup finds an exported function.
func (l *Library) Lookup(symbol string) (Func, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	addr, err := purego.Dlsym(l.handle, symbol)
	if err != nil {
		return Func{}, &SymbolError{Symbol: symbol, Path: l.path, Reason: err.Error()}
	}
	return Func{Addr: addr}, nil
}
