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

// elementsOf is b as n elements, which it has the size and the alignment for:
// memory of the driver's begins at a page.
func elementsOf[T Element](b []byte, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// ToSlice reads an array back: it waits for what was given so far that writes
// the array, with one stream for all work of the device, and returns the elements in C order. T must be the array's own type of
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
// after the work given so far that uses it. When it returns the elements have
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
	return a.transfer(context.Background(), len(b), true, func(s *driver.Stream) error { return s.CopyToDevice(a.pointer(), b) })
}

// read copies a to b, of its size, and waits.
func (a *Array) read(ctx context.Context, b []byte) error {
	return a.transfer(ctx, len(b), false, func(s *driver.Stream) error { return s.CopyToHost(b, a.pointer()) })
}

// transfer makes a copy of n bytes between a and Go's memory and waits for it.
//
// A copy to memory that the driver does not know blocks its caller until it is
// done. So the waiting for what is under way comes first, which ctx can end and
// which then holds no thread; after that there is little left to wait for. The
// device's lock is not held meanwhile, lest launches wait for a long copy; the
// memory's is, so that it is not freed.
func (a *Array) transfer(ctx context.Context, n int, write bool, copy func(*driver.Stream) error) error {
	d := a.mem.dev
	if err := d.use(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	if driver.InHostFunc() {
		return ErrInHostFunc // the copy itself would wait
	}
	defer d.collect(false)
	release, ok := a.mem.hold()
	if !ok {
		return fmt.Errorf("%v is %w", a, ErrClosed)
	}
	work := func() error {
		defer release()
		s, err := a.mem.begin(ctx, write)
		if err != nil {
			return err
		}
		defer a.mem.finish(s, write)
		if n > 0 {
			if err := copy(s.raw); err != nil {
				return err
			}
		}
		err = s.wait(context.Background())
		runtime.KeepAlive(a)
		return err
	}
	if ctx.Done() == nil {
		return work()
	}
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ended(ctx)
	}
}

// begin waits for what a copy between the memory and Go's must not get ahead of,
// and is the stream for it. Until finish nothing that would be in its way begins.
func (m *memory) begin(ctx context.Context, write bool) (*Stream, error) {
	o := &m.dev.order
	o.mu.Lock()
	for o.several && m.access.busy(write) {
		if err := o.await(ctx); err != nil { // whoever was waited for may have ended the tracking
			o.mu.Unlock()
			return nil, err
		}
	}
	if !o.several {
		s := m.dev.stream
		s.enqueued++ // first, so that the stream does not pass for idle
		o.copying++
		m.access.enter(1, write)
		o.mu.Unlock()
		if ctx.Done() != nil {
			if err := s.wait(ctx); err != nil {
				m.finish(s, write)
				return nil, err
			}
		}
		return s, nil
	}
	o.copying++
	m.access.enter(1, write)
	s := o.copies
	s.needMark(o.untracked)
	if err := s.follow(); err != nil {
		o.mu.Unlock()
		m.finish(s, write)
		return nil, err
	}
	s.enqueued++
	marks := m.access.marks(write)
	o.mu.Unlock()
	for _, mark := range marks {
		if err := unlessClosed(mark.wait(ctx)); err != nil {
			m.finish(s, write)
			return nil, err
		}
	}
	return s, nil
}

func (m *memory) finish(s *Stream, write bool) {
	o := &m.dev.order
	o.mu.Lock()
	o.copying--
	m.access.enter(-1, write)
	o.mu.Unlock()
	o.copied.Broadcast()
}

// enter counts a copy that begins, or with -1 one that has ended.
func (a *access) enter(n int, write bool) {
	if write {
		a.in += n
	} else {
		a.out += n
	}
}
