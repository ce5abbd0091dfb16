package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
)

// A library is one that was found, or not.
type library struct {
	Path    string    `json:"path,omitempty"` // with links resolved
	Version string    `json:"version,omitempty"`
	Source  string    `json:"found_by,omitempty"`
	From    string    `json:"variable,omitempty"` // that led there
	Beside  []string  `json:"beside,omitempty"`   // opened with it
	Skipped []skipped `json:"skipped,omitempty"`  // what was passed over before, or all that was tried
	Error   string    `json:"error,omitempty"`    // "" if it was found
}

type skipped struct {
	Source string `json:"step"`
	From   string `json:"variable,omitempty"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// A compiler is the NVRTC that programs get.
type compiler struct {
	library
	Architectures []string `json:"architectures,omitempty"`
	Lacks         []lack   `json:"lacks,omitempty"`
	Headers       []string `json:"headers,omitempty"` // folders of CUDA's own
	NoHeaders     string   `json:"no_headers,omitempty"`
	Signals       string   `json:"signals,omitempty"` // how Go's handlers are kept from it

	open *nvrtc.Compiler
}

// A lack is what a version can't do.
type lack struct {
	What  string `json:"what"`
	Since string `json:"since"`
}

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

// found is what is told of a library.
func found(lib *dl.Library, version dl.Version) library {
	return library{Path: lib.RealPath(), Version: version.String(), Source: string(lib.Source()), From: lib.From(), Beside: lib.Beside(), Skipped: skips(lib.Refused())}
}

// missing is what is told of one that isn't there.
func missing(err error) library {
	l := library{Error: redact(err.Error())}
	var none *dl.NotFoundError
	if errors.As(err, &none) {
		l.Error, l.Skipped = none.Advice, skips(none.Attempts)
	}
	return l
}

func skips(attempts []dl.Attempt) (all []skipped) {
	for _, a := range attempts {
		all = append(all, skipped{string(a.Source), a.From, redact(a.Path), redact(a.Err.Error())})
	}
	return all
}

// lookAtNVRTC opens the NVRTC as nvrtc.Open does, and sees the search.
func (d *diagnosis) lookAtNVRTC() {
	d.NVRTC = &compiler{}
	lib, err := dl.NVRTC.OpenChecked("", func(lib *dl.Library) (err error) {
		d.NVRTC.open, err = nvrtc.Bind(lib)
		return err
	})
	if err != nil {
		d.NVRTC.open, d.NVRTC.library = nil, missing(err)
		d.problem("there is no NVRTC: nothing can be compiled, but PTX and machine code that were made elsewhere run (rtc.LoadModule)")
		return
	}
	n, c := d.NVRTC, d.NVRTC.open
	n.library = found(lib, c.Version())
	for _, a := range c.KnownArchs() {
		n.Architectures = append(n.Architectures, a.String())
	}
	f := c.Features()
	for _, row := range []struct {
		has         bool
		what, since string
	}{
		{f.Exports, "templates by name", "8.0"}, {f.CUBIN, "machine code", "11.1"}, {f.LTOIR, "LTO IR", "12.0"},
		{f.Cancel, "stopping a compile", "12.8"}, {f.PCH, "precompiled headers", "12.8"},
	} {
		if !row.has {
			n.Lacks = append(n.Lacks, lack{row.what, row.since})
		}
	}
	if n.Headers, err = c.IncludeDirs(); err != nil {
		n.NoHeaders = firstLine(err.Error())
	}
	shield, err := c.Shield()
	n.Signals = shield.String()
	if err != nil {
		n.Signals += ": " + err.Error()
	}
	if len(n.Beside) == 0 && c.Version().AtLeast(8, 0) {
		d.note("no libnvrtc-builtins lies beside %s: most compiles need it", n.Path)
	}
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
