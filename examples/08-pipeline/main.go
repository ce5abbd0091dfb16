// Pipeline takes data through a kernel in chunks: to the device, through the
// kernel, and back, on three streams in turn, so that the copies of one chunk
// overlap with the kernel of another. It prints when each part of each chunk
// ran, and what the same work takes on one stream.
//
// With a file's name as argument it writes the times there as well, as a trace
// that ui.perfetto.dev and chrome://tracing show.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc"
)

// The factor and the summand are arguments: a compiler that knew them would
// make a few steps one.
const source = `
extern "C" __global__ void steps(unsigned int *x, unsigned int factor, unsigned int summand, int rounds, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    unsigned int v = x[i];
    for (int r = 0; r < rounds; r++) v = v * factor + summand;
    x[i] = v;
}`

const (
	factor  = 1664525
	summand = 1013904223
	chunks  = 8
)

func main() {
	file := ""
	if len(os.Args) > 1 {
		file = os.Args[1]
	}
	if err := run(os.Stdout, file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, file string) error {
	dev, err := rtc.OpenAny()
	if err != nil {
		return err
	}
	defer dev.Close()
	j := &job{dev: dev, size: 4 << 20, rounds: 2000} // about as long in the kernel as on the way
	if dev.Simulated() {
		j.size, j.rounds = 1<<10, 60
	}
	mod, err := rtc.NewModule(source, rtc.ModuleConfig{Name: "steps.cu"})
	if err != nil {
		return err
	}
	defer mod.Close()
	if j.kernel, err = mod.Kernel("steps", "unsigned int *x, unsigned int factor, unsigned int summand, int rounds, int n"); err != nil {
		return err
	}
	if err := j.fill(); err != nil {
		return err
	}
	streams := make([]*rtc.Stream, 3)
	for i := range streams {
		if streams[i], err = dev.NewStream(rtc.StreamConfig{}); err != nil {
			return err
		}
	}
	var one, three []part
	for range 2 { // the first time the kernel is loaded as well
		if one, err = j.through(streams[:1]); err != nil {
			return err
		}
		if three, err = j.through(streams); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d chunks of %d KiB on %s\n\n", chunks, j.size*4>>10, dev.Name())
	chart(w, three)
	fmt.Fprintf(w, "\none stream %.1f µs, three streams %.1f µs; the results are right\n", micro(end(one)), micro(end(three)))
	if dev.Simulated() {
		fmt.Fprintln(w, "No GPU here, so a simulated device ran it: its time is virtual, that of a model.")
	}
	if file == "" {
		return nil
	}
	if err := writeTrace(file, dev.Name(), three); err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, "wrote", file)
	return err
}
