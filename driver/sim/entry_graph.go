package sim

import (
	"os"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

func graphEntries() map[string]entry {
	return map[string]entry{
		"cuGraphCreate":        {facts, graphCreate},
		"cuGraphDestroy":       {facts, graphDestroy},
		"cuGraphGetNodes":      {process, graphGetNodes},
		"cuGraphNodeGetType":   {process, notNull(graphNodeGetType, 1)},
		"cuGraphDebugDotPrint": {process, notNull(graphDebugDotPrint, 1)},
	}
}

// graphCreate makes a graph, of the context that is current if there is one.
func graphCreate(d *Driver, _ *context, a []uintptr) driver.Result {
	if a[0] == 0 || uint32(a[1]) != 0 {
		return driver.InvalidValue
	}
	ctx, _ := d.now()
	callee.Put(a[0], put(d, d.graphs, &graph{ctx: ctx}))
	return driver.Success
}

func graphDestroy(d *Driver, _ *context, a []uintptr) driver.Result {
	if d.graphs[a[0]] == nil {
		return driver.InvalidValue
	}
	d.dropGraph(a[0])
	return driver.Success
}

func graphGetNodes(d *Driver, _ *context, a []uintptr) driver.Result {
	g := d.graphs[a[0]]
	switch {
	case g == nil:
		return driver.InvalidValue
	case a[2] == 0:
		return driver.InvalidValue
	}
	if a[1] != 0 && *callee.At[uint64](a[2]) == 0 {
		return driver.InvalidValue
	}
	if a[1] != 0 {
		out := callee.Slice[uintptr](a[1], int(*callee.At[uint64](a[2])))
		clear(out)
		for i, n := range g.nodes[:min(len(out), len(g.nodes))] {
			out[i] = n.handle
		}
	}
	callee.Put(a[2], uint64(len(g.nodes)))
	return driver.Success
}

func graphNodeGetType(d *Driver, _ *context, a []uintptr) driver.Result {
	n := d.nodes[a[0]]
	if n == nil {
		return driver.InvalidValue
	}
	callee.Put(a[1], n.work.kind())
	return driver.Success
}

func graphDebugDotPrint(d *Driver, _ *context, a []uintptr) driver.Result {
	g := d.graphs[a[0]]
	if g == nil {
		return driver.InvalidValue
	}
	text, path := g.dot(), dl.GoString(a[1])
	var err error
	d.unlocked(func() { err = os.WriteFile(path, []byte(text), 0o666) })
	if err != nil {
		return driver.OperatingSystem
	}
	return driver.Success
}
