package main

import (
	"errors"

	"github.com/purecuda/purecuda/dl"
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
