// Legacy-rtc computes exp(5x) by the older interface of MXNet, mx.rtc.Rtc: only
// the body of the kernel is written, its parameters follow from the arrays.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const body = `
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < x_dims[0]) y[i] = __expf(x[i] * 5.0f);`

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
	x, err := rtc.FromSlice(dev, []float32{0, 0.1, 0.2, 0.3, 0.4})
	if err != nil {
		return err
	}
	y, err := rtc.Zeros[float32](dev, 5)
	if err != nil {
		return err
	}

	exp5, err := rtc.NewRtc("exp5", []rtc.Named{{Name: "x", Array: x}}, []rtc.Named{{Name: "y", Array: y}}, body)
	if err != nil {
		return err
	}
	defer exp5.Close()
	if err := exp5.Push([]*rtc.Array{x}, []*rtc.Array{y}, rtc.Dim(1), rtc.Dim(32)); err != nil {
		return err
	}
	out, err := rtc.ToSlice[float32](y) // waits for the kernel
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%.3f\n", out)
	return err
}
