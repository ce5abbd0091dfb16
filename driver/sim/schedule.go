package sim

import (
	"slices"
	"sync"
	"time"
)

// A schedule decides when the operations of all streams run. Its methods want the driver's lock.
type schedule struct {
	d     *Driver
	order uint64
	now   moment           // the latest that the program knows of
	busy  map[*stream]bool // streams with something in them
	todo  []*stream        // whose first op is to be looked at
	loop  bool             // somebody does that

	ready   []*stream // whose first op can run
	active  int       // ops that run
	workers int       // goroutines that run ops besides those of callers who wait
	coming  int       // those of them that will look for one next
	single  bool      // one op runs at a time
	serve   func()    // work, made once

	worst *worst // nil: what can run does
}

func (q *schedule) init(d *Driver) {
	q.d, q.busy, q.serve = d, map[*stream]bool{}, q.work
	q.single = d.config.Workers == 1
	if d.config.Scheduler == Worst {
		q.worst = &worst{rng: rng(d.config.Seed), forced: sync.Cond{L: &d.mu}}
	}
}

// add puts work into a stream, behind what it must wait for. A nil work does nothing, in its turn.
func (q *schedule) add(s *stream, w work, e *record, waits ...mark) {
	o := s.push()
	o.work, o.event, o.known, o.order = w, e, q.now, q.order
	q.order++
	for _, m := range waits {
		o.wait(m)
	}
	s.ctx.orderNull(q.d, s, o)
	if e != nil {
		e.mark = mark{s: s, n: s.added, e: e}
	}
	s.shown = 0
	q.busy[s] = true
	if q.worst != nil {
		q.worst.touch(q)
	} else if s.count == 1 {
		q.look(s)
	}
}

// wait makes o wait for a mark, and begin no earlier than that was met.
func (o *op) wait(m mark) {
	if m.met() {
		o.known = max(o.known, m.when())
		return
	}
	o.waits = append(o.waits, m)
}

// look sees whether the first op of a stream can run, and those that come of that.
func (q *schedule) look(s *stream) {
	q.todo = append(q.todo, s)
	if q.loop {
		return
	}
	q.loop = true
	for len(q.todo) > 0 {
		last := len(q.todo) - 1
		s := q.todo[last]
		q.todo = q.todo[:last]
		if s.count == 0 || s.running || s.queued || !s.free() {
			continue
		}
		if s.head().work == nil {
			q.finish(s, s.begin(), 0)
			continue
		}
		s.queued = true
		q.ready = append(q.ready, s)
	}
	q.loop = false
	q.staff()
}

// staff sees that somebody comes for what is ready.
func (q *schedule) staff() {
	for len(q.ready) > q.coming && !(q.single && q.active+q.coming > 0) {
		q.workers++
		q.coming++
		go q.serve()
	}
}

// free reports whether nothing keeps the first op from running. If something does, the stream is looked at again when that is over.
func (s *stream) free() bool {
	for _, m := range s.head().waits {
		if !m.met() {
			m.s.waiting = append(m.s.waiting, s)
			return false
		}
	}
	return true
}

// begin is the moment at which the first op begins.
func (s *stream) begin() moment {
	o := s.head()
	at := max(s.end, o.known)
	for _, m := range o.waits {
		at = max(at, m.when())
	}
	return at
}

// work runs what is ready until nothing is.
func (q *schedule) work() {
	q.d.mu.Lock()
	defer q.d.mu.Unlock()
	for len(q.ready) > 0 && !(q.single && q.active > 0) {
		s := q.take(q.best())
		q.coming--
		at, took := q.run(s)
		q.coming++
		q.finish(s, at, took)
	}
	q.coming--
	q.workers--
}

