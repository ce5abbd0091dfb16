package dl

import (
	"fmt"
	"sync"
)

// MaxArgs is the most arguments that a function can be called with.
const MaxArgs = 32

// A frame is a C call that can be made: callC knows its layout. The words
// behind the arguments are left over from other calls; C does not look at them.
//
// A frame is on the heap: a callback may move the stack of the calling
// goroutine before C's result is written to it.
type frame struct {
	fn     uintptr
	n      uintptr
	result uintptr
	next   *frame // to be called behind this one if the result's low half is 0
	words  [MaxArgs]uintptr
}

func (f *frame) set(addr uintptr, args []uintptr) {
	if addr == 0 {
		panic("dl: call of a C function at address 0")
	}
	if len(args) > MaxArgs {
		panic(fmt.Sprintf("dl: call with %d arguments, at most %d", len(args), MaxArgs))
	}
	f.fn, f.n = addr, uintptr(copy(f.words[:], args))
}

var frames = sync.Pool{New: func() any { return new(frame) }}

// call calls the C function at addr.
func call(addr uintptr, args []uintptr) uintptr {
	f := frames.Get().(*frame)
	f.set(addr, args)
	r := f.call()
	frames.Put(f)
	return r
}

// A Call is a call that is made again and again, with arguments that stay where
// they are: the quickest way to call a function.
//
// Not safe for concurrent use.
type Call struct {
	frame  frame // its fn is 0 if goFunc is called; what a call of up to four words looks at fits a cache line
	goFunc func(args []uintptr) uintptr
}

// NewCall makes a Call of f with args. Memory that they point to is on the heap
// and kept alive by the caller.
func NewCall(f *Func, args ...uintptr) *Call {
	c := &Call{goFunc: f.Go}
	if f.Go == nil {
		c.frame.set(f.Addr, args)
	} else {
		c.frame.n = uintptr(copy(c.frame.words[:], args))
	}
	return c
}

// Words are the arguments of the next Do: they may be changed in place.
func (c *Call) Words() []uintptr { return c.frame.words[:c.frame.n] }

// Do makes the call and returns the word in the C result register.
func (c *Call) Do() uintptr {
	if c.frame.fn == 0 {
		return c.goFunc(c.Words())
	}
	return c.frame.call()
}

// DoThen is Do and, if the low half of the result is 0, which in C's APIs is
// success, next's Do right behind it: one way into C and back for both, where
// that can be. It returns both results, then being 0 when next was not called.
func (c *Call) DoThen(next *Call) (first, then uintptr) {
	if c.frame.fn != 0 && next.frame.fn != 0 {
		first = c.frame.callThen(&next.frame)
		then = next.frame.result
	} else if first = c.Do(); uint32(first) == 0 {
		then = next.Do()
	}
	if uint32(first) != 0 {
		then = 0
	}
	return first, then
}
