package graph

import (
	"slices"
	"strings"
)

// A CycleError says that tasks would have to come before themselves.
//
// Safe for concurrent use.
type CycleError struct {
	Names []string // of the tasks, each before the next, the last before the first
	Edges []Edge   // from each to the next
	why   []string // of the edges
}

// Error is the way around, with the reason for each step.
func (e *CycleError) Error() string {
	var b strings.Builder
	b.WriteString("a cycle: " + e.Names[0])
	for i, why := range e.why {
		b.WriteString(" → " + e.Names[(i+1)%len(e.Names)] + " (" + why + ")")
	}
	return b.String()
}

// sort puts each task behind what it depends on, otherwise as they were given:
// it goes through them and puts whatever a task needs in front of it.
func (p *Plan) sort() error {
	const entered, done = 1, 2
	state := make([]byte, len(p.Tasks))
	next := slices.Clone(p.first[:len(p.Tasks)]) // edge to be looked at, by task
	var path []int
	p.Order = make([]int, 0, len(p.Tasks))
	for root := range p.Tasks {
		if state[root] == done {
			continue
		}
		path = append(path[:0], root)
		state[root] = entered
		for len(path) > 0 {
			t := path[len(path)-1]
			if next[t] == p.first[t+1] {
				state[t] = done
				p.Order = append(p.Order, t)
				path = path[:len(path)-1]
				continue
			}
			before := p.Edges[next[t]].From
			next[t]++
			switch state[before] {
			case entered:
				return p.cycle(path[slices.Index(path, before):], next)
			case 0:
				state[before] = entered
				path = append(path, before)
			}
		}
	}
	return nil
}

// cycle is the error for a path of tasks, each of which needs the next, and the
// last the first. The edge that was looked at last leads there.
func (p *Plan) cycle(path []int, next []int) error {
	e := &CycleError{}
	for _, t := range slices.Backward(path) {
		edge := p.Edges[next[t]-1]
		e.Names = append(e.Names, p.name(edge.From))
		e.Edges = append(e.Edges, edge)
		why := edge.Reason.String()
		if edge.Memory >= 0 {
			why += ": " + p.memory(edge.Memory)
		}
		e.why = append(e.why, why)
	}
	return e
}

// ranks is the place of each task in the order.
func (p *Plan) ranks() []int {
	rank := make([]int, len(p.Tasks))
	for i, t := range p.Order {
		rank[t] = i
	}
	return rank
}
