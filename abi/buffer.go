package abi

import (
	"fmt"
	"unsafe"
)

// A Buffer holds the arguments of a kernel as cuLaunchKernel takes them. It is
// made once for a kernel and filled as often as needed; filling it allocates
// nothing, save when a struct type is seen for the first time. Until they are set,
// arguments are zero and pointers null.
//
// Not safe for concurrent use. Clone it for another goroutine.
type Buffer struct {
	kernel string
	sig    Signature
	args   []arg
	words  []uint64 // the memory; words, so that it is aligned
	data   []byte   // the same memory, as far as it is used
	ptrs   []unsafe.Pointer
}

// An arg is one parameter, with all worked out that setting it needs. It fits a
// cache line: between two launches they are lost.
type arg struct {
	op     op
	dtype  DType
	kind   Kind
	size   int
	align  int    // the slot's
	dst    []byte // its bytes within the Buffer
	points pointee
	last   *packing // of the struct or array set last
}

// An op says which values a parameter takes.
type op uint8

const (
	opBytes op = iota // vectors, structs and what is known by name only
	opBool
	opInt
	opUint
	opEnum
	opFloat
	opComplex
	opPointer
)

// NewBuffer makes a Buffer for a kernel, whose name is used in errors only. slots
// are the parameters of the compiled kernel, which are held against sig as by
// Check. Nil slots for a kernel with parameters mean that C's rules place them.
func NewBuffer(kernel string, sig Signature, slots []Slot) (*Buffer, error) {
	if slots == nil && len(sig.Params) > 0 {
		var err error
		if slots, err = sig.Layout(Host); err != nil {
			err.(*LayoutError).Kernel = kernel
			return nil, err
		}
	}
	if err := sig.Check(kernel, slots); err != nil {
		return nil, err
	}
	b := &Buffer{kernel: kernel, sig: sig, args: make([]arg, len(slots))}
	size := 0
	for i, slot := range slots {
		b.args[i] = newArg(&sig.Params[i].Type, slot)
		size = slot.Offset + slot.Size
	}
	b.allocate(size, func(i int) int { return slots[i].Offset })
	return b, nil
}

// allocate gives b its memory and each argument its part of it.
func (b *Buffer) allocate(size int, offset func(int) int) {
	if size == 0 {
		return
	}
	b.words = make([]uint64, (size+7)/8)
	// The bytes are a view of words: same allocation, in bounds, and without pointers.
	b.data = unsafe.Slice((*byte)(unsafe.Pointer(&b.words[0])), len(b.words)*8)[:size]
	b.ptrs = make([]unsafe.Pointer, len(b.args))
	for i := range b.args {
		a, at := &b.args[i], offset(i)
		a.dst = b.data[at : at+a.size : at+a.size]
		// A pointer into words keeps words alive, and heap memory does not move.
		b.ptrs[i] = unsafe.Pointer(&b.data[at])
	}
}

func newArg(t *Type, slot Slot) arg {
	a := arg{kind: t.Kind, dtype: t.DType(Host), size: slot.Size, align: slot.Align}
	switch t.Kind {
	case Pointer:
		a.op = opPointer
		a.points = newPointee(t.Elem)
	case Enum:
		a.op = opEnum
	case Scalar:
		a.op = [...]op{classBool: opBool, classInt: opInt, classUint: opUint, classFloat: opFloat, classComplex: opComplex}[dtypes[a.dtype].class]
	}
	return a
}

// Kernel returns the name given to NewBuffer.
func (b *Buffer) Kernel() string { return b.kernel }

// Signature returns the signature given to NewBuffer.
func (b *Buffer) Signature() Signature { return b.sig }

// Len returns the number of arguments.
func (b *Buffer) Len() int { return len(b.args) }

// Pointers returns cuLaunchKernel's kernelParams: for each argument the address of
// its bytes within the Buffer, nil for a kernel without parameters. The slice and
// what it points to are the Buffer's, on the heap; neither moves nor is freed while
// the Buffer is reachable, so a caller that hands &Pointers()[0] to C as an
// integer keeps the Buffer alive until the call returns (runtime.KeepAlive). CUDA copies the
// arguments before it returns. The caller must not change the slice.
func (b *Buffer) Pointers() []unsafe.Pointer { return b.ptrs }

// Bytes returns the arguments as one block, for CU_LAUNCH_PARAM_BUFFER_POINTER: a
// view of the Buffer's memory, up to the end of the last argument. The gaps
// between arguments are zero.
func (b *Buffer) Bytes() []byte { return b.data }

// Clone returns a copy with the same arguments that shares nothing with b.
func (b *Buffer) Clone() *Buffer {
	c := &Buffer{kernel: b.kernel, sig: b.sig, args: make([]arg, len(b.args))}
	copy(c.args, b.args)
	for i := range c.args {
		c.args[i].last = nil
	}
	c.allocate(len(b.data), func(i int) int {
		return int(uintptr(b.ptrs[i]) - uintptr(b.ptrs[0])) // both point into b.words
	})
	copy(c.data, b.data)
	return c
}

// refused starts the error for argument i, which does not take v.
func (b *Buffer) refused(i int, v any) *ArgumentError {
	p := &b.sig.Params[i]
	e := &ArgumentError{Kernel: b.kernel, Index: i, Name: p.Name, Want: p.Type.String(), Got: "nil"}
	if v != nil {
		e.Got = fmt.Sprintf("%T", v)
	}
	return e
}

// fail makes the error for argument i.
func (b *Buffer) fail(i int, v any, why reason) error {
	e := b.refused(i, v)
	e.Msg = b.args[i].explain(v, why)
	return e
}

// at checks an index.
func (b *Buffer) at(i int) (*arg, error) {
	if uint(i) >= uint(len(b.args)) {
		return nil, b.none(i)
	}
	return &b.args[i], nil
}

func (b *Buffer) none(i int) error {
	return &ArgumentError{Kernel: b.kernel, Index: i, Msg: fmt.Sprintf("there is none: the kernel takes %s (%s)", counted(len(b.args), "argument"), b.sig)}
}
