package drivertest

import "unsafe"

// at is the memory at an address that the caller passed as a word, kept alive by
// its call as with any C function.
func at[T any](p uintptr) *T {
	return (*T)(*(*unsafe.Pointer)(unsafe.Pointer(&p)))
}

// put stores through an out parameter, which may be null.
func put[T any](p uintptr, v T) {
	if p != 0 {
		*at[T](p) = v
	}
}

// bytesAt is host memory.
func bytesAt(p uintptr, n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice(at[byte](p), n)
}

func stringAt(p uintptr) string {
	n := 0
	for *at[byte](p + uintptr(n)) != 0 {
		n++
	}
	return string(bytesAt(p, n))
}
