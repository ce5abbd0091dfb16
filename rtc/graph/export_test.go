package graph

import "slices"

// DropWait makes the plan one that lacks wait i.
func DropWait(g *Graph, i int) {
	p := *g.plan
	p.Waits = slices.Delete(slices.Clone(p.Waits), i, i+1)
	g.plan, g.ready = &p, nil
}
