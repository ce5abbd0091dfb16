package nvrtctest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/nvrtc"
)

// Skipper is the part of testing.TB that Real needs.
//
// Not safe for concurrent use.
type Skipper interface {
	TB
	Skipf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Real opens a real NVRTC for a test, one for the process and never closed: the
// one of version (major and minor), or the newest when version is zero. It is
// looked for in PURECUDA_NVRTC, in the .deps folder beside go.mod, and on the
// machine. When there is none the test is skipped, or fails if PURECUDA_REQUIRE
// lists nvrtc and version is one that ci/setup gets.
func Real(t Skipper, version dl.Version) *nvrtc.Compiler {
	t.Helper()
	for _, c := range Reals() {
		if version == (dl.Version{}) || c.Version() == version {
			return c
		}
	}
	what := "NVRTC"
	if version != (dl.Version{}) {
		what += " " + version.String()
	}
	if Required("nvrtc") && (version == (dl.Version{}) || hasDeps()) {
		t.Fatalf("nvrtctest: no %s here, and PURECUDA_REQUIRE wants it: run ci/setup", what)
	}
	t.Skipf("no %s here: ci/setup gets some, or set PURECUDA_NVRTC", what)
	return nil
}

// Reals opens every real NVRTC that Real knows of, newest first, once.
var Reals = sync.OnceValue(func() []*nvrtc.Compiler {
	var out []*nvrtc.Compiler
	add := func(path string) {
		c, err := nvrtc.Open(nvrtc.Config{Path: path})
		if err != nil || slices.ContainsFunc(out, func(o *nvrtc.Compiler) bool { return o.Version() == c.Version() }) {
			return
		}
		out = append(out, c)
	}
	if path := os.Getenv("PURECUDA_NVRTC"); path != "" {
		add(path)
	}
	for _, path := range depsLibraries() {
		add(path)
	}
	if len(out) == 0 {
		add("")
	}
	slices.SortFunc(out, func(a, b *nvrtc.Compiler) int { return b.Version().Compare(a.Version()) })
	return out
})

// Required reports whether PURECUDA_REQUIRE, a comma list, names what a test
// needs: then its absence is a failure.
func Required(what string) bool {
	return slices.Contains(strings.Split(os.Getenv("PURECUDA_REQUIRE"), ","), what)
}

// depsLibraries are the libraries that ci/setup has unpacked.
func depsLibraries() []string {
	deps := depsFolder()
	if deps == "" {
		return nil
	}
	found, _ := filepath.Glob(filepath.Join(deps, "nvrtc-[0-9]*", "usr", "lib", libFolder, "libnvrtc.so.*"))
	return slices.DeleteFunc(found, func(path string) bool {
		info, err := os.Lstat(path)
		return err != nil || !info.Mode().IsRegular()
	})
}

func hasDeps() bool { return len(depsLibraries()) > 0 }

// depsFolder is the nearest .deps beside a go.mod above the working directory,
// which is the package's in a test: modules below the root have none.
func depsFolder() string {
	dir, err := os.Getwd()
	for err == nil {
		deps := filepath.Join(dir, ".deps")
		_, noModule := os.Stat(filepath.Join(dir, "go.mod"))
		if _, err := os.Stat(deps); err == nil && noModule == nil {
			return deps
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			break
		}
		dir = parent
	}
	return ""
}
