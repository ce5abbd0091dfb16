// Axpy computes y = y + alpha*x for ten numbers and prints the result. It is the
// first example of MXNet's mx.rtc.
//
// It runs on the machine's GPU, else on a simulated one, and says which.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const source = `
extern "C" __global__ void axpy(const float *x, float *y, float alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
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
	defer dev.Close() // and everything made from it

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
	fmt.Fprintf(w, "%v on %s\n", out, dev.Name())
	if dev.Simulated() {
		fmt.Fprintln(w, "No GPU here, so a simulated device ran it.")
	}
	return nil
}
