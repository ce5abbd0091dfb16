package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
)

// gpus are the driver and its devices.
type gpus struct {
	library
	Devices []device `json:"devices"`

	open *driver.Driver
}

type device struct {
	Ordinal    int    `json:"ordinal"`
	Name       string `json:"name"`
	Capability string `json:"compute_capability"`
	Memory     uint64 `json:"memory_bytes"`

	major, minor int
}

// lookAtDriver opens the driver as driver.Open does. That there is none is no
// problem.
func (d *diagnosis) lookAtDriver() {
	d.Driver = &gpus{Devices: []device{}}
	g := d.Driver
	lib, err := dl.CUDA.OpenChecked("", func(lib *dl.Library) (err error) {
		g.open, err = driver.Bind(lib)
		return err
	})
	if err != nil {
		g.open, g.library = nil, missing(err)
		d.explainDriver(err)
		return
	}
	g.library = found(lib, g.open.Version())
	n, err := g.open.DeviceCount()
	if err != nil {
		d.problem("%v", err)
	}
	for i := range n {
		one, err := look(g.open, i)
		if err != nil {
			d.problem("%v", err)
			continue
		}
		g.Devices = append(g.Devices, one)
	}
}

// explainDriver tells a driver that sees no GPU, which is no problem, from one
// that fails.
func (d *diagnosis) explainDriver(err error) {
	var none *dl.NotFoundError
	if !errors.As(err, &none) {
		return
	}
	for _, a := range none.Attempts {
		var failed *driver.Error
		switch {
		case errors.Is(a.Err, driver.NoDevice):
			d.Driver.Error = fmt.Sprintf("the one at %s sees no GPU; in a container, start it with the GPUs", a.Path)
			if _, set := os.LookupEnv("CUDA_VISIBLE_DEVICES"); set {
				d.Driver.Error += "; CUDA_VISIBLE_DEVICES hides those that it does not list"
			}
			return
		case errors.Is(a.Err, driver.StubLibrary):
		case errors.As(a.Err, &failed):
			d.problem("the driver at %s fails: %v", a.Path, a.Err)
			return
		case a.Source == dl.ByVariable:
			d.problem("PURECUDA_CUDA leads to no driver: %s: %v", a.Path, a.Err)
			return
		}
	}
}

func look(drv *driver.Driver, i int) (device, error) {
	dev, err := drv.Device(i)
	if err != nil {
		return device{}, err
	}
	one := device{Ordinal: i, Name: dev.Name()}
	if one.major, one.minor, err = dev.ComputeCapability(); err != nil {
		return device{}, err
	}
	one.Capability = dl.Version{Major: one.major, Minor: one.minor}.String()
	one.Memory, err = dev.TotalMemory()
	return one, err
}

// compare holds NVRTC, the driver and the devices against each other.
func (d *diagnosis) compare() {
	if d.NVRTC.open == nil || d.Driver.open == nil {
		return
	}
	c, have := d.NVRTC.open, d.Driver.open.Version()
	if v := c.Version(); !have.AtLeast(v.Major, v.Minor) {
		d.note("the driver supports CUDA %v and NVRTC is of %v: PTX of this NVRTC is too new for the driver, and only machine code (sm_XY) of it is loaded%s", have, v,
			map[bool]string{true: "; an NVRTC of CUDA " + have.String() + " or older does all", false: ""}[v.Major > have.Major])
	}
	known := c.KnownArchs()
	if len(known) == 0 {
		return
	}
	oldest, newest := known[0], known[len(known)-1]
	for _, one := range d.Driver.Devices {
		own := nvrtc.Virtual(one.major, one.minor)
		switch {
		case own.Number() < oldest.Number():
			d.problem("device %d has compute capability %s; this NVRTC compiles for %v and later: an older one is needed", one.Ordinal, one.Capability, oldest)
		case own.Number() > newest.Number():
			d.note("device %d has compute capability %s, newer than this NVRTC: it runs PTX for %v, which the driver compiles when it is loaded", one.Ordinal, one.Capability, newest)
		}
	}
}
