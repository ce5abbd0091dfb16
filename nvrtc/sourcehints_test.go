package nvrtc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// What a beginner writes, and the hint that every compiler's refusal gets.
func TestHintsForBeginners(t *testing.T) {
	nvrtctest.Real(t, dl.Version{})
	in := func(body string) string { return `extern "C" __global__ void f(float *x) { ` + body + ` }` }
	type row struct {
		source, export, want string
	}
	for _, c := range nvrtctest.Reals() {
		for _, r := range []row{
			{"kernels/f.cu", "", `hint: the source is "kernels/f.cu": give the text of the file (os.ReadFile), not its name`},
			{"//\n\n.version 7.8\n.target sm_52\n.address_size 64\n", "", "hint: the source is PTX, which is compiled already: package rtc's LoadModule takes it"},
			{"\x7fELF\x02\x01\x01\x00", "", "the text is an ELF file, such as a cubin, and compiled already"},
			{"__kernel void f(__global float *x) { x[get_global_id(0)] = 1; }", "", "hint: the source is OpenCL C"},
			{"package main\nfunc main() {}", "", "hint: that is Go; the source must be CUDA C++"},
			{"int i = threadIdx.x; y[i] = x[i];", "", "hint: statements stand in a function: the source has none that is __global__"},
			{"int n = 3; " + in(""), "", "write __device__ or __constant__ before a variable outside functions"},
			{in("x[0] = threadidx.x;"), "", "hint: it is spelled threadIdx"},
			{in("x[0] = block_dim.x;"), "", "hint: it is spelled blockDim"},
			{in("x[0] = __shfl_down(x[0], 1);"), "", "__shfl_down is gone from compute_70 on: write __shfl_down_sync"},
			{in("cudaMalloc(&x, 4);"), "", "hint: cudaMalloc is for code of the host"},
			{in("uint n = 1;"), "", "hint: uint is no type here: write unsigned int"},
			{"__global__ void f(float64 *x) {}", "", "a type that NVRTC does not know: float64; float64 is no type here: write double"},
			{"__global__ void f(uint8_t *x) {}", "", "does not know: uint8_t; uint8_t is a type of stdint.h: "},
			{in("int n = x[0]; __shared__ float s[n]; s[0] = 1;"), "", "is extern __shared__ float s[]"},
			{in("auto g = cooperative_groups::this_grid();"), "", "hint: cooperative_groups.h is one of CUDA's headers"},
			{in("nvcuda::wmma::fill_fragment(x, 0);"), "", "hint: mma.h is one of CUDA's headers"},
			{in("x[0] = std::min(1, 2);"), "", "hint: there is no C++ standard library in NVRTC"},
			{`template <typename T> extern "C" __global__ void f(T *x) {}`, "", `hint: extern "C" stands outside of functions, and before no template`},
			{"__global__ void f(int) {}", "void f(int)", "hint: an export is a kernel's name, without its result and its parameters"},
			{"__global__ void f(int) {}", "f(int)", "hint: an export is a kernel's name, without its result and its parameters"},
			{"__global__ void f() {}", "f()", "hint: an export is a kernel's name, without parentheses"},
			{"template <typename T> __global__ void f(T x) {}", "f<float32>", "hint: float32 is no type here: write float"},
		} {
			config := nvrtc.ProgramConfig{Name: "k.cu"}
			if r.export != "" {
				config.Exports = []string{r.export}
			}
			assert.ErrorContains(t, refusedBy(t, c, r.source, config, "-std=c++14", "--gpu-architecture=compute_75"), r.want, "%s: %q", c.Version(), r.source)
		}
		// These have other faults.
		for _, source := range []string{in("x[0] = nope;"), in("// .version 1.0 __kernel threadidx\n x = y;"), in("ns::f();")} {
			assert.NotContains(t, refusedBy(t, c, source, nvrtc.ProgramConfig{Name: "k.cu"}, "-std=c++14").Error(), "hint: ", source)
		}
	}
}

// A library that is another one is not called too old.
func TestBindOfAnotherLibrary(t *testing.T) {
	_, err := nvrtc.Bind(drivertest.New(drivertest.Config{}))
	require.Error(t, err)
	assert.ErrorContains(t, err, "it is no NVRTC: it has no function nvrtcVersion")
}
