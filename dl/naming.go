package dl

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// newestMajor is the newest CUDA release whose file names are asked for by
// name. A folder can be listed, so there any version is found; the system's
// loader can only be asked name by name.
const newestMajor = 19

// A naming is how one platform names the files of a library.
type naming struct {
	stem  string
	names func() []string // newest first
}

// The names as NVIDIA gave them: one for each release until 11.2, which kept
// its name for the rest of 11; since 12 the major alone.
func nvrtcLinux() []string {
	var out []string
	for major := newestMajor; major >= 12; major-- {
		out = append(out, fmt.Sprintf("libnvrtc.so.%d", major))
	}
	for _, v := range []string{"11.2", "11.1", "11.0", "10.2", "10.1", "10.0", "9.2", "9.1", "9.0", "8.0", "7.5", "7.0"} {
		out = append(out, "libnvrtc.so."+v)
	}
	return append(out, "libnvrtc.so")
}

func nvrtcWindows() []string {
	var out []string
	for major := newestMajor; major >= 12; major-- {
		out = append(out, fmt.Sprintf("nvrtc64_%d0_0.dll", major))
	}
	for _, v := range []string{"112_0", "111_0", "110_0", "102_0", "101_0", "100_0", "92", "91", "90", "80", "75", "70"} {
		out = append(out, "nvrtc64_"+v+".dll")
	}
	return out
}

func nvJitLinkLinux() []string {
	var out []string
	for major := newestMajor; major >= 12; major-- {
		out = append(out, fmt.Sprintf("libnvJitLink.so.%d", major))
	}
	return append(out, "libnvJitLink.so")
}

func nvJitLinkWindows() []string {
	var out []string
	for major := newestMajor; major >= 12; major-- {
		out = append(out, fmt.Sprintf("nvJitLink_%d0_0.dll", major))
	}
	return out
}

var (
	soVersion  = regexp.MustCompile(`^\.so((?:\.\d+)*)$`)
	dllVersion = regexp.MustCompile(`^(?:_(\d{2,3})(?:_(\d))?)?\.dll$`)
)

// versionOf reads the version out of a file name: [12 4 127] of
// libnvrtc.so.12.4.127, [12 0] of nvrtc64_120_0.dll, nothing of libnvrtc.so. ok
// is false when the file is another library: libnvrtc-builtins.so.12.4,
// libnvrtc.alt.so.13, nvrtc64_120_0.alt.dll.
func versionOf(goos, stem, file string) (v []int, ok bool) {
	if goos == "windows" {
		if len(file) < len(stem) || !strings.EqualFold(file[:len(stem)], stem) {
			return nil, false
		}
		m := dllVersion.FindStringSubmatch(strings.ToLower(file[len(stem):]))
		if m == nil {
			return nil, false
		}
		if d := m[1]; d != "" {
			v = append(v, atoi(d[:len(d)-1]), atoi(d[len(d)-1:]))
		}
		return v, true
	}
	rest, ok := strings.CutPrefix(file, stem)
	m := soVersion.FindStringSubmatch(rest)
	if !ok || m == nil {
		return nil, false
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(m[1], "."), ".") {
		if part != "" {
			v = append(v, atoi(part))
		}
	}
	return v, true
}

// atoi is for digits that a pattern has let through; a number too large to be
// one counts as 0.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
