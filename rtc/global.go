package rtc

import (
	"context"
	"fmt"
)

// Global is a __device__ or __constant__ variable of the module on dev, as an
// array of the given type and shape, which must count just as many bytes as
// the variable has. The name is the variable's ("ns::table"), or an export
// ("&ns::table"). It loads the module on dev if need be.
//
// What is written to it, kernels launched later read. The array is good until
// the module or the device is closed; its own Close frees nothing.
func (m *Module) Global(dev *Device, name string, dtype DType, shape ...int) (*Array, error) {
	if m == nil {
		return nil, failed("variable", name, errNilModule)
	}
	a, err := m.global(dev, name, dtype, shape)
	if err != nil {
		return nil, &opError{op: "variable", name: name, of: m.name, err: err}
	}
	return a, nil
}

func (m *Module) global(dev *Device, name string, dtype DType, shape []int) (*Array, error) {
	if err := dev.use(); err != nil {
		return nil, err
	}
	a, err := describe(dtype, shape)
	if err != nil {
		return nil, err
	}
	l, err := m.on(context.Background(), dev)
	if err != nil {
		return nil, err
	}
	lowered, err := l.art.variable(name)
	if err != nil {
		return nil, err
	}
	ptr, size, err := l.raw.Global(lowered)
	if err != nil {
		return nil, err
	}
	if uint64(a.Bytes()) != size {
		err := fmt.Errorf("it has %d bytes; %v has %d", size, a, a.Bytes())
		if one := uint64(dtype.Size()); size%one == 0 {
			err = fmt.Errorf("%w: the shape must be of %d elements", err, size/one)
		}
		return nil, err
	}
	a.mem = &memory{dev: dev, module: l, ptr: ptr, size: a.Bytes(), what: a.String()}
	return a, nil
}
