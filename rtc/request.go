package rtc

import (
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// Request is what NewModule has its Service compile for an architecture: the
// source with all that NewModule adds to the config. Submitted beforehand, to a
// Service with the same store, it has NewModule find what it wants: give Warm
// the requests of many modules and architectures. The zero Arch is the one that
// NewModule would choose. An architecture among c.Options wins, as there.
//
// The errors are NewModule's from before it compiles.
func (c ModuleConfig) Request(source string, arch nvrtc.Arch) (compile.Request, error) {
	b, first, err := newBuild(source, c)
	if err != nil {
		return compile.Request{}, &opError{op: "request", all: true, err: err}
	}
	if arch.IsZero() {
		arch = first
	}
	return b.request(arch), nil
}
