package dl

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// MaxCallbackArgs is the most arguments that a Callback can take.
const MaxCallbackArgs = 4

// A Callback is a Go function that a C function can be given to call back. It
// is never freed, and a process can hold some 2,000 of those that C knows: make
// one for each purpose, at package level, and tell the calls apart by the
// payload that every C API of this kind passes on.
//
// Safe for concurrent use.
type Callback struct {
	n    int
	f    func(args []uintptr) uintptr
	id   uintptr
	once sync.Once
	addr uintptr
	err  error
}

var callbacks struct {
	last atomic.Uintptr
	byID sync.Map // uintptr → *Callback
}

// NewCallback makes a callback of f, which is called with n words (at most
// MaxCallbackArgs): integers and pointers as in Func. C may call it on any
// thread, its own too, and on several at once. f must not panic. Nothing that
// C knows is made before For is called.
func NewCallback(n int, f func(args []uintptr) uintptr) *Callback {
	c := &Callback{n: n, f: f, id: callbacks.last.Add(1)}
	callbacks.byID.Store(c.id, c)
	return c
}

// For is the word that stands for c among the arguments of f: the address of
// code when f is a C function; when f is a Go function, a number that it gives
// to InvokeCallback.
func (c *Callback) For(f *Func) (uintptr, error) {
	if f.Go != nil {
		return c.id, nil
	}
	c.once.Do(func() { c.addr, c.err = cCallback(c.n, c.f) })
	return c.addr, c.err
}

// InvokeCallback is for functions in Go that stand in for C ones: it calls the
// callback that word stands for, as C would call an address.
func InvokeCallback(word uintptr, args ...uintptr) uintptr {
	c, ok := callbacks.byID.Load(word)
	if !ok {
		panic(fmt.Sprintf("dl: invoke callback: %#x is no callback given to a Go function", word))
	}
	return c.(*Callback).f(args)
}
