// Axpy computes y = y + alpha*x on the machine's GPU for ten numbers and prints
// the result. It is the first example of MXNet's mx.rtc.
//
// Where there is no GPU it compiles all the same and prints what it compiled.
package main

import (
	"errors"
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
	err := run(os.Stdout)
	if errors.Is(err, rtc.ErrNoDevice) {
		fmt.Println("No CUDA device on this machine, so nothing was launched:", err)
		err = compileOnly(os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	dev, err := rtc.Open(0)
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
	_, err = fmt.Fprintf(w, "%v on %s\n", out, dev.Name())
	return err
}

// compileOnly shows what can be had without a GPU.
func compileOnly(w io.Writer) error {
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{})
	if err != nil {
		return err
	}
	defer mod.Close()
	_, err = fmt.Fprintf(w, "Compiled for %s: %d bytes of PTX with the entry points %v.\n", mod.Target(), len(mod.PTX()), mod.Entries())
	return err
}
