package graph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/purecuda/purecuda/rtc"
	"github.com/purecuda/purecuda/rtc/graph"
)

// Two kernels that read what a fill wrote run beside each other, and a third
// joins what they made.
func Example() {
	dev, err := rtc.OpenSimulated()
	if err != nil {
		log.Fatal(err)
	}
	defer dev.Close()
	mod, err := rtc.LoadModule(mixPTX, rtc.ModuleConfig{})
	if err != nil {
		log.Fatal(err)
	}
	defer mod.Close()
	mix, err := mod.Kernel("mix", "const unsigned *a, const unsigned *b, unsigned *c, unsigned k") // c = 3c + 5a + (b ^ k)
	if err != nil {
		log.Fatal(err)
	}
	var x, y, z, sum *rtc.Array
	for _, a := range []**rtc.Array{&x, &y, &z, &sum} {
		if *a, err = rtc.Zeros[uint32](dev, 32); err != nil {
			log.Fatal(err)
		}
	}

	g := graph.New(dev)
	defer g.Close()
	add := func(name string, args ...any) *graph.Node {
		n, err := g.Kernel(mix, rtc.Dim(1), rtc.Dim(32), 0, args...)
		if err != nil {
			log.Fatal(err)
		}
		return n.Set(graph.NodeConfig{Name: name})
	}
	if _, err := graph.FillWith(g, x, uint32(1)); err != nil {
		log.Fatal(err)
	}
	left := add("left", x, x, y, 0)
	add("right", x, x, z, 2)
	add("join", y, z, sum, 0)

	p, err := g.Plan()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(p.Streams), "streams,", p.Events(), "events")
	if err := g.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
	replay, err := g.Instantiate()
	if err != nil {
		log.Fatal(err)
	}
	if err := left.SetArg(3, 7); err != nil {
		log.Fatal(err)
	}
	if err := replay.Launch(dev.Stream()); err != nil {
		log.Fatal(err)
	}
	out, err := rtc.ToSlice[uint32](sum)
	fmt.Println(out[0], err)
	// Output:
	// 2 streams, 2 events
	// 291 <nil>
}

// A plan needs no device.
func ExampleNewPlan() {
	x, y := []graph.Use{{Memory: 0}}, []graph.Use{{Memory: 1}}
	p, err := graph.NewPlan([]graph.Task{
		{Name: "A", Writes: x},
		{Name: "B", Reads: x, Writes: y},
		{Name: "C", Reads: y},
		{Name: "D", Reads: x},
	}, graph.PlanConfig{Memories: []string{"x", "y"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, w := range p.Waits {
		fmt.Println(p.Tasks[w.To].Name, "waits for", p.Tasks[w.From].Name)
	}
	// Output:
	// D waits for A
}
