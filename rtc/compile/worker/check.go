package worker

import (
	"bytes"
	"fmt"
	"maps"

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
	var lacking map[string]bool
	if want == cache.PTX || want == cache.CUBIN {
		lacking = lacks(e.Image, e.Lowered)
	}
	for _, x := range r.Exports {
		if name := e.Lowered[x]; !isIdentifier(name) || lacking[name] {
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

// mostTails bounds how many names are looked for within others.
const mostTails = 100

// lacks are the names that an image has not, in time by its length: each may be at
// its end.
func lacks(image []byte, names map[string]string) map[string]bool {
	lacking := map[string]bool{}
	for _, name := range names {
		lacking[name] = true
	}
	begin := 0
	for i := 0; i <= len(image) && len(lacking) > 0; i++ {
		if i == len(image) || !inIdentifier[image[i]] {
			delete(lacking, string(image[begin:i]))
			begin = i + 1
		}
	}
	// A cubin may keep a name as the tail of another.
	if len(lacking) <= mostTails {
		maps.DeleteFunc(lacking, func(name string, _ bool) bool { return bytes.Contains(image, []byte(name)) })
	}
	return lacking
}

var inIdentifier = func() (in [256]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789" {
		in[c] = true
	}
	return in
}()

// isIdentifier reports whether s can be a name in PTX.
func isIdentifier(s string) bool {
	for i := range len(s) {
		if !inIdentifier[s[i]] {
			return false
		}
	}
	return s != "" && !(s[0] >= '0' && s[0] <= '9')
}
