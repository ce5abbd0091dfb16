package rtc

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A DType is the type of an array's elements; see the constants.
type DType = abi.DType

// The element types of arrays.
const (
	Bool       = abi.Bool
	Int8       = abi.Int8
	Int16      = abi.Int16
	Int32      = abi.Int32
	Int64      = abi.Int64
	Uint8      = abi.Uint8
	Uint16     = abi.Uint16
	Uint32     = abi.Uint32
	Uint64     = abi.Uint64
	Float8E4M3 = abi.Float8E4M3
	Float8E5M2 = abi.Float8E5M2
	Float16    = abi.Float16
	BF16       = abi.BF16
	Float32    = abi.Float32
	Float64    = abi.Float64
	Complex64  = abi.Complex64
	Complex128 = abi.Complex128
)

// An Array is a block of elements in the memory of a device, in C order (the
// last axis is contiguous). It is given to kernels for pointer parameters.
// [NewArray], [Zeros], [Ones], [Full] and [FromSlice] make one; the zero Array
// is none and is refused.
//
// Safe for concurrent use. The one who makes it closes it, or its owner does.
type Array struct {
	mem    *memory
	offset int // of the first element in the memory, in bytes
	dtype  DType
	shape  []int
	len    int
	base   *Array // what this is a view of, which must stay reachable; nil if it is none
}

// pointer is the address of the first element: null where there are none.
func (a *Array) pointer() driver.Pointer {
	if a.len == 0 {
		return 0
	}
	return a.mem.ptr + driver.Pointer(a.offset)
}

// first is the number of the first element in the memory.
func (a *Array) first() int { return a.offset / a.dtype.Size() }

// NewArray makes an array whose content is undefined. The elements are counted
// by the product of the axes; no axis may be negative, one of 0 gives an empty
// array, which takes no memory and whose address is null, and none at all a
// single element. Where the memory does not suffice the error matches
// driver.OutOfMemory and says how much there is.
func NewArray(o Owner, dtype DType, shape ...int) (*Array, error) {
	a, err := newArray(o, dtype, shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: new array: %w", err)
	}
	return a, nil
}

func newArray(o Owner, dtype DType, shape []int) (*Array, error) {
	if o == nil {
		return nil, errNilDevice
	}
	a, err := describe(dtype, shape)
	if err != nil {
		return nil, err
	}
	if a.mem, err = newMemory(o, a.Bytes(), a.String()); err != nil {
		return nil, fmt.Errorf("%v: %w", a, err)
	}
	a.mem.dev.watch(a)
	return a, nil
}

// describe makes an array without memory.
func describe(dtype DType, shape []int) (*Array, error) {
	if !dtype.Valid() {
		return nil, fmt.Errorf("%v is not a type of elements", dtype)
	}
	n := 1
	for i, axis := range shape {
		if axis < 0 {
			return nil, fmt.Errorf("axis %d of shape %v is negative", i, shape)
		}
		if axis == 0 {
			n = 0
		}
	}
	for _, axis := range shape {
		if n > 0 && n > math.MaxInt/axis/dtype.Size() {
			return nil, fmt.Errorf("shape %v of %v is more than can be addressed", shape, dtype)
		}
		n *= axis
	}
	return &Array{dtype: dtype, shape: slices.Clone(shape), len: n}, nil
}

// DType is the type of the elements; Invalid for nil, as the others are zero.
func (a *Array) DType() DType {
	if a == nil {
		return abi.Invalid
	}
	return a.dtype
}

// Shape is a copy of the axes.
func (a *Array) Shape() []int {
	if a == nil {
		return nil
	}
	return slices.Clone(a.shape)
}

// Len is the number of elements.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return a.len
}

// Bytes is the size in bytes.
func (a *Array) Bytes() int {
	if a == nil {
		return 0
	}
	return a.len * a.dtype.Size()
}

// Device is where the array lives.
func (a *Array) Device() *Device {
	if a == nil || a.mem == nil {
		return nil
	}
	return a.mem.dev
}

// String is the element type with the shape: float32 array [2 3].
func (a *Array) String() string {
	if a == nil {
		return "nil array"
	}
	return fmt.Sprintf("%v array %v", a.dtype, a.shape)
}

// DevicePointer gives the array's address on the device and the type of its
// elements, for arguments of kernels. It fails with ErrClosed after Close.
func (a *Array) DevicePointer() (uint64, DType, error) {
	if a == nil {
		return 0, abi.Invalid, errors.New("the array is nil; write nil itself for a null pointer")
	}
	if err := a.use(); err != nil {
		return 0, abi.Invalid, err
	}
	return uint64(a.pointer()), a.dtype, nil
}

// use is called at the start of what needs the array.
func (a *Array) use() error {
	switch {
	case a == nil:
		return errors.New("the array is nil")
	case a.mem == nil:
		return unmade("Array")
	case a.mem.closed():
		return fmt.Errorf("%v is %w", a, ErrClosed)
	}
	return nil
}

// array is the Array itself, also of a type that embeds one.
func (a *Array) array() *Array { return a }

// Close frees the array after the launches that use it are complete. Later
// calls do nothing; those at the same time wait. A fault that shows meanwhile is
// its error; after one it does nothing. With [OpenConfig].Pool it waits for
// nothing. It is safe on nil, and does nothing on a view.
func (a *Array) Close() error {
	if a == nil || a.mem == nil || a.base != nil {
		return nil
	}
	return a.mem.Close()
}
