package nvrtc_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
)

// The example runs on an NVRTC that is made for tests; a program opens the
// machine's with nvrtc.Open(nvrtc.Config{}).
func Example() {
	compiler, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer compiler.Close()

	program, err := compiler.NewProgram(`
		template <typename T> __global__ void axpy(const T *x, T *y, T alpha) {
			int i = threadIdx.x + blockIdx.x * blockDim.x;
			y[i] += alpha * x[i];
		}`, nvrtc.ProgramConfig{Name: "axpy.cu", Exports: []string{"axpy<float>"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer program.Close()

	err = program.Compile(context.Background(), "--gpu-architecture=sm_90", "--std=c++17")
	var refused *nvrtc.CompileError
	if errors.As(err, &refused) {
		fmt.Printf("%+v\n", refused)
		return
	}
	name, err := program.LoweredName("axpy<float>")
	fmt.Println(name, err)
	cubin, err := program.CUBIN()
	fmt.Println(len(cubin) > 0, err)
	// Output:
	// _Z4axpyIfE <nil>
	// true <nil>
}

func ExampleOptions() {
	fmt.Println(nvrtc.Options{
		Arch:    nvrtc.Virtual(7, 0),
		Std:     "c++17",
		Define:  []nvrtc.Macro{{Name: "BLOCK", Value: "256"}, {Name: "NDEBUG"}},
		Include: []string{"kernels"},
		FMAD:    nvrtc.Off,
		Raw:     []string{"-lineinfo"},
	}.Args())
	// Output:
	// [--gpu-architecture=compute_70 --std=c++17 --define-macro=BLOCK=256 --define-macro=NDEBUG --include-path=kernels --fmad=false -lineinfo]
}

func ExampleParseOptions() {
	list := nvrtc.ParseOptions([]string{"-arch", "sm_90a", "-Ikernels", " -std=c++17"})
	arch, ok := list.Arch()
	fmt.Println(arch, ok, list.Std())
	fmt.Println(list.Canonical())
	// Output:
	// sm_90a true c++17
	// [--gpu-architecture=sm_90a --include-path=kernels --std=c++17]
}
