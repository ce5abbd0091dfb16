//go:build amd64 || arm64

package dl

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

const noLoad = 4 // RTLD_NOLOAD: only what is open already

// loaded lists the files of s in this process, as its memory map names them.
func loaded(s Spec) []string {
	text, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return nil // without /proc the later steps find the file anyway
	}
	return mapped(string(text), func(file string) bool {
		_, ok := versionOf("linux", s.linux.stem, filepath.Base(file))
		return ok
	})
}

// mapped lists the files in the text of a memory map that is chooses, each
// once.
func mapped(maps string, is func(file string) bool) []string {
	var out []string
	for line := range strings.Lines(maps) {
		// Address, permissions, offset, device, inode, and the rest is the name.
		at := strings.IndexByte(line, '/')
		if at < 0 {
			continue
		}
		file := strings.TrimSuffix(strings.TrimSuffix(line[at:], "\n"), " (deleted)")
		if is(file) && !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out
}

var dlinfo = sync.OnceValue(func() uintptr {
	p, err := purego.Dlsym(purego.RTLD_DEFAULT, "dlinfo")
	if err != nil {
		return 0
	}
	return p
})

// loadedFrom is the file that a handle of dlopen came from, "" if the C library
// does not tell.
func loadedFrom(handle uintptr) string {
	const linkMap = 2 // RTLD_DI_LINKMAP
	type entry struct {
		_    uintptr // where it is mapped
		name uintptr // a C string, absolute for what a search found
	}
	f := Func{Addr: dlinfo()}
	if f.IsZero() {
		return ""
	}
	e := new(*entry)
	if int32(f.Call(handle, linkMap, uintptr(unsafe.Pointer(e)))) != 0 || *e == nil {
		return ""
	}
	return GoString((*e).name)
}
