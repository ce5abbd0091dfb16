package main

import (
	"errors"
	"strings"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/nvrtc"
)

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
