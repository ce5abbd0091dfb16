package rtc

import (
	"sync"

	"github.com/purecuda/purecuda/nvrtc"
)

// An artifact is a module compiled for one architecture.
type artifact struct {
	target string     // as users write it: "sm_90"; "cubin" or "fatbin" where that is not known
	arch   nvrtc.Arch // zero where it is not known
	ptx    string
	cubin  []byte
	log    string
	names  map[string]string // export → name in the module; others have it, too

	compiled bool   // for this module, not found in the cache
	uncached string // why the cache has no part in it, "" if it has

	// The cubin is for a linker, not for the driver.
	relocatable bool

	read sync.Once
	is   code
}

// code is what is known of an artifact from its PTX or cubin.
func (a *artifact) code() *code {
	a.read.Do(func() {
		switch {
		case a.ptx != "":
			a.is = readPTX(a.ptx)
		case len(a.cubin) > 0:
			a.is = readCubin(a.cubin)
		}
	})
	return &a.is
}

// image is what the driver loads on dev: the machine code, unless dev runs
// only the PTX.
func (a *artifact) image(dev *Device) []byte {
	if a.cubin == nil || a.ptx != "" && (a.relocatable || !a.runsOn(dev) || dev.Simulated()) {
		return []byte(a.ptx)
	}
	return a.cubin
}

// runsOn reports whether the machine code runs on dev: on its own capability
// and on later ones of the same generation, but code for sm_90a on 9.0 alone.
func (a *artifact) runsOn(dev *Device) bool {
	if a.arch.IsZero() {
		return true // for the driver to say
	}
	return a.arch.Major == dev.major && (a.arch.Minor == dev.minor || a.arch.Minor < dev.minor && a.arch.Suffix == "")
}
