// Templates launches one kernel template for two types. Exports names the
// instances, as C++ expressions; their signatures are read from the compiled
// names.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

const source = `
template <typename T>
__global__ void axpy(const T *x, T *y, T alpha) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] += alpha * x[i];
}`

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func module() (*rtc.Module, error) {
	return rtc.NewModule(source, rtc.ModuleConfig{Exports: []string{"axpy<float>", "axpy<double>"}})
}

func run(w io.Writer) error {
	dev, err := rtc.OpenAny()
	if err != nil {
		return err
	}
	defer dev.Close()
	mod, err := module()
	if err != nil {
		return err
	}
	defer mod.Close()
	if err := launch[float32](w, dev, mod, "axpy<float>"); err != nil {
		return err
	}
	return launch[float64](w, dev, mod, "axpy<double>")
}

// launch runs the instance of the kernel for T.
func launch[T float32 | float64](w io.Writer, dev *rtc.Device, mod *rtc.Module, name string) error {
	axpy, err := mod.Kernel(name)
	if err != nil {
		return err
	}
	return dev.Scope(func(s *rtc.Scope) error { // frees x and y
		x, err := rtc.FromSlice(s, []T{0.1, 0.2, 0.3})
		if err != nil {
			return err
		}
		y, err := rtc.Ones[T](s, 3)
		if err != nil {
			return err
		}
		if err := axpy.Launch(dev, rtc.Dim(1), rtc.Dim(3), 0, x, y, 10); err != nil {
			return err
		}
		out, err := rtc.ToSlice[T](y)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "%v: %v\n", axpy, out)
		return err
	})
}
