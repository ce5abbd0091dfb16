//go:build !((darwin || freebsd || linux || netbsd || windows) && (amd64 || arm64))

package dl

// MaxArgs is the most arguments that a C function can be called with.
const MaxArgs = 32

// No Library can be opened on this platform, so nobody has an address to call.
func call(uintptr, []uintptr) uintptr {
	panic("dl: C functions can't be called on this platform")
}
