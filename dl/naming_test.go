package dl

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestVersionOf(t *testing.T) {
	for _, c := range []struct {
		goos, stem, file string
		want             []int
		other            bool // it is another library
	}{
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so"},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so.12", want: []int{12}},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so.11.8.89", want: []int{11, 8, 89}},
		{goos: "linux", stem: "libcuda", file: "libcuda.so.535.261.03", want: []int{535, 261, 3}},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so.99999999999999999999", want: []int{0}},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc-builtins.so.12.4", other: true},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.alt.so.13", other: true},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so.13.alt", other: true},
		{goos: "linux", stem: "libnvrtc", file: "libnvrtc.so.", other: true},
		{goos: "linux", stem: "libnvrtc", file: "libNVRTC.so.12", other: true},
		{goos: "linux", stem: "libcuda", file: "libcudart.so.12", other: true},
		{goos: "linux", stem: "libcuda", file: "libcudadebugger.so.1", other: true},
		{goos: "windows", stem: "nvrtc64", file: "nvrtc64_112_0.dll", want: []int{11, 2}},
		{goos: "windows", stem: "nvrtc64", file: "nvrtc64_130_0.dll", want: []int{13, 0}},
		{goos: "windows", stem: "nvrtc64", file: "NVRTC64_92.DLL", want: []int{9, 2}},
		{goos: "windows", stem: "nvrtc-builtins64", file: "nvrtc-builtins64_129.dll", want: []int{12, 9}},
		{goos: "windows", stem: "nvcuda", file: "nvcuda.dll"},
		{goos: "windows", stem: "nvrtc64", file: "nvrtc64_120_0.alt.dll", other: true},
		{goos: "windows", stem: "nvrtc64", file: "nvrtc-builtins64_129.dll", other: true},
		{goos: "windows", stem: "nvrtc64", file: "nvrtc64_120_0.dll.bak", other: true},
		{goos: "windows", stem: "nvcuda", file: "nvcuda64.dll", other: true},
		{goos: "windows", stem: "nvrtc64", file: "n", other: true},
	} {
		v, ok := versionOf(c.goos, c.stem, c.file)
		assert.Equal(t, !c.other, ok, c.file)
		assert.Equal(t, c.want, v, c.file)
	}
}

// CASES B02, B04: what each release of CUDA calls its files.
func TestNamesOfReleases(t *testing.T) {
	for _, c := range []struct {
		release        string
		linux, windows string
		linkL, linkW   string // nvJitLink, since 12.0
	}{
		{release: "7.0", linux: "libnvrtc.so.7.0", windows: "nvrtc64_70.dll"},
		{release: "7.5", linux: "libnvrtc.so.7.5", windows: "nvrtc64_75.dll"},
		{release: "8.0", linux: "libnvrtc.so.8.0", windows: "nvrtc64_80.dll"},
		{release: "9.2", linux: "libnvrtc.so.9.2", windows: "nvrtc64_92.dll"},
		{release: "10.1", linux: "libnvrtc.so.10.1", windows: "nvrtc64_101_0.dll"},
		{release: "11.0", linux: "libnvrtc.so.11.0", windows: "nvrtc64_110_0.dll"},
		{release: "11.1", linux: "libnvrtc.so.11.1", windows: "nvrtc64_111_0.dll"},
		{release: "11.8", linux: "libnvrtc.so.11.2", windows: "nvrtc64_112_0.dll"},
		{"12.5", "libnvrtc.so.12", "nvrtc64_120_0.dll", "libnvJitLink.so.12", "nvJitLink_120_0.dll"},
		{"13.0", "libnvrtc.so.13", "nvrtc64_130_0.dll", "libnvJitLink.so.13", "nvJitLink_130_0.dll"},
		{"14.1", "libnvrtc.so.14", "nvrtc64_140_0.dll", "libnvJitLink.so.14", "nvJitLink_140_0.dll"},
	} {
		assert.Contains(t, NVRTC.linux.names(), c.linux, c.release)
		assert.Contains(t, NVRTC.windows.names(), c.windows, c.release)
		if c.linkL != "" {
			assert.Contains(t, NVJitLink.linux.names(), c.linkL, c.release)
			assert.Contains(t, NVJitLink.windows.names(), c.linkW, c.release)
		}
	}
	for _, s := range []Spec{NVRTC, CUDA, NVJitLink} {
		for goos, n := range map[string]naming{"linux": s.linux, "windows": s.windows} {
			for _, name := range n.names() {
				_, ok := versionOf(goos, n.stem, name)
				assert.True(t, ok, "a search by name and a search in a folder agree on %s", name)
			}
		}
	}
}
