package rtc

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// bytesOf is the memory of s. T has no pointers, so any bytes are a value, but
// of a bool array, which its reader mends.
func bytesOf[T Element](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// ToSlice reads an array back: it waits for the work given to the device so
// far and returns the elements in C order. T must be the array's own type of
// elements, by kind and width. The slice is the caller's; it is empty for an
// empty array.
func ToSlice[T Element](a *Array) ([]T, error) {
	return ToSliceContext[T](context.Background(), a)
}

// ToSliceContext is ToSlice with a context that ends the waiting; the copy is
// then abandoned.
func ToSliceContext[T Element](ctx context.Context, a *Array) ([]T, error) {
	if err := sameType[T](a); err != nil {
		return nil, fmt.Errorf("rtc: to slice: %w", err)
	}
	// It is not the caller's yet, so that a copy that is abandoned harms nobody.
	out := make([]T, a.len)
	if err := a.read(ctx, bytesOf(out)); err != nil {
		return nil, fmt.Errorf("rtc: to slice: %w", err)
	}
	if a.dtype == abi.Bool {
		mendBools(bytesOf(out))
	}
	return out, nil
}

// mendBools makes what a kernel may have written as another number a Go bool:
// any other pattern than 0 and 1 is undefined in Go.
func mendBools(b []byte) {
	for i, x := range b {
		if x > 1 {
			b[i] = 1
		}
	}
}

// CopyFromSlice overwrites an array with the elements of s, as many as it has,
// after the work given to the device so far. When it returns the elements have
// been copied.
func CopyFromSlice[T Element](a *Array, s []T) error {
	if err := sameType[T](a); err != nil {
		return fmt.Errorf("rtc: copy from slice: %w", err)
	}
	if len(s) != a.len {
		return fmt.Errorf("rtc: copy from slice: %v has %d elements, the slice %d", a, a.len, len(s))
	}
	if err := a.write(bytesOf(s)); err != nil {
		return fmt.Errorf("rtc: copy from slice: %w", err)
	}
	return nil
}

func sameType[T Element](a *Array) error {
	if err := a.use(); err != nil {
		return err
	}
	if t := abi.DTypeOf[T](); t != a.dtype {
		return fmt.Errorf("%v does not hold %T (%v)", a, *new(T), t)
	}
	return nil
}

// write copies b, of a's size, to the device and waits.
func (a *Array) write(b []byte) error {
	return a.transfer(len(b), func(s *driver.Stream) error { return s.CopyToDevice(a.mem.ptr, b) })
}

// read copies a to b, of its size, and waits.
func (a *Array) read(ctx context.Context, b []byte) error {
	copy := func() error {
		return a.transfer(len(b), func(s *driver.Stream) error { return s.CopyToHost(b, a.mem.ptr) })
	}
	if ctx.Done() == nil {
		return copy()
	}
	// A copy to memory that the driver does not know blocks its caller until it
	// is done. So the waiting for what is under way comes first, which holds no
	// thread; then there is little left to wait for.
	if err := a.mem.dev.stream.synchronize(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- copy() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ended(ctx)
	}
}

// transfer makes a copy of n bytes between a and Go's memory and waits for it.
// The stream's lock is not held meanwhile, lest launches wait for a long copy;
// the memory's is, so that it is not freed.
func (a *Array) transfer(n int, copy func(*driver.Stream) error) error {
	s := a.mem.dev.stream
	if err := s.use(); err != nil {
		return err
	}
	defer s.dev.collect(false)
	release, ok := a.mem.hold()
	if !ok {
		return fmt.Errorf("%v is %w", a, ErrClosed)
	}
	defer release()
	if n > 0 {
		s.did() // first, so that the stream does not pass for idle
		if err := copy(s.raw); err != nil {
			return err
		}
	}
	err := s.wait(context.Background())
	runtime.KeepAlive(a)
	return err
}
