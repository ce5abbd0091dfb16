package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A unit is one source for one architecture.
type unit struct {
	file    string
	arch    nvrtc.Arch
	kind    cache.Kind // of what is written
	out     string     // where; "" for nowhere
	request compile.Request

	done   bool
	result *compile.Result
	err    error
}

// plan makes the units. What is wrong with any stops all.
func (j *compileJob) plan() error {
	archs, err := j.targets()
	if err != nil {
		return err
	}
	for _, file := range j.files {
		text, err := source(file)
		if err != nil {
			return exit(usage, err)
		}
		name := j.name
		if name == "" {
			if name = file; file == "-" {
				name = "stdin.cu"
			}
		}
		if text == "" {
			return exit(usage, errors.New(name+" is empty"))
		}
		config := rtc.ModuleConfig{Name: name, Options: j.options, Exports: j.exports, Compiler: j.compiler, CacheExtra: j.extra}
		for _, arch := range archs {
			u := &unit{file: file, arch: arch}
			if u.request, err = config.Request(text, arch); err != nil {
				return usageError("compile", "%s", strings.TrimPrefix(err.Error(), "rtc: request: "))
			}
			u.request.Fresh = j.fresh
			u.arch, _ = nvrtc.ParseOptions(u.request.Options).Arch()
			if u.kind, err = j.kindOf(u); err != nil {
				return err
			}
			j.units = append(j.units, u)
		}
	}
	return j.place(len(archs) > 1)
}

// targets are the architectures, the zero one for NewModule's choice.
func (j *compileJob) targets() (archs []nvrtc.Arch, err error) {
	for _, text := range j.archs {
		for _, name := range strings.Split(text, ",") {
			arch, err := nvrtc.ParseArch(strings.TrimSpace(name))
			if name == "native" {
				if arch, err = native(j.compiler); err != nil {
					return nil, err
				}
			} else if err != nil {
				return nil, usageError("compile", "-arch %q: want sm_90, compute_90 and the like, with commas between, or native%s", name, archLike(name))
			}
			archs = append(archs, arch)
		}
	}
	if len(archs) == 0 {
		archs = []nvrtc.Arch{{}}
	}
	return archs, nil
}

// archLike helps with a slip in an architecture's name.
func archLike(name string) string {
	digits := strings.TrimLeft(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz_-. ")
	for _, prefix := range []string{"sm_", "compute_"} {
		guess := prefix + strings.ReplaceAll(digits, ".", "")
		if _, err := nvrtc.ParseArch(guess); err == nil && (prefix == "sm_") == !strings.HasPrefix(strings.ToLower(name), "c") {
			return " (did you mean " + guess + "?)"
		}
	}
	return ""
}

// native is the architecture of CUDA device 0: what rtc would choose for it.
func native(c *nvrtc.Compiler) (nvrtc.Arch, error) {
	drv, err := driver.Open(driver.Config{})
	var dev *driver.Device
	if err == nil {
		dev, err = drv.Device(0)
	}
	var major, minor int
	if err == nil {
		major, minor, err = dev.ComputeCapability()
	}
	if err != nil {
		return nvrtc.Arch{}, exit(lacking, errors.New("compile: -arch native: "+err.Error()))
	}
	for _, known := range c.KnownArchs() {
		if known == nvrtc.Virtual(major, minor) && c.Features().CUBIN {
			return nvrtc.Real(major, minor), nil
		}
	}
	return nvrtc.Virtual(major, minor), nil
}

// kindOf is what is written of a unit.
func (j *compileJob) kindOf(u *unit) (cache.Kind, error) {
	options := nvrtc.ParseOptions(u.request.Options)
	_, lto := options.Find("--dlink-time-opt")
	_, optix := options.Find("--optix-ir")
	kind := cache.PTX
	switch {
	case lto:
		kind = cache.LTOIR
	case optix:
		kind = cache.OptiXIR
	case u.arch.Kind == nvrtc.RealArch:
		kind = cache.CUBIN
	}
	switch {
	case j.cubin && kind != cache.CUBIN:
		return 0, usageError("compile", "-cubin: with these options NVRTC makes %v for %v: machine code is for sm_XY", kind, u.arch)
	case j.ptx && kind != cache.PTX && kind != cache.CUBIN:
		return 0, usageError("compile", "-ptx: with these options NVRTC makes %v alone", kind)
	case j.ptx:
		return cache.PTX, nil
	}
	return kind, nil
}

var extensions = map[cache.Kind]string{cache.PTX: ".ptx", cache.CUBIN: ".cubin", cache.LTOIR: ".ltoir", cache.OptiXIR: ".optixir"}

// place says where each unit's output goes.
func (j *compileJob) place(several bool) error {
	if j.warm || j.list {
		return nil
	}
	folder := strings.HasSuffix(j.out, "/") || strings.HasSuffix(j.out, string(filepath.Separator))
	if info, err := os.Stat(j.out); j.out != "" && err == nil && info.IsDir() {
		folder = true
	}
	if j.out != "" && !folder && len(j.units) > 1 {
		return usageError("compile", "-o %s: there are %d results: name a folder, with / at its end", j.out, len(j.units))
	}
	from := map[string]*unit{}
	for _, u := range j.units {
		stem := strings.TrimSuffix(filepath.Base(u.file), filepath.Ext(u.file))
		if several {
			stem += "." + u.arch.String()
		}
		switch {
		case j.out == "" && u.file == "-" && !several && !j.json:
			u.out = "-"
		case u.file == "-" && (j.out == "" || folder):
			return usageError("compile", "standard input has no name that its output could have: give -o FILE for one architecture")
		case j.out == "" || folder:
			u.out = filepath.Join(j.out, stem+extensions[u.kind])
		default:
			u.out = j.out
		}
		if other := from[u.out]; other != nil {
			return usageError("compile", "%s for %v and %s for %v would both be written to %s", other.file, other.arch, u.file, u.arch, u.out)
		}
		if file, err := os.Stat(u.file); err == nil {
			if out, err := os.Stat(u.out); err == nil && os.SameFile(file, out) {
				return usageError("compile", "-o %s is the source", u.out)
			}
		}
		from[u.out] = u
	}
	if folder {
		if err := os.MkdirAll(j.out, 0o777); err != nil {
			return exit(lacking, err)
		}
	}
	return nil
}
