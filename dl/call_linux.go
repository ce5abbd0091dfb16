//go:build linux && (amd64 || arm64)

package dl

import (
	"fmt"
	"sync"
	"unsafe"

	_ "github.com/ebitengine/purego" // has the runtime and the C library live together
)

// MaxArgs is the most arguments that a C function can be called with.
const MaxArgs = 32

// A frame is a call for callC, which knows its layout. The words behind the
// arguments are left over from other calls; C functions don't look at them.
type frame struct {
	fn     uintptr
	n      uintptr
	result uintptr
	words  [MaxArgs]uintptr
}

// frames are on the heap: a callback may move the stack of the calling
// goroutine before C writes the result.
var frames = sync.Pool{New: func() any { return new(frame) }}

// cgocall runs fn with arg on the system's stack, as every call of C has to,
// and tells the scheduler. What purego.SyscallN does on top, more copies and
// floating-point registers, costs a quarter of such a call.
//
//go:linkname cgocall runtime.cgocall
//go:noescape
func cgocall(fn, arg unsafe.Pointer) int32

// callCAddress is the address of callC, which is C's to call, not Go's.
func callCAddress() unsafe.Pointer

func call(addr uintptr, args []uintptr) uintptr {
	f := frames.Get().(*frame)
	if addr == 0 {
		panic("dl: call of a C function at address 0")
	}
	if len(args) > MaxArgs {
		panic(fmt.Sprintf("dl: call with %d arguments, at most %d", len(args), MaxArgs))
	}
	f.fn, f.n = addr, uintptr(copy(f.words[:], args))
	cgocall(callCAddress(), unsafe.Pointer(f))
	r := f.result
	frames.Put(f)
	return r
}
