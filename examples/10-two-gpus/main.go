// Two-gpus lets heat spread over a plate: a Jacobi iteration, half of the plate
// on each of two GPUs. After each step they give each other the row along which
// the halves meet. The order of all that follows from what reads and writes what; it
// is done once launch by launch, and once as a graph over both.
//
// It runs on two GPUs where the machine has them, else on two simulated ones,
// and says which.
package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/purecuda/purecuda/driver/sim"
	"github.com/purecuda/purecuda/rtc"
)

// The edge of the plate keeps its temperature, and so do the rows that belong
// to the other GPU: a part's first and last.
const source = `
extern "C" __global__ void step(const float *from, float *to, int width, int height) {
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y < 1 || y >= height - 1) return;
    const float *here = from + (size_t)y * width + x;
    to[(size_t)y * width + x] = x == 0 || x == width - 1 ? *here
        : 0.25f * (here[-width] + here[width] + here[-1] + here[1]);
}`

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer) error {
	devs, err := open()
	if err != nil {
		return err
	}
	for _, dev := range devs {
		defer dev.Close()
	}
	width, height, steps := 8192, 8192, 20 // a quarter of a gigabyte
	if devs[0].Simulated() {
		width, height, steps = 64, 64, 10
	}
	// Compiled once, and loaded on each device when its first step is launched.
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{Name: "heat.cu"})
	if err != nil {
		return err
	}
	defer mod.Close()
	step, err := mod.Kernel("step", "const float *from, float *to, int width, int height")
	if err != nil {
		return err
	}

	plate := make([]float32, width*height)
	for x := range width {
		plate[x] = 100 // one edge is hot
	}
	want := inGo(plate, width, steps)
	for _, run := range []struct {
		devs []*rtc.Device
		how  func([]*rtc.Device, *rtc.Kernel, []float32, int, int) ([]float32, time.Duration, error)
		note string
	}{{devs[:1], spread, ""}, {devs, spread, ""}, {devs, replay, ", two steps a graph"}} {
		var took time.Duration
		for range 2 { // the first time the module is loaded, and the way between the devices opened
			got, t, err := run.how(run.devs, step, plate, width, steps)
			if err != nil {
				return err
			}
			if err := same(got, want, width); err != nil {
				return err
			}
			took = t
		}
		fmt.Fprintf(w, "%d steps of %d x %d on", steps, width, height)
		for i, dev := range run.devs {
			if i > 0 {
				fmt.Fprint(w, " and")
			}
			fmt.Fprintf(w, " device %d (%s)", dev.Ordinal(), dev.Name())
		}
		fmt.Fprint(w, run.note)
		if !devs[0].Simulated() {
			fmt.Fprintf(w, ", in %v", took.Round(time.Microsecond))
		}
		fmt.Fprintln(w, ": as in Go")
	}
	if devs[0].Simulated() {
		fmt.Fprintln(w, "No two GPUs here, so two simulated devices of one machine ran it.")
	}
	return nil
}

// open opens two devices of one driver.
func open() ([]*rtc.Device, error) {
	first, err := rtc.OpenAny()
	if err != nil {
		return nil, err
	}
	n, err := first.Driver().DeviceCount()
	if err == nil && n < 2 {
		if err = first.Close(); err == nil {
			first, err = rtc.OpenSimulatedWith(sim.Config{Devices: make([]sim.Device, 2)})
			n = 2
		}
	}
	if err != nil {
		return nil, err
	}
	second, err := rtc.OpenWith(rtc.OpenConfig{Driver: first.Driver(), Ordinal: (first.Ordinal() + 1) % n})
	if err != nil {
		_ = first.Close()
		return nil, err
	}
	return []*rtc.Device{first, second}, nil
}
