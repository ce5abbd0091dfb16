package graph

import (
	"cmp"
	"fmt"
	"slices"
)

// A RaceError says that two tasks write the same bytes and that nothing orders
// them, at least one being Unordered.
//
// Safe for concurrent use.
type RaceError struct {
	First, Second string // the tasks
	Memory        string
}

// Error names the tasks and the memory.
func (e *RaceError) Error() string {
	return fmt.Sprintf("%s and %s both write %s, and nothing orders them: give one After the other", e.First, e.Second, e.Memory)
}

// A question is whether one task depends on another, which is before it in the
// order.
type question struct{ from, to, memory int }

// races looks for two tasks that write the same bytes in no certain order. The
// writers of a byte are in order if each depends on the one that comes before it
// in any order that respects the edges.
func (p *Plan) races() error {
	if !slices.ContainsFunc(p.Tasks, func(t Task) bool { return t.Unordered && len(t.Writes) > 0 }) {
		return nil
	}
	rank := p.ranks()
	questions := p.questions()
	slices.SortFunc(questions, func(a, b question) int {
		return cmp.Or(cmp.Compare(rank[a.from], rank[b.from]), cmp.Compare(rank[a.to], rank[b.to]), cmp.Compare(a.memory, b.memory))
	})
	for batch := range slices.Chunk(questions, 64) {
		if q := p.unanswered(batch, rank); q != nil {
			return &RaceError{p.name(q.from), p.name(q.to), p.memory(q.memory)}
		}
	}
	return nil
}

// A writing is a use by a task, in the order of the tasks.
type writing struct{ task, from, to int }

// questions is what must hold for there to be no race.
func (p *Plan) questions() []question {
	writings := map[int][]writing{}
	waived := map[int]bool{} // memories that an unordered task writes
	for _, t := range p.Order {
		for _, u := range p.Tasks[t].Writes {
			from, to := u.bounds()
			writings[u.Memory] = append(writings[u.Memory], writing{t, from, to})
			waived[u.Memory] = waived[u.Memory] || p.Tasks[t].Unordered
		}
	}
	var all []question
	for m := range waived {
		if !waived[m] {
			continue
		}
		// Pieces that are written as a whole or not at all, with their last writers.
		var cuts []int
		for _, w := range writings[m] {
			cuts = append(cuts, w.from, w.to)
		}
		slices.Sort(cuts)
		cuts = slices.Compact(cuts)
		last := make([]int, len(cuts)) // one more than the task
		for _, w := range writings[m] {
			asked := w.task
			i, _ := slices.BinarySearch(cuts, w.from)
			for ; cuts[i] < w.to; i++ {
				l := last[i] - 1
				last[i] = w.task + 1
				if l >= 0 && l != asked && l != w.task && (p.Tasks[l].Unordered || p.Tasks[w.task].Unordered) {
					all = append(all, question{l, w.task, m})
					asked = l
				}
			}
		}
	}
	return all
}

// unanswered is the first of up to 64 questions that is to be answered by no:
// a bit for each goes from task to task along the edges.
func (p *Plan) unanswered(batch []question, rank []int) *question {
	begin, end := rank[batch[0].from], 0
	for _, q := range batch {
		end = max(end, rank[q.to])
	}
	depends := make([]uint64, end-begin+1)
	for i, q := range batch {
		depends[rank[q.from]-begin] |= 1 << i
	}
	for r := begin; r <= end; r++ {
		for _, e := range p.Before(p.Order[r]) {
			if f := rank[e.From]; f >= begin {
				depends[r-begin] |= depends[f-begin]
			}
		}
	}
	for i, q := range batch {
		if depends[rank[q.to]-begin]&(1<<i) == 0 {
			return &batch[i]
		}
	}
	return nil
}
