package rtc

import (
	"fmt"
	"strings"
)

// Global is a __device__ or __constant__ variable of the module on dev, as an
// array of the given type and shape, which must count just as many bytes as
// the variable has. The name is the variable's, or an export ("&ns::table").
//
// What is written to it, kernels launched later read. The array is good until
// the module or the device is closed; its own Close frees nothing.
func (m *Module) Global(dev *Device, name string, dtype DType, shape ...int) (*Array, error) {
	a, err := m.global(dev, name, dtype, shape)
	if err != nil {
		return nil, fmt.Errorf("rtc: variable %s of %s: %w", name, m.name, err)
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
	l, err := m.on(dev)
	if err != nil {
		return nil, err
	}
	ptr, size, err := l.raw.Global(l.art.variableOf(name))
	if err != nil {
		return nil, err
	}
	if uint64(a.Bytes()) != size {
		return nil, fmt.Errorf("it has %d bytes; %v has %d", size, a, a.Bytes())
	}
	a.mem = &memory{dev: dev, owner: &dev.life, ptr: ptr, size: a.Bytes(), borrowed: true}
	l.mu.Lock()
	l.globals = append(l.globals, a.mem)
	l.mu.Unlock()
	return a, nil
}

// variableOf finds a variable's name in the module.
func (a *artifact) variableOf(name string) string {
	for _, export := range []string{name, "&" + name, strings.TrimPrefix(name, "&")} {
		if lowered, ok := a.names[export]; ok {
			return lowered
		}
	}
	return strings.TrimPrefix(name, "&")
}
