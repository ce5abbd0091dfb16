package rtc

import (
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"runtime"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// An Element is a Go type that arrays can hold. Half, BFloat16 and the fp8
// types are among the unsigned integers by their making, but DTypeOf tells
// them apart.
type Element interface {
	~bool | ~int8 | ~int16 | ~int32 | ~int64 | ~int | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uint |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Half is IEEE half precision, CUDA's __half.
type Half = abi.Half

// BFloat16 is the upper half of a float32, CUDA's __nv_bfloat16.
type BFloat16 = abi.BFloat16

// HalfOf rounds v to half precision, to the nearest, ties to even.
func HalfOf(v float64) Half { return abi.HalfFromFloat64(v) }

// BFloat16Of rounds v to bfloat16, to the nearest, ties to even.
func BFloat16Of(v float64) BFloat16 { return abi.BFloat16FromFloat64(v) }

// Zeros makes an array of zeros.
func Zeros[T Element](o Owner, shape ...int) (*Array, error) {
	return Full(o, *new(T), shape...)
}

// Ones makes an array of ones.
func Ones[T Element](o Owner, shape ...int) (*Array, error) {
	return Full(o, one[T](), shape...)
}

// one is 1 in T, which for the small floats is not the integer 1.
func one[T Element]() T {
	var v T
	switch p := any(&v).(type) {
	case *abi.Half:
		*p = abi.HalfFromFloat32(1)
	case *abi.BFloat16:
		*p = abi.BFloat16FromFloat32(1)
	case *abi.E4M3:
		*p = abi.E4M3FromFloat32(1)
	case *abi.E5M2:
		*p = abi.E5M2FromFloat32(1)
	default:
		setOne(&v)
	}
	return v
}

// setOne writes 1 for kinds, not types, so that named types work.
func setOne[T Element](v *T) {
	switch r := reflect.ValueOf(v).Elem(); {
	case r.CanInt():
		r.SetInt(1)
	case r.CanUint():
		r.SetUint(1)
	case r.CanFloat():
		r.SetFloat(1)
	case r.CanComplex():
		r.SetComplex(1)
	default:
		r.SetBool(true)
	}
}

// Full makes an array whose elements are all v.
func Full[T Element](o Owner, v T, shape ...int) (*Array, error) {
	a, err := newArray(o, abi.DTypeOf[T](), shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: new array: %w", err)
	}
	if err := fill(a, bytesOf([]T{v})); err != nil {
		_ = a.Close() // the first error is the one that counts
		return nil, fmt.Errorf("rtc: fill %v: %w", a, err)
	}
	return a, nil
}

// fill repeats an element, of as many bytes as a's have, over a. The driver
// sets elements of 1, 2 and 4 bytes; longer ones are copied once from here and
// then doubled on the device.
func fill(a *Array, elem []byte) error {
	if a.len == 0 {
		return nil
	}
	defer runtime.KeepAlive(a)
	return a.mem.dev.stream.give(context.Background(), func(s *driver.Stream) error {
		p := a.pointer()
		switch len(elem) {
		case 1:
			return s.Memset8(p, elem[0], uint64(a.len))
		case 2:
			return s.Memset16(p, uint16(elem[0])|uint16(elem[1])<<8, uint64(a.len))
		case 4:
			return s.Memset32(p, uint32(elem[0])|uint32(elem[1])<<8|uint32(elem[2])<<16|uint32(elem[3])<<24, uint64(a.len))
		}
		if allZero(elem) {
			return s.Memset8(p, 0, uint64(a.Bytes()))
		}
		if err := s.CopyToDevice(p, elem); err != nil {
			return err
		}
		for done := len(elem); done < a.Bytes(); {
			n := min(done, a.Bytes()-done)
			if err := s.CopyDevice(p+driver.Pointer(done), p, uint64(n)); err != nil {
				return err
			}
			done += n
		}
		return nil
	}, use{a.mem, true})
}

func allZero(b []byte) bool {
	or := byte(0)
	for _, x := range b {
		or |= x
	}
	return or == 0
}

// FromSlice makes an array with the elements of s. Without a shape it has one
// axis; otherwise the shape must count as many elements. When FromSlice
// returns the elements have been copied.
func FromSlice[T Element](o Owner, s []T, shape ...int) (*Array, error) {
	if len(shape) == 0 {
		shape = []int{len(s)}
	}
	if n, ok := product(shape); ok && n != len(s) {
		return nil, fmt.Errorf("rtc: from slice: shape %v has %d elements, the slice %d", shape, n, len(s))
	}
	a, err := newArray(o, abi.DTypeOf[T](), shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: from slice: %w", err)
	}
	if err := a.write(bytesOf(s)); err != nil {
		_ = a.Close() // the first error is the one that counts
		return nil, fmt.Errorf("rtc: from slice: %w", err)
	}
	return a, nil
}

func product(shape []int) (int, bool) {
	n := 1
	for _, axis := range shape {
		if axis < 0 {
			return 0, false
		}
		hi, lo := bits.Mul(uint(n), uint(axis))
		if hi != 0 || int(lo) < 0 {
			return 0, false
		}
		n = int(lo)
	}
	return n, true
}
