// Shared-memory launches a kernel with dynamic shared memory: the saxpy of
// MXNet's own test of mx.rtc, which goes through shared memory on its way.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const source = `
extern "C" __global__ void saxpy(const float *x, float *y, float alpha) {
    extern __shared__ float smem[];
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    smem[threadIdx.x] = x[i];
    y[i] += alpha * smem[threadIdx.x];
}`

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	dev, err := rtc.OpenAny()
	if err != nil {
		return err
	}
	defer dev.Close()
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	if err != nil {
		return err
	}
	defer mod.Close()
	saxpy, err := mod.Kernel("saxpy", "const float *x, float *y, float alpha")
	if err != nil {
		return err
	}

	x, err := rtc.FromSlice(dev, []float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	if err != nil {
		return err
	}
	y, err := rtc.Ones[float32](dev, 10)
	if err != nil {
		return err
	}
	const block = 5
	shared := block * x.DType().Size() // a float for every thread of a block
	if err := saxpy.Launch(dev, rtc.Dim(10/block), rtc.Dim(block), shared, x, y, 2); err != nil {
		return err
	}
	out, err := rtc.ToSlice[float32](y)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, out)
	return err
}
