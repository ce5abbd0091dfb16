package graph

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
)

// Raw is the driver's graph.
func Raw(x *Exec) *driver.ExecGraph { return x.raw }

// DropWait makes the plan one that lacks wait i.
func DropWait(g *Graph, i int) {
	p := *g.plan
	p.Waits = slices.Delete(slices.Clone(p.Waits), i, i+1)
	g.plan, g.ready = &p, nil
}
