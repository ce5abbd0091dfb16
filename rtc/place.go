package rtc

import (
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A Place is where an array or a host buffer has its elements, for code that
// hands their address to the driver itself, such as package graph.
//
// Safe for concurrent use after it is made; its fields must not change.
type Place struct {
	Memory  any // the same for an array and its views, which are ordered as one
	Device  *Device
	Pointer driver.Pointer // of the first element; null on the host, and where there are none
	Host    []byte         // the elements on the host; nil on the device
	Offset  int            // of the first element in the memory, in bytes
	Bytes   int
	DType   DType
	Len     int
	Name    string // of an array or buffer, in errors
}

// PlaceOf tells where c is. It fails with ErrClosed after Close, and then tells
// the Memory and the Name alone.
func PlaceOf(c Copyable) (Place, error) {
	p, err := owned(c)
	switch {
	case errors.Is(err, ErrClosed):
		return Place{Memory: p.mem, Name: p.String()}, fmt.Errorf("rtc: place: %w", err)
	case err != nil:
		return Place{}, fmt.Errorf("rtc: place: %w", err)
	}
	out := Place{Memory: p.mem, Device: p.mem.dev, Host: p.bytes, DType: p.dtype, Len: p.len, Bytes: p.len * p.dtype.Size(), Name: p.String()}
	if p.array != nil {
		out.Pointer, out.Offset = p.array.pointer(), p.array.offset
	}
	return out, nil
}

var errNothing = errors.New("an array or host buffer is nil")
