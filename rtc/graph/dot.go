package graph

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// DOT is the plan in the language of Graphviz: a box for each stream, the
// critical path bold, and bold edges where an event is needed.
func (p *Plan) DOT() string {
	if p == nil {
		p = &Plan{}
	}
	var b strings.Builder
	b.WriteString("digraph plan {\n\trankdir=LR\n\tnode [shape=box]\n")
	critical := p.onCritical()
	for s, lane := range p.Streams {
		fmt.Fprintf(&b, "\tsubgraph cluster_%d {\n\t\tlabel=%s\n", s, quote(p.title(s)))
		for _, t := range lane.Tasks {
			style := ""
			if critical[t] {
				style = ", style=bold, color=crimson"
			}
			fmt.Fprintf(&b, "\t\tn%d [label=%s%s]\n", t, quote(p.label(t, "\n")), style)
		}
		b.WriteString("\t}\n")
	}
	waits := p.waiting()
	for _, e := range p.Edges {
		style := "color=grey"
		if waits[Wait{e.From, e.To}] {
			style = "style=bold"
		}
		fmt.Fprintf(&b, "\tn%d -> n%d [label=%s, %s]\n", e.From, e.To, quote(p.why(e)), style)
	}
	b.WriteString("}\n")
	return b.String()
}

// quote writes a string of Graphviz's, in which \n is a new line.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

// onCritical tells the tasks of the critical path.
func (p *Plan) onCritical() []bool {
	on := make([]bool, len(p.Tasks))
	for _, t := range p.Critical {
		on[t] = true
	}
	return on
}

func (p *Plan) waiting() map[Wait]bool {
	all := map[Wait]bool{}
	for _, w := range p.Waits {
		all[w] = true
	}
	return all
}

// title is what a stream is called. Of which device it is stands there if that is
// not the same for all.
func (p *Plan) title(s int) string {
	lane := &p.Streams[s]
	title := lane.Owner
	if title == "" {
		title = "stream " + strconv.Itoa(s)
	}
	if slices.ContainsFunc(p.Streams, func(l Lane) bool { return l.Device != lane.Device }) {
		title += ", " + p.device(lane.Device)
	}
	return title
}

// label is a task's name, kind and cost.
func (p *Plan) label(t int, newline string) string {
	task := &p.Tasks[t]
	s := p.name(t)
	if task.Kind != Kernel {
		s += newline + task.Kind.String()
	}
	if task.Cost > 0 {
		s += newline + task.Cost.String()
	}
	return s
}

// why is what an edge is about.
func (p *Plan) why(e Edge) string {
	if e.Memory < 0 {
		return e.Reason.String()
	}
	return p.memory(e.Memory)
}

// sorted is the waits in the order of their tasks, for pictures.
func (p *Plan) sorted() []Wait {
	return slices.SortedFunc(slices.Values(p.Waits), func(a, b Wait) int {
		if a.To != b.To {
			return a.To - b.To
		}
		return a.From - b.From
	})
}
