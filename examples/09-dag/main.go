// Dag runs four kernels of which B needs A, C needs B, and D needs A: as the
// program says nothing about, since const in their signatures does. It prints the
// plan, runs it over streams and as a CUDA graph, changes an argument in place,
// and writes dag.svg, a picture of a measured run, and dag.json, its trace for
// ui.perfetto.dev, into the current folder or the one that is named.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

const source = `
__device__ float turn(float v, int times) { // takes its time
    for (int i = 0; i < times; i++) v = v * 0.5f + 1.0f;
    return v;
}
extern "C" __global__ void ramp(float *x, float from) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    x[i] = from + i;
}
extern "C" __global__ void halfway(const float *x, float *y, int times) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    y[i] = turn(x[i], times);
}
extern "C" __global__ void add(const float *x, const float *y, float *z) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    z[i] = x[i] + y[i];
}`

const (
	blocks  = 4
	threads = 64
)

func main() {
	folder := "."
	if len(os.Args) > 1 {
		folder = os.Args[1]
	}
	if err := run(os.Stdout, folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, folder string) error {
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
	g := graph.New(dev)
	defer g.Close()
	d := &dag{g: g, mod: mod, arrays: map[string]*rtc.Array{}}
	for _, name := range []string{"x", "y", "z", "w"} {
		a, err := rtc.Zeros[float32](dev, blocks*threads)
		if err != nil {
			return err
		}
		d.arrays[name] = a
		if err := g.Label(a, name); err != nil {
			return err
		}
	}
	x, y, z, v := d.arrays["x"], d.arrays["y"], d.arrays["z"], d.arrays["w"]
	a := d.node("A", "ramp", "float *x, float from", x, 0)
	d.node("B", "halfway", "const float *x, float *y, int times", x, y, 1)
	d.node("C", "add", "const float *x, const float *y, float *z", y, y, z)
	d.node("D", "halfway", "const float *x, float *y, int times", x, v, 1000)
	if d.err != nil {
		return d.err
	}

	p, err := g.Plan()
	if err != nil {
		return err
	}
	for s, lane := range p.Streams {
		fmt.Fprintf(w, "stream %d:", s)
		for _, t := range lane.Tasks {
			fmt.Fprintf(w, " %s", p.Tasks[t].Name)
		}
		fmt.Fprintln(w)
	}
	for _, wait := range p.Waits {
		fmt.Fprintf(w, "an event behind %s, for %s\n", p.Tasks[wait.From].Name, p.Tasks[wait.To].Name)
	}

	if err := g.Run(context.Background()); err != nil {
		return err
	}
	if err := d.report(w, "over streams"); err != nil {
		return err
	}
	replay, err := g.Instantiate()
	if err != nil {
		return err
	}
	how := "as a CUDA graph"
	if !replay.Native() {
		how = "over streams, as the driver has no CUDA graphs"
	}
	if err := a.SetArg(1, 100); err != nil { // in place: nothing is instantiated anew
		return err
	}
	if err := replay.Launch(dev.Stream()); err != nil {
		return err
	}
	if err := d.report(w, how+", from 100 on"); err != nil {
		return err
	}
	return d.draw(w, folder)
}

// A dag is the graph with what it works on.
type dag struct {
	g      *graph.Graph
	mod    *rtc.Module
	arrays map[string]*rtc.Array
	err    error // the first
}

func (d *dag) node(name, kernel, signature string, args ...any) *graph.Node {
	if d.err != nil {
		return nil
	}
	k, err := d.mod.Kernel(kernel, signature)
	if err != nil {
		d.err = err
		return nil
	}
	n, err := d.g.Kernel(k, rtc.Dim(blocks), rtc.Dim(threads), 0, args...)
	if err != nil {
		d.err = err
		return nil
	}
	return n.Set(graph.NodeConfig{Name: name})
}

func (d *dag) report(w io.Writer, how string) error {
	fmt.Fprintf(w, "%s:", how)
	for _, name := range []string{"z", "w"} {
		out, err := rtc.ToSlice[float32](d.arrays[name])
		if err != nil {
			return err
		}
		fmt.Fprintf(w, " %s = %v…", name, out[:3])
	}
	_, err := fmt.Fprintln(w)
	return err
}

// draw measures a run and writes what it was.
func (d *dag) draw(w io.Writer, folder string) error {
	trace, err := d.g.Trace(context.Background())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "measured: %v in all\n", trace.Plan.Total.Round(time.Microsecond/10))
	if err := os.WriteFile(filepath.Join(folder, "dag.svg"), []byte(trace.Plan.SVG()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "dag.json"), trace.JSON(), 0o666)
}
