package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purecuda/purecuda/driver"
)

// dot is the graph in Graphviz' language.
func (g *graph) dot() string {
	var b strings.Builder
	b.WriteString("digraph graph_ {\n")
	for i, n := range g.nodes {
		fmt.Fprintf(&b, "\tn%d [label=%q];\n", i, n.label())
		for _, before := range n.after {
			fmt.Fprintf(&b, "\tn%d -> n%d;\n", slices.Index(g.nodes, before), i)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

func (n *node) label() string {
	if k, ok := n.work.(*kernelWork); ok {
		return k.launch.Kernel.Name
	}
	switch n.work.kind() {
	case driver.CopyNode:
		return "memcpy"
	case driver.MemsetNode:
		return "memset"
	case driver.HostNode:
		return "host"
	case driver.ChildGraphNode:
		return "graph"
	case driver.EventWaitNode:
		return "wait for event"
	case driver.EventRecordNode:
		return "record event"
	}
	return "empty"
}
