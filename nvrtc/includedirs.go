package nvrtc

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/purecuda/purecuda/dl"
)

// A HeadersError says that no folder with CUDA's headers belongs to an NVRTC:
// where they were looked for, and why not each. It matches fs.ErrNotExist.
//
// Safe for concurrent use after it is made; its fields must not change.
type HeadersError struct {
	Path    string     // of the NVRTC
	Version dl.Version // of the NVRTC
	Tried   []string   // folders
	Reasons []string   // for each
	// Others are the folders with headers of other versions, which were not
	// taken.
	Others map[string]dl.Version
}

// Error lists the folders that were tried, each with its reason.
func (e *HeadersError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "nvrtc: include dirs: no headers of CUDA %s belong to %s", e.Version, e.Path)
	for i, folder := range e.Tried {
		fmt.Fprintf(&b, "; %s: %s", folder, e.Reasons[i])
	}
	return b.String()
}

// Is reports whether target is fs.ErrNotExist.
func (e *HeadersError) Is(target error) bool { return target == os.ErrNotExist }

// IncludeDirs are the folders with the CUDA headers (cuda_fp16.h and others) of
// the same toolkit, wheel, conda or Debian package as this NVRTC, ready for -I.
// Headers that say they are of another CUDA version are not taken; where there
// are none of this one it gives a *HeadersError. NVRTC itself needs none of
// them. The folders are looked for once. Safe for concurrent use.
func (c *Compiler) IncludeDirs() ([]string, error) {
	dirs, err := c.headers()
	return append([]string(nil), dirs...), err
}

func (c *Compiler) findHeaders() ([]string, error) {
	e := &HeadersError{Path: c.Path(), Version: c.version, Others: map[string]dl.Version{}}
	for _, folder := range headerFolders(c.Path()) {
		version, err := headersVersion(folder)
		switch {
		case err != nil:
			e.Tried, e.Reasons = append(e.Tried, folder), append(e.Reasons, err.Error())
			continue
		case version != c.version:
			e.Tried, e.Reasons = append(e.Tried, folder), append(e.Reasons, "headers of CUDA "+version.String())
			e.Others[folder] = version
			continue
		}
		dirs := []string{folder}
		// From CUDA 13 on the C++ core libraries have a folder of their own.
		if cccl := filepath.Join(folder, "cccl"); isDir(filepath.Join(cccl, "cuda")) {
			dirs = append(dirs, cccl)
		}
		return dirs, nil
	}
	return nil, e
}

// headerFolders are the folders where the headers would lie that were installed
// together with the library, likeliest first.
func headerFolders(library string) []string {
	var folders []string
	seen := map[string]bool{}
	add := func(parts ...string) {
		if f := filepath.Join(parts...); !seen[f] {
			seen[f] = true
			folders = append(folders, f)
		}
	}
	paths := []string{library}
	if real, err := filepath.EvalSymlinks(library); err == nil && real != library {
		paths = append(paths, real)
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			continue
		}
		dir := filepath.Dir(path)
		up := func(n int) string {
			d := dir
			for range n {
				d = filepath.Dir(d)
			}
			return d
		}
		add(up(1), "include")                            // toolkit/lib64, toolkit/targets/…/lib, conda/lib, cu13/lib, toolkit\bin
		add(up(2), "include")                            // toolkit\bin\x64; /usr/lib/x86_64-linux-gnu of Debian
		add(up(2), "cuda_runtime", "include")            // wheels: nvidia/cuda_nvrtc/lib
		add(up(3), "include")                            // wheels of CUDA 13 on Windows: nvidia\cu13\bin\x86_64\…
		add(up(1), "targets", "x86_64-linux", "include") // conda
		add(up(1), "targets", "sbsa-linux", "include")
		add(up(1), "Library", "include")
	}
	return folders
}

var versionMacro = pattern(`(?m)^[ \t]*#[ \t]*define[ \t]+(?:CUDA_VERSION|CUDART_VERSION)[ \t]+(\d+)`)

// headersVersion reads of which CUDA the headers in the folder are.
func headersVersion(folder string) (dl.Version, error) {
	if _, err := os.Stat(filepath.Join(folder, "cuda_fp16.h")); err != nil {
		if isDir(folder) {
			return dl.Version{}, fmt.Errorf("no cuda_fp16.h")
		}
		return dl.Version{}, fmt.Errorf("no such folder")
	}
	for _, name := range []string{"cuda.h", "cuda_runtime_api.h"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue
		}
		if m := versionMacro().FindSubmatch(text); m != nil {
			n, err := strconv.Atoi(string(m[1]))
			if err == nil {
				return dl.Version{Major: n / 1000, Minor: n % 1000 / 10}, nil
			}
		}
	}
	return dl.Version{}, fmt.Errorf("neither cuda.h nor cuda_runtime_api.h says its version")
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// builtinsFile is what NVRTC's log calls the library with its built-in functions.
var builtinsFile = pattern(`(?:lib)?nvrtc-builtins[\w.-]*\w`)
