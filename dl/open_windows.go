//go:build amd64 || arm64

package dl

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

var (
	kernel32           = syscall.NewLazyDLL("kernel32.dll")
	loadLibraryEx      = kernel32.NewProc("LoadLibraryExW")
	addDLLDirectory    = kernel32.NewProc("AddDllDirectory")
	getModuleHandle    = kernel32.NewProc("GetModuleHandleW")
	getModuleFileName  = kernel32.NewProc("GetModuleFileNameW")
	errNotAbsolutePath = errors.New("not a path that Windows takes")
)

// The flags of LoadLibraryEx.
const (
	alteredSearchPath = 0x8    // LOAD_WITH_ALTERED_SEARCH_PATH: what it needs may lie beside it
	defaultFolders    = 0x1000 // LOAD_LIBRARY_SEARCH_DEFAULT_DIRS: never the current folder
)

// Open opens the library at path, or by the system's rules when path has no
// separator.
func Open(path string) (*Library, error) {
	c := candidate{place: place{source: ByPath, kind: file, path: path}, file: path}
	if !strings.ContainsAny(path, `\/:`) {
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
	name, flags := c.file, uintptr(defaultFolders)
	if c.kind != bareName {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, plain(err)
		}
		name, flags = abs, alteredSearchPath
	}
	wide, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, errNotAbsolutePath
	}
	if c.source == ByProcess {
		h, _, err := getModuleHandle.Call(uintptr(unsafe.Pointer(wide)))
		if h == 0 {
			return nil, err
		}
		return &Library{path: loadedFrom(h), handle: h}, nil
	}
	if c.kind != bareName {
		if err := checkFile(name, runtime.GOOS, runtime.GOARCH); err != nil {
			return nil, err
		}
		// Libraries that it loads later by a bare name may lie beside it too.
		if dir, err := syscall.UTF16PtrFromString(filepath.Dir(name)); err == nil {
			addDLLDirectory.Call(uintptr(unsafe.Pointer(dir)))
		}
	}
	h, _, err := loadLibraryEx.Call(uintptr(unsafe.Pointer(wide)), 0, flags)
	if h == 0 {
		return nil, err
	}
	l := &Library{path: name, handle: h}
	if p := loadedFrom(h); p != "" {
		l.path = p
	}
	return l, nil
}

// Lookup finds an exported function.
func (l *Library) Lookup(symbol string) (Func, error) {
	addr, err := syscall.GetProcAddress(syscall.Handle(l.handle), symbol)
	if err != nil {
		return Func{}, &SymbolError{Symbol: symbol, Path: l.path, Reason: err.Error()}
	}
	return Func{Addr: addr}, nil
}

// loaded lists the files of s in this process: those that bear a name it has
// had.
func loaded(s Spec) []string {
	var out []string
	for _, name := range s.windows.names() {
		wide, err := syscall.UTF16PtrFromString(name)
		if err != nil {
			continue
		}
		if h, _, _ := getModuleHandle.Call(uintptr(unsafe.Pointer(wide))); h != 0 {
			if p := loadedFrom(h); p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// loadedFrom is the file of a loaded module.
func loadedFrom(handle uintptr) string {
	buf := make([]uint16, 1<<15) // the longest path that Windows has
	n, _, _ := getModuleFileName.Call(handle, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)))
	return syscall.UTF16ToString(buf[:min(int(n), len(buf))])
}
