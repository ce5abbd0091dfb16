package callee

import "unsafe"

// At is the value at an address that the caller passed as a word. As with any C function the caller keeps the memory alive
// and in its place until the call returns, and has made p of a pointer to such a value. p must not be 0.
func At[T any](p uintptr) *T {
	// The detour through &p tells vet that the address is the caller's, as in dl.GoString.
	return (*T)(*(*unsafe.Pointer)(unsafe.Pointer(&p)))
}

// Put stores v through an out parameter, unless that is null.
func Put[T any](p uintptr, v T) {
	if p != 0 {
		*At[T](p) = v
	}
}

// Slice is the n values from an address on. The rule is that of At.
func Slice[T any](p uintptr, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice(At[T](p), n)
}

// Address is where a value lies, for a word that the caller gets. The memory must be kept reachable as long as the caller
// may use it.
func Address[T any](p *T) uintptr { return uintptr(unsafe.Pointer(p)) }
