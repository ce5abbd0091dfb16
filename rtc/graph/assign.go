package graph

import (
	"cmp"
	"slices"
	"time"
)

// A planner gives tasks streams, one after the other in their order. What comes
// before a task is known as a clock: for each stream, how many of its first
// tasks do.
type planner struct {
	*Plan
	heir   []int // by task: the one that had best go on in its stream
	rank   []int // by task: its place in the order
	place  []int // by task: its number in its stream, from 1
	clocks [][]int
	free   []time.Duration // by stream: when its last task ends
	owners map[owning]int
	shared map[int]int // by device: streams that are nobody's

	spare []int // for clocks

	known  []int // what the dependencies of the task bring
	latest []int // by stream: the last task there that the task depends on, or -1
	needed []int // those
}

// An owning is whose a stream is, and of which device.
type owning struct {
	owner  string
	device int
}

// assign chooses streams, and with them the waits. The waits are the transitive
// reduction of the edges, given that streams keep their order: leaving out one
// loses an edge, and none can do more without delaying what need not wait.
func (p *Plan) assign(heir []int) {
	n := len(p.Tasks)
	p.Stream, p.Start, p.End = make([]int, n), make([]time.Duration, n), make([]time.Duration, n)
	a := &planner{Plan: p, heir: heir, rank: p.ranks(), place: make([]int, n), clocks: make([][]int, n), owners: map[owning]int{}, shared: map[int]int{}}
	for _, t := range p.Order {
		a.look(t)
		a.put(t, a.choose(t))
	}
}

// look gathers what the dependencies of a task know.
func (a *planner) look(t int) {
	clear(a.known)
	for i := range a.latest {
		a.latest[i] = -1
	}
	a.needed = a.needed[:0]
	for _, e := range a.Before(t) {
		s := a.Stream[e.From]
		if l := a.latest[s]; l < 0 || a.place[l] < a.place[e.From] {
			a.latest[s] = e.From
		}
		a.Start[t] = max(a.Start[t], a.End[e.From])
	}
	for _, f := range a.latest {
		if f >= 0 {
			a.needed = append(a.needed, f)
			raise(a.known, a.clocks[f])
		}
	}
}

// raise makes a clock know what another knows.
func raise(clock, other []int) {
	for s, n := range other {
		clock[s] = max(clock[s], n)
	}
}

// choose is the stream for a task.
func (a *planner) choose(t int) int {
	device := a.Tasks[t].Device
	if owner := a.Tasks[t].Owner; a.config.PerOwner && owner != "" {
		s, ok := a.owners[owning{owner, device}]
		if !ok {
			s = a.open(owner, device)
			a.owners[owning{owner, device}] = s
		}
		return s
	}
	// That of the task whose way it goes on, of the one that ends last if several do.
	best := -1
	for s, f := range a.latest {
		if f >= 0 && a.heir[f] == t && a.ours(s, device) && a.last(s) == f && (best < 0 || a.free[s] > a.free[best]) {
			best = s
		}
	}
	if best >= 0 {
		return best
	}
	// One that has come to its end, and has nothing that the task does not wait for anyway.
	for s := range a.Streams {
		if a.ours(s, device) && a.known[s] == len(a.Streams[s].Tasks) && !a.awaited(s) {
			return s
		}
	}
	if a.shared[device] < a.config.Streams {
		a.shared[device]++
		return a.open("", device)
	}
	// Then something must wait that need not: in the stream that is free first.
	for s := range a.Streams {
		if a.ours(s, device) && (best < 0 || a.free[s] < a.free[best]) {
			best = s
		}
	}
	return best
}

func (a *planner) open(owner string, device int) int {
	a.Streams = append(a.Streams, Lane{Owner: owner, Device: device})
	a.free = append(a.free, 0)
	a.known = append(a.known, 0)
	a.latest = append(a.latest, -1)
	return len(a.Streams) - 1
}

// ours reports whether a stream is there for tasks of any owner, on the device.
func (a *planner) ours(s, device int) bool {
	return a.Streams[s].Owner == "" && a.Streams[s].Device == device
}

func (a *planner) last(s int) int {
	tasks := a.Streams[s].Tasks
	return tasks[len(tasks)-1]
}

// awaited reports whether the task that goes on with the stream's last is yet to
// come.
func (a *planner) awaited(s int) bool {
	h := a.heir[a.last(s)]
	return h >= 0 && a.place[h] == 0
}

// clock is a clock that knows nothing.
func (a *planner) clock() []int {
	n := len(a.Streams)
	if len(a.spare) < n {
		a.spare = make([]int, 4096+n)
	}
	c := a.spare[:n:n]
	a.spare = a.spare[n:]
	return c
}

// put puts a task into a stream, and has that wait for what is not known there.
func (a *planner) put(t, s int) {
	lane := &a.Streams[s]
	clock := a.clock()
	if len(lane.Tasks) > 0 {
		raise(clock, a.clocks[a.last(s)])
		a.Start[t] = max(a.Start[t], a.free[s])
	}
	// The last first: what is known by way of another, that comes after it, needs no wait.
	slices.SortFunc(a.needed, func(x, y int) int { return cmp.Compare(a.rank[y], a.rank[x]) })
	for _, f := range a.needed {
		if clock[a.Stream[f]] < a.place[f] {
			a.Waits = append(a.Waits, Wait{f, t})
			raise(clock, a.clocks[f])
		}
	}
	lane.Tasks = append(lane.Tasks, t)
	a.Stream[t], a.place[t], a.clocks[t] = s, len(lane.Tasks), clock
	clock[s] = a.place[t]
	a.End[t] = a.Start[t] + a.Tasks[t].cost()
	a.free[s] = a.End[t]
	a.Total = max(a.Total, a.End[t])
}
