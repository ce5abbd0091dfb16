package rtc_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/drivertest"
	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/nvrtc/nvrtctest"
	"github.com/purecuda/purecuda/rtc"
)

// The first program. It needs a GPU and NVRTC.
func Example() {
	dev, err := rtc.Open(0)
	if errors.Is(err, rtc.ErrNoDevice) {
		fmt.Println("there is no GPU here:", err)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	mod, err := rtc.NewModule(`
template <typename T> __global__ void axpy(const T *x, T *y, T alpha) {
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	y[i] += alpha * x[i];
}`, rtc.ModuleConfig{Exports: []string{"axpy<float>", "axpy<double>"}})
	if err != nil {
		log.Fatal(err)
	}
	defer mod.Close()
	axpy, err := mod.Kernel("axpy<float>", "const float *x, float *y, float alpha")
	if err != nil {
		log.Fatal(err)
	}
	x, err := rtc.Ones[float32](dev, 10)
	if err != nil {
		log.Fatal(err)
	}
	y, err := rtc.Zeros[float32](dev, 10)
	if err != nil {
		log.Fatal(err)
	}
	if err := axpy.Launch(dev, rtc.Dim(1), rtc.Dim(10), 0, x, y, 3.0); err != nil {
		log.Fatal(err)
	}
	out, err := rtc.ToSlice[float32](y)
	fmt.Println(out, err)
}

// scalePTX stands for what was compiled earlier, perhaps on another machine.
const scalePTX = `.version 6.0
.target sm_52
.address_size 64
.visible .entry scale(.param .u64 x, .param .f32 by, .param .u32 n) { ret; }
.visible .entry _Z5twiceIfEvPT_(.param .u64 x) { ret; }
`

// What was compiled can be looked at and loaded without NVRTC and, until it is
// launched, without a GPU.
func ExampleLoadModule() {
	mod, err := rtc.LoadModule([]byte(scalePTX), rtc.ModuleConfig{Name: "scale", Exports: []string{"twice<float>"}})
	if err != nil {
		log.Fatal(err)
	}
	defer mod.Close()
	fmt.Println(mod.Target(), mod.Entries())
	twice, err := mod.Kernel("twice<float>") // the compiled name tells the signature
	fmt.Println(twice, err)
	scale, err := mod.Kernel("scale", "float *x, float by, int n")
	fmt.Println(scale, err)
	_, err = mod.Kernel("scale", "float *x, double by, int n")
	fmt.Println(err)
	// Output:
	// sm_52 [scale _Z5twiceIfEvPT_]
	// twice<float>(float *) <nil>
	// scale(float *x, float by, int n) <nil>
	// rtc: kernel scale of scale: abi: argument 1 (by): signature says double (8 bytes), the compiled kernel takes 4 bytes
}

// A kernel that is not extern "C" has another name in the compiled module, and
// a template that nobody listed is not there at all.
func ExampleModule_Kernel() {
	mod, err := rtc.LoadModule([]byte(scalePTX), rtc.ModuleConfig{Name: "scale"})
	if err != nil {
		log.Fatal(err)
	}
	defer mod.Close()
	_, err = mod.Kernel("twice")
	fmt.Println(err)
	_, err = mod.Kernel("twice<double>")
	fmt.Println(err)
	// Output:
	// rtc: kernel twice of scale: no such kernel: its name in the module is _Z5twiceIfEvPT_: list "twice<float>" in Exports
	// rtc: kernel twice<double> of scale: no such kernel: the module has _Z5twiceIfEvPT_ (void twice<float>(float*)), scale; a template is compiled only for the arguments that Exports names: list "twice<double>" there
}

// The compiler's messages come as an error that can be taken apart. The NVRTC of
// this example is played by package nvrtctest.
func ExampleNewModule_mistake() {
	compiler, err := nvrtc.Bind(nvrtctest.New(nvrtctest.Config{}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = rtc.NewModule("extern \"C\" __global__ void k() {}\n#error not yet\n", rtc.ModuleConfig{Name: "k.cu", Compiler: compiler})
	fmt.Println(err)
	var e *nvrtc.CompileError
	if errors.As(err, &e) {
		d := e.Diagnostics[0]
		fmt.Println(d.File, d.Line, d.Text)
	}
	// Output:
	// rtc: new module: nvrtc: compile: k.cu(2): fatal error: #error directive: not yet
	// k.cu 2 #error directive: not yet
}

// example opens a device that package drivertest plays.
func example() (*rtc.Device, *rtc.Kernel, *rtc.Module) {
	drv, err := driver.Bind(drivertest.New(drivertest.Config{}))
	if err != nil {
		log.Fatal(err)
	}
	dev, err := rtc.OpenWith(rtc.OpenConfig{Driver: drv})
	if err != nil {
		log.Fatal(err)
	}
	mod, err := rtc.LoadModule([]byte(scalePTX), rtc.ModuleConfig{Name: "scale"})
	if err != nil {
		log.Fatal(err)
	}
	scale, err := mod.Kernel("scale", "float *x, float by, int n")
	if err != nil {
		log.Fatal(err)
	}
	return dev, scale, mod
}

// What a launch can't be is refused before the GPU hears of it.
func ExampleKernel_Launch() {
	dev, scale, mod := example() // a device of the test double: nothing is computed
	defer dev.Close()
	defer mod.Close()
	x, err := rtc.FromSlice(dev, []float32{1, 2, 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(scale.Launch(dev, rtc.Dim(1), rtc.Dim(3), 0, x, 2, 3)) // 2 is a float here
	for _, args := range [][]any{
		{x, 2},
		{x, x, 3},
		{x, 2, 2.5},
		{[]float32{1, 2, 3}, 2, 3},
	} {
		fmt.Println(scale.Launch(dev, rtc.Dim(1), rtc.Dim(3), 0, args...))
	}
	fmt.Println(scale.Launch(dev, rtc.Dim(1), rtc.Dim(64, 32), 0, x, 2, 3))
	// Output:
	// <nil>
	// rtc: launch scale: abi: want 3 arguments (float *x, float by, int n), got 2
	// rtc: launch scale: abi: argument 1 (by): want float, got *rtc.Array: the parameter is a value, not a pointer: pass a number
	// rtc: launch scale: abi: argument 2 (n): want int, got float64: 2.5 is no integer
	// rtc: launch scale: abi: argument 0 (x): want float *, got []float32: that is host memory, which the kernel can't reach: copy it into an array on the device (rtc.FromSlice) and pass that
	// rtc: launch scale: driver: block (64, 32, 1) has 2048 threads, at most 1024 on device 0 (Test GPU sm_90): invalid value (CUDA_ERROR_INVALID_VALUE)
}

// A launch that is made often is checked and packed once.
func ExampleKernel_Prepare() {
	dev, scale, mod := example()
	defer dev.Close()
	defer mod.Close()
	x, err := rtc.Ones[float32](dev, 1000)
	if err != nil {
		log.Fatal(err)
	}
	run, err := scale.Prepare(dev, rtc.Dim(4), rtc.Dim(256), 0, x, 1, 1000)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 100 {
		if err := run.SetArg(1, float32(i)); err != nil {
			log.Fatal(err)
		}
		if err := run.Enqueue(dev.Stream()); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(dev.Synchronize(context.Background()))
	// Output: <nil>
}

// Arrays of a scope are freed at its end.
func ExampleDevice_Scope() {
	dev, scale, mod := example()
	defer dev.Close()
	defer mod.Close()
	err := dev.Scope(func(s *rtc.Scope) error {
		tmp, err := rtc.Zeros[float32](s, 1000)
		if err != nil {
			return err
		}
		fmt.Println(tmp, dev.Driver().Counts().Allocations)
		return scale.Launch(dev, rtc.Dim(4), rtc.Dim(256), 0, tmp, 2, 1000)
	})
	fmt.Println(err, dev.Driver().Counts().Allocations)
	// Output:
	// float32 array [1000] 1
	// <nil> 0
}

// The older interface: the body alone. It needs a GPU and NVRTC.
func ExampleNewRtc() {
	dev, err := rtc.Open(0)
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	x, err := rtc.Ones[float32](dev, 10)
	if err != nil {
		log.Fatal(err)
	}
	y, err := rtc.Zeros[float32](dev, 10)
	if err != nil {
		log.Fatal(err)
	}
	r, err := rtc.NewRtc("exp5", []rtc.Named{{Name: "x", Array: x}}, []rtc.Named{{Name: "y", Array: y}},
		"y[threadIdx.x] = expf(x[threadIdx.x] * 5.0f);")
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	if err := r.Push([]*rtc.Array{x}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(10)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(rtc.ToSlice[float32](y))
}
