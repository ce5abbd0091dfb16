package graph

import (
	"fmt"
	"strings"
)

// Mermaid is the plan in the language of Mermaid, which GitHub draws: a box for
// each stream, the critical path with bold borders, and bold arrows where an
// event is needed.
func (p *Plan) Mermaid() string {
	if p == nil {
		p = &Plan{}
	}
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for s, lane := range p.Streams {
		fmt.Fprintf(&b, "\tsubgraph s%d[\"%s\"]\n\t\tdirection LR\n", s, entities(p.title(s)))
		for _, t := range lane.Tasks {
			fmt.Fprintf(&b, "\t\tn%d[\"%s\"]\n", t, entities(p.label(t, "\n")))
		}
		b.WriteString("\tend\n")
	}
	waits := p.waiting()
	for _, e := range p.Edges {
		arrow := "-->"
		if waits[Wait{e.From, e.To}] {
			arrow = "==>"
		}
		fmt.Fprintf(&b, "\tn%d %s|\"%s\"| n%d\n", e.From, arrow, entities(p.why(e)), e.To)
	}
	if len(p.Critical) > 0 {
		b.WriteString("\tclassDef critical stroke:crimson,stroke-width:3px\n\tclass ")
		for i, t := range p.Critical {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "n%d", t)
		}
		b.WriteString(" critical\n")
	}
	return b.String()
}

// entities writes what means something in a quoted text of Mermaid's by its
// number.
func entities(s string) string {
	return strings.NewReplacer("#", "#35;", "&", "#amp;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\n", "<br>").Replace(s)
}
