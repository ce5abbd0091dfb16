package dl

import (
	"fmt"
	"strings"
	"unsafe"
)

// CString returns s with a NUL behind it, for a const char * argument: pass
// the address of its first byte. It refuses a NUL inside s, where C would stop
// reading; the error gives its offset in bytes.
func CString(s string) ([]byte, error) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return nil, fmt.Errorf("dl: C string: NUL byte at offset %d of %d", i, len(s))
	}
	b := make([]byte, len(s)+1)
	copy(b, s)
	return b, nil
}

// GoString copies the NUL-terminated string at address p, which a C function
// returned. 0 gives "".
func GoString(p uintptr) string {
	if p == 0 {
		return ""
	}
	// The address is C's, not the Go heap's, so that vet's rule about
	// uintptr and unsafe.Pointer does not apply; the detour through &p says so.
	start := *(*unsafe.Pointer)(unsafe.Pointer(&p))
	n := 0
	for *(*byte)(unsafe.Add(start, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(start), n))
}
