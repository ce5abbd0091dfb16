package golden

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"time"
	"unsafe"

	"github.com/purecuda/purecuda/driver"
)

// OpenGPU gives the first CUDA device of this machine.
func OpenGPU() (Machine, error) {
	d, err := driver.Open(driver.Config{})
	if err != nil {
		return nil, err
	}
	return OnDevice(d)
}

// stack is the bytes of local memory that a thread has for the frames of calls: recursion in code that is not optimised needs more than it has.
const stack = 8 << 10

// OnDevice gives the first device of a driver.
func OnDevice(d *driver.Driver) (Machine, error) {
	dev, err := d.Device(0)
	if err != nil {
		return nil, err
	}
	ctx, err := dev.Primary()
	if err != nil {
		return nil, err
	}
	if err := ctx.SetLimit(driver.LimitStackSize, stack); err != nil {
		return nil, errors.Join(err, ctx.Close())
	}
	s, err := ctx.NewStream(driver.StreamConfig{})
	if err != nil {
		return nil, errors.Join(err, ctx.Close())
	}
	major, minor, err := dev.ComputeCapability()
	if err != nil {
		return nil, errors.Join(err, ctx.Close())
	}
	return &gpu{ctx, s, About{GPU: dev.Name(), Arch: 10*major + minor, Driver: kernelDriver(), CUDA: d.Version().String(), Date: time.Now().UTC().Format(time.DateOnly)}}, nil
}

var versionNumber = regexp.MustCompile(`\b\d{3}\.\d+(\.\d+)?\b`)

// kernelDriver is the version of the kernel's NVIDIA driver, where that is to be had.
func kernelDriver() string {
	text, _ := os.ReadFile("/proc/driver/nvidia/version")
	return string(versionNumber.Find(text))
}

type gpu struct {
	ctx    *driver.Context
	stream *driver.Stream
	about  About
}

func (g *gpu) About() About { return g.about }

func (g *gpu) Close() error { return g.ctx.Close() }

func (g *gpu) Load(text string) (Module, error) {
	m, err := g.ctx.LoadModule([]byte(text), driver.LoadConfig{})
	if err != nil {
		return nil, err
	}
	return &gpuModule{g, m}, nil
}

type gpuModule struct {
	gpu    *gpu
	module *driver.Module
}

func (m *gpuModule) Close() error { return m.module.Close() }

func (m *gpuModule) Global(name string, b []byte) error {
	p, size, err := m.module.Global(name)
	if err != nil {
		return err
	}
	if uint64(len(b)) > size {
		return fmt.Errorf("%s has %d bytes, not %d", name, size, len(b))
	}
	return m.gpu.ctx.CopyToHost(b, p)
}

func (m *gpuModule) Run(l Launch) (err error) {
	f, err := m.module.Function(l.Kernel)
	if err != nil {
		return err
	}
	var places []driver.Pointer
	defer func() {
		for _, p := range places {
			if e := m.gpu.ctx.Free(p); err == nil {
				err = e
			}
		}
	}()
	var params []unsafe.Pointer // to words and values that this function keeps: the driver reads them when the launch is enqueued
	for _, a := range l.Args {
		if a.Buffer == nil {
			params = append(params, unsafe.Pointer(&a.Value[0]))
			continue
		}
		p, err := m.gpu.ctx.Alloc(uint64(len(a.Buffer)))
		if err != nil {
			return err
		}
		places = append(places, p)
		if err := m.gpu.stream.CopyToDevice(p, a.Buffer); err != nil {
			return err
		}
		params = append(params, unsafe.Pointer(&p))
	}
	run, err := f.Prepare(driver.LaunchConfig{Grid: dim(l.Grid), Block: dim(l.Block), SharedMem: l.Shared, Cooperative: l.Cooperative}, params)
	if err != nil {
		return err
	}
	if err := run.Enqueue(m.gpu.stream); err != nil {
		return err
	}
	n := 0
	for _, a := range l.Args {
		if a.Buffer != nil {
			if err := m.gpu.stream.CopyToHost(a.Buffer, places[n]); err != nil {
				return err
			}
			n++
		}
	}
	return m.gpu.stream.Synchronize()
}

func dim(d [3]uint32) driver.Dim3 { return driver.Dim3{X: d[0], Y: d[1], Z: d[2]} }
