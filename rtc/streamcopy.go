package rtc

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A Copyable is what a stream can copy from and to: an *Array or a *HostBuffer.
//
// Safe for concurrent use.
type Copyable interface {
	copyable() (place, error)
}

// A place is where a copy begins or ends.
type place struct {
	mem   *memory
	array *Array // nil: on the host
	bytes []byte // on the host
	dtype DType
	len   int
}

func (p place) String() string {
	if p.array != nil {
		return p.array.String()
	}
	return p.mem.what
}

func (a *Array) copyable() (place, error) {
	if err := a.use(); err != nil {
		return place{}, err
	}
	return place{mem: a.mem, array: a, dtype: a.dtype, len: a.len}, nil
}

func (b *HostBuffer[T]) copyable() (place, error) {
	if b == nil || b.mem == nil {
		return place{}, errNilBuffer
	}
	if b.mem.closed() {
		return place{}, fmt.Errorf("%s is %w", b.mem.what, ErrClosed)
	}
	return place{mem: b.mem, bytes: bytesOf(b.elems), dtype: abi.DTypeOf[T](), len: len(b.elems)}, nil
}

// Copy puts a copy of all of src to dst into the stream and returns: from one
// array to another, or between an array and a host buffer; of two arrays one may
// be on another device, see CopyTo. Both
// have the same type and number of elements. It is ordered as a launch is. For
// Go's own memory, which no copy can use after the call, there are
// CopyFromSlice and ToSlice.
func (s *Stream) Copy(dst, src Copyable) error {
	if err := s.copy(dst, src); err != nil {
		return fmt.Errorf("rtc: copy: %w", err)
	}
	return nil
}

func (s *Stream) copy(dst, src Copyable) error {
	if err := s.use(); err != nil {
		return err
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
	case to.dtype != from.dtype || to.len != from.len:
		return fmt.Errorf("%v does not fit %v", from, to)
	}
	across := false
	for _, p := range []place{to, from} {
		if p.mem.dev == s.dev {
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
		return s.copyAcross(to, from)
	}
	return s.give(func(raw *driver.Stream) error {
		switch {
		case from.array == nil:
			return raw.CopyToDevice(to.array.pointer(), from.bytes)
		case to.array == nil:
			return raw.CopyToHost(to.bytes, from.array.pointer())
		}
		return raw.CopyDevice(to.array.pointer(), from.array.pointer(), uint64(from.array.Bytes()))
	}, use{from.mem, false}, use{to.mem, true})
}
