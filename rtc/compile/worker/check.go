package worker

import (
	"bytes"
	"fmt"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// check holds what a worker says it made against what was asked for. What it
// knows better than the worker it puts right.
func check(e *cache.Entry, r *compile.Request) error {
	options := nvrtc.ParseOptions(r.Options)
	arch, _ := options.Arch()
	want := cache.PTX
	if arch.Kind == nvrtc.RealArch {
		want = cache.CUBIN
	}
	if _, ok := options.Find("--dlink-time-opt"); ok {
		want = cache.LTOIR
	}
	if _, ok := options.Find("--optix-ir"); ok {
		want = cache.OptiXIR
	}
	if e.Kind != want {
		return fmt.Errorf("%w: %s, where the options ask for %s", errNonsense, e.Kind, want)
	}
	if (want == cache.PTX && !isPTX(e.Image)) || (len(e.PTX) > 0 && !isPTX(e.PTX)) {
		return fmt.Errorf("%w: PTX that is none", errNonsense)
	}
	if want == cache.CUBIN && !bytes.HasPrefix(e.Image, []byte("\x7fELF")) {
		return fmt.Errorf("%w: a cubin that is none", errNonsense)
	}
	if len(e.Lowered) != len(unique(r.Exports)) {
		return fmt.Errorf("%w: lowered names that were not asked for, or too few", errNonsense)
	}
	e.Signatures = nil
	for _, x := range r.Exports {
		if name := e.Lowered[x]; name == "" || !isIdentifier(name) || !(bytes.Contains(e.Image, []byte(name)) || want == cache.LTOIR || want == cache.OptiXIR) {
			return fmt.Errorf("%w: export %q is called %q, which what was made has not", errNonsense, x, name)
		}
		if sig, err := abi.FromMangled(e.Lowered[x]); err == nil {
			if e.Signatures == nil {
				e.Signatures = map[string]string{}
			}
			e.Signatures[x] = sig.String()
		}
	}
	if e.Arch = arch.String(); arch.IsZero() {
		e.Arch = ""
	}
	e.Compiler = "NVRTC " + r.Compiler.Version().String()
	return nil
}

func unique(list []string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}

// isPTX looks for the directive that all PTX begins with, after comments.
func isPTX(b []byte) bool {
	return bytes.HasPrefix(b, []byte("//")) && bytes.Contains(b[:min(len(b), 4<<10)], []byte("\n.version ")) && bytes.IndexByte(b, 0) < 0
}

// isIdentifier reports whether s can be a name in PTX.
func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c >= '0' && c <= '9' && i > 0) {
			return false
		}
	}
	return s != ""
}
