package graph

import (
	"slices"
	"time"
)

// tails is how long it takes from the start of each task to the end of all that
// depends on it, and the task that comes next on that way, or -1. The longest is
// the critical path.
func (p *Plan) tails() (heir []int) {
	tail := make([]time.Duration, len(p.Tasks)) // without the task itself until its turn
	heir = make([]int, len(p.Tasks))
	for i := range heir {
		heir[i] = -1
	}
	first := -1
	for _, t := range slices.Backward(p.Order) {
		tail[t] += p.Tasks[t].cost()
		for _, e := range p.Before(t) {
			if f := e.From; tail[t] > tail[f] || tail[t] == tail[f] && heir[f] > t {
				tail[f], heir[f] = tail[t], t
			}
		}
		if first < 0 || tail[t] >= tail[first] {
			first = t
		}
	}
	if first >= 0 {
		p.Length = tail[first]
	}
	for t := first; t >= 0; t = heir[t] {
		p.Critical = append(p.Critical, t)
	}
	return heir
}
