//go:build (darwin || freebsd || netbsd || windows) && (amd64 || arm64)

package dl

import "github.com/ebitengine/purego"

// MaxArgs is the most arguments that a C function can be called with.
const MaxArgs = 32

func call(addr uintptr, args []uintptr) uintptr {
	r, _, _ := purego.SyscallN(addr, args...)
	return r
}
