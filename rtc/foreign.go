package rtc

import (
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// WrapArray makes an array of memory of the device that others own, such as a
// library, or this program through the driver: it takes part in the ordering of
// launches like any other. The memory has at least as many bytes as the shape
// counts, and stays until the array is closed: Close waits for what uses it and
// frees nothing. What the others do with it meanwhile, [Stream.Do] orders.
func WrapArray(dev *Device, ptr driver.Pointer, dtype DType, shape ...int) (*Array, error) {
	a, err := wrapArray(dev, ptr, dtype, shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: wrap array: %w", err)
	}
	return a, nil
}

func wrapArray(dev *Device, ptr driver.Pointer, dtype DType, shape []int) (*Array, error) {
	if err := dev.use(); err != nil {
		return nil, err
	}
	a, err := describe(dtype, shape)
	if err != nil {
		return nil, err
	}
	switch size := driver.Pointer(dtype.Size()); {
	case ptr == 0 && a.len > 0:
		return nil, fmt.Errorf("the address of %v is null", a)
	case ptr%size != 0:
		return nil, fmt.Errorf("address %#x is no multiple of %d, the size of %v", uint64(ptr), size, dtype)
	case ptr+driver.Pointer(a.Bytes()) < ptr:
		return nil, fmt.Errorf("%v does not fit behind address %#x", a, uint64(ptr))
	}
	a.mem = &memory{dev: dev, ptr: ptr, size: a.Bytes(), what: a.String()}
	return a, nil
}

// WrapStream makes a Stream of a CUstream that others own, for launches and
// copies of this package. What the others put into it, [Stream.Do] orders. It
// must stay until the Stream is closed: Close waits for its work and destroys
// nothing.
func WrapStream(dev *Device, handle uintptr) (*Stream, error) {
	if err := dev.use(); err != nil {
		return nil, fmt.Errorf("rtc: wrap stream: %w", err)
	}
	raw, err := dev.ctx.WrapStream(handle)
	if err != nil {
		return nil, fmt.Errorf("rtc: wrap stream: %w", err)
	}
	s, err := dev.adopt(&Stream{dev: dev, raw: raw})
	if err != nil {
		return nil, fmt.Errorf("rtc: wrap stream: %w", err)
	}
	return s, nil
}
