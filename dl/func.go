package dl

// A Func is a C function at Addr, or a Go function that takes and returns what
// the C one would. The zero Func cannot be called.
//
// Arguments are integers and pointers only, one machine word each, in the
// order of the C prototype: no floats, no structs by value. A narrower integer
// stands in the low bits of its word.
//
// Safe for concurrent use after it is made; its fields must not change.
type Func struct {
	Addr uintptr
	Go   func(args []uintptr) uintptr
}

// IsZero reports whether f can't be called.
func (f Func) IsZero() bool { return f.Addr == 0 && f.Go == nil }

// Call calls f and returns the word in the C result register. A C int or enum
// fills only its low 32 bits: convert it.
//
// A pointer is passed as uintptr(unsafe.Pointer(p)), written in the call
// itself: the compiler then moves what p points to to the heap and keeps it
// alive until Call returns (the directive below), so that a callee that runs
// Go code, which may move this goroutine's stack, still writes where it should.
//
//go:uintptrescapes
func (f *Func) Call(args ...uintptr) uintptr {
	return f.CallSlice(args)
}

// CallInts is Call for arguments of which none is the address of Go memory. It
// allocates nothing, where Call's directive has its arguments allocated.
func (f *Func) CallInts(args ...uintptr) uintptr {
	w := frames.Get().(*frame)
	var r uintptr
	if f.Go != nil {
		r = f.Go(w.words[:copy(w.words[:], args)])
	} else {
		w.set(f.Addr, args)
		r = w.call()
	}
	frames.Put(w)
	return r
}

// CallSlice is Call with the words in a slice of the caller's, for paths that
// must not allocate. Memory that the words point to must be on the heap and be
// kept alive by the caller. The callee does not keep args.
func (f *Func) CallSlice(args []uintptr) uintptr {
	if f.Go != nil {
		return f.Go(args)
	}
	return call(f.Addr, args)
}
