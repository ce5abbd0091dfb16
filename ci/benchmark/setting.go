package main

import (
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
)

// A setting is what a process that launches needs.
type setting struct {
	dev                *rtc.Device
	stream             *rtc.Stream
	compiler           *nvrtc.Compiler
	module             *rtc.Module
	kernel             *rtc.Kernel
	function           *driver.Function
	x, y               *rtc.Array
	addressX, addressY uint64
}

// The launch's sizes.
var (
	grid     = rtc.Dim(blocks)
	perBlock = rtc.Dim(threads)
)

func newSetting() (*setting, error) {
	s := &setting{}
	var err error
	if s.dev, err = rtc.Open(0); err != nil {
		return nil, err
	}
	s.stream = s.dev.Stream()
	if s.compiler, err = nvrtc.Open(nvrtc.Config{}); err != nil {
		return nil, err
	}
	if s.module, err = rtc.NewModule(source(0), rtc.ModuleConfig{Compiler: s.compiler}); err != nil {
		return nil, err
	}
	if s.kernel, err = s.module.Kernel("axpy", signature); err != nil {
		return nil, err
	}
	if s.function, err = s.kernel.Function(s.dev); err != nil {
		return nil, err
	}
	if s.x, err = rtc.Ones[float32](s.dev, elements); err != nil {
		return nil, err
	}
	if s.y, err = rtc.Zeros[float32](s.dev, elements); err != nil {
		return nil, err
	}
	if s.addressX, _, err = s.x.DevicePointer(); err != nil {
		return nil, err
	}
	s.addressY, _, err = s.y.DevicePointer()
	return s, err
}

// check runs the kernel once and looks at what it wrote.
func (s *setting) check() error {
	y, err := rtc.Zeros[float32](s.dev, elements)
	if err != nil {
		return err
	}
	defer y.Close()
	if err := s.kernel.Launch(s.dev, grid, perBlock, 0, s.x, y, 3, elements); err != nil {
		return err
	}
	return wrote(y, func(int) float32 { return 3 })
}

// wrote compares an array with what should be in it.
func wrote(y *rtc.Array, want func(i int) float32) error {
	have, err := rtc.ToSlice[float32](y)
	if err != nil {
		return err
	}
	i := 0
	if i = slices.IndexFunc(have, func(v float32) bool { bad := v != want(i); i++; return bad }); i >= 0 {
		return fmt.Errorf("the kernel wrote %g to element %d, not %g", have[i], i, want(i))
	}
	return nil
}
