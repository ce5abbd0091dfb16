package sim

import (
	"slices"
	"sync"
	"time"
)

// worst holds everything back until something forces it: a wait, a free, a copy to memory that is not pinned. Then it runs what that needs,
// one at a time, and where there is a choice its generator makes it.
type worst struct {
	rng     rng
	ranks   map[*stream]int // while ops run by rank; nil while they run by lot
	forcing bool            // somebody runs ops
	forced  sync.Cond
	timer   *time.Timer
}

// queries is how often a query is told that something has not ended yet before it is forced: a program may poll for ever.
const queries = 3

// touch begins the time of patience anew.
func (w *worst) touch(q *schedule) {
	if w.timer == nil {
		w.timer = time.AfterFunc(patience, func() {
			q.d.mu.Lock()
			defer q.d.mu.Unlock()
			q.drain(func(*stream) bool { return true })
		})
		return
	}
	w.timer.Reset(patience)
}

// force runs ops until all marks are met.
func (w *worst) force(q *schedule, marks ...mark) {
	unmet := func(m mark) bool { return !m.met() }
	for slices.ContainsFunc(marks, unmet) {
		if w.forcing {
			w.forced.Wait()
			continue
		}
		w.forcing = true
		w.deal()
		for slices.ContainsFunc(marks, unmet) {
			s := w.choose(marks)
			at, took := q.run(s)
			q.finish(s, at, took)
		}
		w.forcing = false
		w.forced.Broadcast()
	}
}

// deal says how streams take turns until the marks are met: half of the time each turn is drawn by lot, half of the time each stream gets a
// rank. The one of the lowest is then as late as can be: whatever does not wait for it overtakes it, however far that has to come.
func (w *worst) deal() {
	w.ranks = nil
	if w.rng.below(2) == 0 {
		w.ranks = map[*stream]int{}
	}
}

// choose is a stream whose first op can run now, of those that the marks need. There is one: the op that was enqueued first waits for none.
func (w *worst) choose(marks []mark) *stream {
	need := map[*stream]uint64{}
	for _, m := range marks {
		needs(need, m)
	}
	var free []*stream
	for s := range need {
		if !slices.ContainsFunc(s.head().waits, func(m mark) bool { return !m.met() }) {
			free = append(free, s)
		}
	}
	slices.SortFunc(free, func(a, b *stream) int { return int(a.head().order) - int(b.head().order) })
	if w.ranks == nil {
		return free[w.rng.below(len(free))]
	}
	for _, s := range free {
		if _, ok := w.ranks[s]; !ok {
			w.ranks[s] = w.rng.below(1 << 30)
		}
	}
	return slices.MaxFunc(free, func(a, b *stream) int { return w.ranks[a] - w.ranks[b] })
}

// needs adds up how far each stream must come for a mark to be met.
func needs(need map[*stream]uint64, m mark) {
	from := max(need[m.s], m.s.done)
	if m.n <= from {
		return
	}
	need[m.s] = m.n
	for i := from; i < m.n; i++ {
		for _, wait := range m.s.at(int(i - m.s.done)).waits {
			needs(need, wait)
		}
	}
}
