// Axpy compiles y = alpha*x + y for the machine's GPU, runs it on ten numbers
// and prints the result. It is the example of MXNet's mx.rtc.
package main

import (
	"fmt"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const source = `
extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
}`

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dev, err := rtc.Open(0)
	if err != nil {
		return err
	}
	defer dev.Close()

	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	if err != nil {
		return err
	}
	defer mod.Close()
	axpy, err := mod.Kernel("axpy", "const float *x, float *y, float alpha")
	if err != nil {
		return err
	}

	x, err := rtc.Ones[float32](dev, 10)
	if err != nil {
		return err
	}
	y, err := rtc.Zeros[float32](dev, 10)
	if err != nil {
		return err
	}
	if err := axpy.Launch(dev, rtc.Dim(1), rtc.Dim(10), 0, x, y, 3.0); err != nil {
		return err
	}
	out, err := rtc.ToSlice[float32](y)
	if err != nil {
		return err
	}
	fmt.Println(dev.Name(), out)
	return nil
}