// help runs an op of a stream that somebody waits for, if that has not begun: the caller has nothing else to do.
func (q *schedule) help(s *stream) bool {
	i := slices.Index(q.ready, s)
	if q.single {
		i = -1
		if q.active == 0 && len(q.ready) > 0 {
			i = q.best()
		}
	}
	if i < 0 {
		return false
	}
	s = q.take(i)
	at, took := q.run(s)
	q.finish(s, at, took)
	q.staff()
	return true
}

// best chooses among the ready streams: the urgent one, or, if one runs at a time, the one whose op was enqueued first.
func (q *schedule) best() int {
	best := 0
	for i, s := range q.ready[1:] {
		b := q.ready[best]
		if q.single || s.priority == b.priority {
			if s.head().order < b.head().order {
				best = i + 1
			}
		} else if s.priority < b.priority {
			best = i + 1
		}
	}
	return best
}

// take takes the i-th of the ready streams.
func (q *schedule) take(i int) *stream {
	s := q.ready[i]
	q.ready = slices.Delete(q.ready, i, i+1)
	s.queued = false
	return s
}

// run runs the first op of a stream, without the lock.
func (q *schedule) run(s *stream) (at moment, took span) {
	at = s.begin()
	if w := s.head().work; w != nil && q.d.fault == nil {
		var f *fault
		s.running = true
		q.active++
		q.d.mu.Unlock()
		took, f = w.run(at)
		q.d.mu.Lock()
		q.active--
		q.d.over(w)
		if f != nil {
			q.d.fail(f)
		}
		s.running = false
	}
	return at, took
}

// finish notes that the first op of a stream has ended.
func (q *schedule) finish(s *stream, at moment, took span) {
	s.end = at + moment(took)
	if e := s.head().event; e != nil {
		e.at = s.end
		if e.shared != nil {
			e.shared.happen(e.number)
		}
	}
	s.ctx.ran(s)
	s.pop()
	s.change.Broadcast()
	if s.count == 0 {
		delete(q.busy, s)
	}
	if q.worst != nil {
		return
	}
	q.todo = append(q.todo, s.waiting...)
	s.waiting = s.waiting[:0]
	q.look(s)
}

// wait returns when a mark is met, or the devices are lost.
func (q *schedule) wait(m mark) {
	if q.worst != nil {
		q.worst.force(q, m)
	}
	for !m.met() {
		if !q.help(m.s) {
			m.s.change.Wait()
		}
	}
	q.learn(m.when())
}

// learn notes a moment that the program now knows to be over: what it enqueues next begins later.
func (q *schedule) learn(at moment) { q.now = max(q.now, at) }

// drain waits for all that is in the streams that are meant.
func (q *schedule) drain(meant func(*stream) bool) {
	marks := q.marks(meant)
	if q.worst != nil {
		q.worst.force(q, marks...)
	}
	for _, m := range marks {
		q.wait(m)
	}
}

// marks are the ends of the streams that are meant and have something in them, in the order in which the streams were made busy.
func (q *schedule) marks(meant func(*stream) bool) []mark {
	var all []mark
	for s := range q.busy {
		if meant(s) {
			all = append(all, s.mark())
		}
	}
	slices.SortFunc(all, func(a, b mark) int { return int(a.s.head().order) - int(b.s.head().order) })
	return all
}

// abandon drops all that does not run yet.
func (q *schedule) abandon() {
	for s := range q.busy {
		keep := 0
		if s.running {
			keep = 1
		}
		for s.count > keep {
			o := s.at(s.count - 1)
			*o = op{}
			s.count--
			s.done++ // whoever waits goes on, and finds the fault
		}
		if s.queued {
			s.queued = false
		}
		s.waiting = s.waiting[:0]
		s.change.Broadcast()
		if s.count == 0 {
			delete(q.busy, s)
		}
	}
	q.ready = q.ready[:0]
}

// patience is how long a program may stay silent until all that Worst holds back runs: a GPU gets to everything in the end,
// and a program may wait for what it does in ways that the driver does not see.
const patience = 100 * time.Millisecond
