package nvrtc

import (
	"bytes"
	"fmt"
	"strings"
)

// A file is the source or a header in memory.
type file struct{ name, text string }

// files are the source and then the headers.
func (p *Program) files() []file {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := func(c []byte) string { return string(bytes.TrimSuffix(c, []byte{0})) }
	files := []file{{p.name, text(p.src)}}
	for i, t := range p.texts {
		files = append(files, file{p.headers[i], text(t)})
	}
	return files
}

var (
	fileName = pattern(`^\s*[^\s{};#()"]+\.(?:cu|cuh|c|cc|cpp|cxx|h|hpp|cl|ptx|txt)\s*$`)
	ptxText  = pattern(`(?m)^\.version[ \t]+\d+\.\d+`)
	openCL   = pattern(`\b__kernel\b|\bget_global_id\b`)
	global   = pattern(`\b__global__\b|\b__device__\b`)
)

// otherText is for a source that is no CUDA C++.
func (h *hinting) otherText() string {
	switch source := h.files[0].text; {
	case fileName().MatchString(source):
		return fmt.Sprintf("the source is %q: give the text of the file (os.ReadFile), not its name", strings.TrimSpace(source))
	case ptxText().MatchString(source):
		return "the source is PTX, which is compiled already: package rtc's LoadModule takes it"
	case openCL().MatchString(source) && !global().MatchString(source):
		return `the source is OpenCL C; in CUDA C++ a kernel is extern "C" __global__ void, its parameters have no __global, and get_global_id(0) is blockIdx.x * blockDim.x + threadIdx.x`
	}
	return ""
}

// hostVariable is for a variable, or what looks like one, outside functions.
func (h *hinting) hostVariable([]string) string {
	if h.current.File == h.files[0].name && !global().MatchString(h.files[0].text) {
		return `statements stand in a function: the source has none that is __global__, such as extern "C" __global__ void k(float *x) { … }`
	}
	return "NVRTC compiles for the device only: write __device__ or __constant__ before a variable outside functions"
}

// scope is for a name before :: that is not known.
func (h *hinting) scope(m []string) string {
	line := ""
	for _, f := range h.files {
		if lines := strings.Split(f.text, "\n"); f.name == h.current.File && h.current.Line > 0 && h.current.Line <= len(lines) {
			line = lines[h.current.Line-1]
		}
	}
	switch {
	case strings.Contains(line, "cooperative_groups::") || strings.Contains(line, "namespace cooperative_groups"):
		return h.cudaHeader("cooperative_groups.h")
	case strings.Contains(line, "wmma"):
		return h.cudaHeader("mma.h")
	case strings.Contains(line, "std::") && !strings.Contains(line, "cuda::std::") || strings.Contains(m[0], `"std"`):
		return "there is no C++ standard library in NVRTC; CUDA's own part of it is in namespace cuda::std, headers <cuda/std/…>"
	case strings.Contains(line, "cuda::"):
		return h.cudaHeader("cuda/std/…")
	}
	return ""
}

// arrayLength is for an array whose length is no constant.
func (h *hinting) arrayLength([]string) string {
	if h.current.File == nameMap {
		return ""
	}
	return "an array's length must be known to the compiler; shared memory whose size is given at launch is extern __shared__ float s[], one array a kernel"
}
