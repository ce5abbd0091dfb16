package dl

import "unsafe"

// Memory is a view of the n bytes at address p, for functions in Go that stand
// in for C ones and are given pointers. The view is good as long as what it
// shows is; p must not be 0 unless n is.
func Memory(p uintptr, n int) []byte {
	if n == 0 {
		return nil
	}
	// As in GoString: the caller of the function keeps the memory alive and in
	// its place, and p is its address.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&p))), n)
}
