package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A Copyable is what a stream can copy from and to: an *Array or a *HostBuffer;
// or, from alone, a Slice.
//
// Safe for concurrent use.
type Copyable interface {
	copyable() (place, error) // of what was closed, too, with ErrClosed
}

// A place is where a copy begins or ends.
type place struct {
	mem   *memory // nil: Go's
	array *Array  // nil: on the host
	bytes []byte  // on the host
	dtype DType
	len   int
}

func (p place) String() string {
	if p.array != nil {
		return p.array.String()
	}
	if p.mem == nil {
		return fmt.Sprintf("slice of %d %v", p.len, p.dtype)
	}
	return p.mem.what
}

var errGoMemory = errors.New("a Slice is Go's memory, which the driver can't use while the program goes on; a HostBuffer is for that")

// owned is c's place in memory of a device's.
func owned(c Copyable) (place, error) {
	if c == nil {
		return place{}, errNothing
	}
	p, err := c.copyable()
	if err == nil && p.mem == nil {
		err = errGoMemory
	}
	return p, err
}

func (a *Array) copyable() (place, error) {
	err := a.use()
	if a == nil {
		return place{}, err
	}
	return place{mem: a.mem, array: a, dtype: a.dtype, len: a.len}, err
}

func (b *HostBuffer[T]) copyable() (place, error) {
	if err := b.made(); err != nil {
		return place{}, err
	}
	p := place{mem: b.mem, bytes: bytesOf(b.elems), dtype: abi.DTypeOf[T](), len: len(b.elems)}
	if b.mem.closed() {
		return p, fmt.Errorf("%s is %w", b.mem.what, ErrClosed)
	}
	return p, nil
}

// Copy puts a copy of all of src to dst into the stream and returns: from one
// array to another, between an array and a host buffer, or from a Slice to an
// array; of two arrays one may be on another device, see CopyTo. Both have the
// same type and number of elements; views that share some of them are refused.
// It is ordered as a launch is.
//
// A Slice goes by way of pinned memory, of which a device has four megabytes for
// all its streams: while too much of that is under way Copy waits, and those who
// come later with another Slice wait behind it. Into Go's memory no copy can be
// made while the program goes on: ToSlice waits for it, and a HostBuffer tells.
func (s *Stream) Copy(dst, src Copyable) error { return s.CopyContext(context.Background(), dst, src) }

// CopyContext is Copy with a context that ends the waiting: that which a Slice may
// need, of which part is in the array then, and that for functions of Do that use
// the same arrays.
func (s *Stream) CopyContext(ctx context.Context, dst, src Copyable) error {
	if err := s.copy(ctx, dst, src); err != nil {
		return fmt.Errorf("rtc: copy: %w", err)
	}
	return nil
}

func (s *Stream) copy(ctx context.Context, dst, src Copyable) error {
	if err := s.use(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	if dst == nil || src == nil {
		return errNothing
	}
	to, err := dst.copyable()
	if err != nil {
		return err
	}
	from, err := src.copyable()
	if err != nil {
		return err
	}
	switch {
	case to.array == nil && from.array == nil:
		return errors.New("both are on the host: Go's copy is for that")
	case to.mem == nil:
		return fmt.Errorf("to %v: no copy to Go's memory can be made while the program goes on; ToSlice waits for it, and a HostBuffer tells when it was made", to)
	case to.dtype != from.dtype || to.len != from.len:
		return fmt.Errorf("%v does not fit %v", from, to)
	}
	across := false
	for _, p := range []place{to, from} {
		if p.mem == nil || p.mem.dev == s.dev {
			continue
		}
		if across || to.array == nil || from.array == nil || p.mem.dev.drv != s.dev.drv {
			return fmt.Errorf("%v is on %s, the stream on device %d", p, p.mem.dev.other(s.dev), s.dev.ordinal)
		}
		across = true
	}
	if to.len == 0 {
		return nil
	}
	if across {
		return s.copyAcross(ctx, to, from)
	}
	if to.array != nil && from.array != nil {
		switch a, b := to.array.pointer(), from.array.pointer(); {
		case a == b:
			return nil
		case a < b+driver.Pointer(from.array.Bytes()) && b < a+driver.Pointer(to.array.Bytes()):
			return fmt.Errorf("%v, from element %d on, and %v, from %d on, share memory: a copy by way of a third array is right", from, from.array.first(), to, to.array.first())
		}
	}
	if from.mem == nil {
		return s.upload(ctx, to, from.bytes)
	}
	return s.give(ctx, func(raw *driver.Stream) error {
		switch {
		case from.array == nil:
			return raw.CopyToDevice(to.array.pointer(), from.bytes)
		case to.array == nil:
			return raw.CopyToHost(to.bytes, from.array.pointer())
		}
		return raw.CopyDevice(to.array.pointer(), from.array.pointer(), uint64(from.array.Bytes()))
	}, use{from.mem, false}, use{to.mem, true})
}
