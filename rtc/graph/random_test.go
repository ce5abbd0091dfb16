package graph_test

import (
	"math/bits"
	"math/rand/v2"
	"time"

	"github.com/purecuda/purecuda/rtc/graph"
)

// randomTasks are n tasks that use a few memories, with some edges by After, in
// both directions if back is set. An odd number of them is on two devices.
func randomTasks(dice *rand.Rand, n int, back bool) []graph.Task {
	tasks := make([]graph.Task, n)
	for i := range tasks {
		t := &tasks[i]
		for range dice.IntN(3) {
			t.Reads = append(t.Reads, graph.Use{Memory: dice.IntN(n/2 + 1)})
		}
		for range dice.IntN(2) {
			t.Writes = append(t.Writes, graph.Use{Memory: dice.IntN(n/2 + 1)})
		}
		if i > 0 && dice.IntN(3) == 0 {
			t.After = append(t.After, dice.IntN(i))
		}
		if back && dice.IntN(6) == 0 {
			t.After = append(t.After, dice.IntN(n))
		}
		t.Device = dice.IntN(1 + n%2)
		t.Owner = []string{"", "a", "b"}[dice.IntN(3)]
		t.Cost = time.Duration(dice.IntN(4)) * time.Millisecond
	}
	return tasks
}

// A relation has for each task the set of those that come before it.
type relation []uint32

// needed is what tasks ask for, by comparing all with all.
func needed(tasks []graph.Task) relation {
	r := make(relation, len(tasks))
	touches := func(a, b []graph.Use) bool {
		for _, x := range a {
			for _, y := range b {
				if x.Memory == y.Memory {
					return true
				}
			}
		}
		return false
	}
	for i, t := range tasks {
		for j, u := range tasks[:i] {
			if touches(u.Writes, t.Reads) || touches(u.Reads, t.Writes) || touches(u.Writes, t.Writes) {
				r[i] |= 1 << j
			}
		}
		for _, a := range t.After {
			r[i] |= 1 << a
		}
	}
	return r
}

// closed adds what follows.
func (r relation) closed() relation {
	c := append(relation{}, r...)
	for again := true; again; {
		again = false
		for i := range c {
			all := c[i]
			for j := range c {
				if c[i]&(1<<j) != 0 {
					all |= c[j]
				}
			}
			again = again || all != c[i]
			c[i] = all
		}
	}
	return c
}

func (r relation) cyclic() bool {
	for i, before := range r {
		if before&(1<<i) != 0 {
			return true
		}
	}
	return false
}

func (r relation) has(from, to int) bool { return r[to]&(1<<from) != 0 }

func (r relation) count() int {
	n := 0
	for _, before := range r {
		n += bits.OnesCount32(before)
	}
	return n
}

// lanes is what streams order by themselves.
func lanes(p *graph.Plan) relation {
	r := make(relation, len(p.Tasks))
	for _, lane := range p.Streams {
		for i, t := range lane.Tasks[1:] {
			r[t] |= 1 << lane.Tasks[i]
		}
	}
	return r
}

// ordered is what a plan makes sure of, without some of its waits.
func ordered(p *graph.Plan, waits []graph.Wait) relation {
	r := lanes(p)
	for _, w := range waits {
		r[w.To] |= 1 << w.From
	}
	return r.closed()
}
