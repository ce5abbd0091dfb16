//go:build linux && (amd64 || arm64)

package dl

import (
	"unsafe"

	_ "github.com/ebitengine/purego" // has the runtime and the C library live together
)

// cgocall runs fn with arg on the system's stack, as every call of C has to,
// and tells the scheduler. What purego.SyscallN does on top, more copies and
// floating-point registers, costs nearly as much again.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn, arg unsafe.Pointer) int32

// callCAddress is the address of callC, which is C's to call, not Go's.
func callCAddress() unsafe.Pointer

var callC = callCAddress()

func (f *frame) call() uintptr {
	cgocall(callC, unsafe.Pointer(f))
	return f.result
}

// callThen calls next, too, if the low half of f's result is 0.
func (f *frame) callThen(next *frame) uintptr {
	f.next = next
	r := f.call()
	f.next = nil
	return r
}
