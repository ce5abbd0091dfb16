package graph

import (
	"fmt"
	"math"
	"time"
)

// A Reason is why one task comes before another.
type Reason int

// The reasons.
const (
	ByAfter         Reason = iota // it was asked for
	ReadAfterWrite                // To reads what From writes
	WriteAfterRead                // To overwrites what From reads
	WriteAfterWrite               // To overwrites what From writes
)

var reasons = [...]string{"after", "read after write", "write after read", "write after write"}

// String is the reason in words.
func (r Reason) String() string {
	if r < 0 || int(r) >= len(reasons) {
		return fmt.Sprintf("reason %d", int(r))
	}
	return reasons[r]
}

// An Edge says that one task comes before another.
//
// Safe for concurrent use after it is made; its fields must not change.
type Edge struct {
	From, To int
	Reason   Reason
	Memory   int // which is read and written; -1 for ByAfter
}

// A state is who used a piece of memory last.
type state struct {
	writer  int   // 0: nobody; else one more than the task
	readers []int // since
}

// link finds the edges. Each reader is met once more, by the next writer, so
// that all takes time in proportion to what is used.
func (p *Plan) link() error {
	memories := map[int]*state{}
	seen := make([]int, len(p.Tasks)) // by task: one more than the last that has an edge from it
	p.first = make([]int, len(p.Tasks)+1)
	p.Edges = make([]Edge, 0, 2*len(p.Tasks))
	add := func(from, to int, why Reason, memory int) {
		if seen[from] != to+1 && from != to {
			seen[from] = to + 1
			p.Edges = append(p.Edges, Edge{from, to, why, memory})
		}
	}
	var cost time.Duration // of all: no time of the plan is more
	for i := range p.Tasks {
		t := &p.Tasks[i]
		if t.Cost < 0 {
			return fmt.Errorf("%s: it costs %v; 0 is for what is not known", p.name(i), t.Cost)
		}
		if cost > math.MaxInt64-t.cost() {
			return fmt.Errorf("%s: it costs %v, and it and those before it more than a time.Duration holds, which is 292 years", p.name(i), t.Cost)
		}
		cost += t.cost()
		if t.Device < 0 {
			return fmt.Errorf("%s: it is on device %d", p.name(i), t.Device)
		}
		for _, uses := range [][]Use{t.Reads, t.Writes} {
			for _, u := range uses {
				if u.Memory < 0 {
					return fmt.Errorf("%s: it uses memory %d; they are numbered from 0", p.name(i), u.Memory)
				}
				if u.From < 0 || u.To < u.From {
					return fmt.Errorf("%s: it uses bytes %d to %d of %s, which are none", p.name(i), u.From, u.To, p.memory(u.Memory))
				}
				if memories[u.Memory] == nil {
					memories[u.Memory] = &state{}
				}
			}
		}
		if !t.Unordered {
			for _, u := range t.Reads {
				m := memories[u.Memory]
				if m.writer > 0 {
					add(m.writer-1, i, ReadAfterWrite, u.Memory)
				}
				m.readers = append(m.readers, i)
			}
			for _, u := range t.Writes {
				m := memories[u.Memory]
				if m.writer > 0 && len(m.readers) == 0 { // else the readers come after it
					add(m.writer-1, i, WriteAfterWrite, u.Memory)
				}
				for _, r := range m.readers {
					add(r, i, WriteAfterRead, u.Memory)
				}
				m.writer, m.readers = i+1, m.readers[:0]
			}
		}
		for _, a := range t.After {
			if a < 0 || a >= len(p.Tasks) {
				return fmt.Errorf("%s: it comes after task %d, of %d", p.name(i), a, len(p.Tasks))
			}
			if a == i {
				return &CycleError{Names: []string{p.name(i)}, Edges: []Edge{{i, i, ByAfter, -1}}, why: []string{"after"}}
			}
			add(a, i, ByAfter, -1)
		}
		p.first[i+1] = len(p.Edges)
	}
	return nil
}
