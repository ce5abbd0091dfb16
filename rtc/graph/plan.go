package graph

import (
	"fmt"
	"time"
)

// A Plan is an order of tasks, and streams for them. All is by the tasks'
// numbers, which are their places in Tasks. [NewPlan] and [Graph.Plan] make one;
// the zero Plan, and nil, has no tasks.
//
// Safe for concurrent use after it is made; its fields must not change.
type Plan struct {
	Tasks []Task
	Edges []Edge // what comes right before what, no pair twice; by To
	Order []int  // the tasks, each behind all that it depends on: as they were given where that can be

	Streams []Lane // with their tasks
	Stream  []int  // of each task
	Waits   []Wait // between streams, in the order in which they are made

	Critical []int         // the tasks of the longest path, which no number of streams makes shorter
	Length   time.Duration // of that
	Start    []time.Duration
	End      []time.Duration // of each task, if each takes what it costs
	Total    time.Duration   // until the last has ended

	config PlanConfig
	first  []int // by task: where its edges begin in Edges
}

// A Lane is a stream of a plan: its tasks run one after the other.
//
// Safe for concurrent use after it is made; its fields must not change.
type Lane struct {
	Owner  string // whose it is alone; "" is anybody's
	Device int    // as that of its tasks
	Tasks  []int
}

// A Wait is made by the stream of To, before To, for an event behind From on
// another stream.
//
// Safe for concurrent use after it is made; its fields must not change.
type Wait struct{ From, To int }

// NewPlan makes the plan of tasks. A *CycleError, a *RaceError and numbers that
// are none name what they are about.
func NewPlan(tasks []Task, c PlanConfig) (*Plan, error) {
	p := &Plan{Tasks: tasks, config: c}
	if err := p.plan(); err != nil {
		return nil, fmt.Errorf("graph: plan: %w", err)
	}
	return p, nil
}

func (p *Plan) plan() error {
	if p.config.Streams < 0 {
		return fmt.Errorf("the number of Streams is %d; 0 asks for %d", p.config.Streams, defaultStreams)
	}
	if p.config.Streams == 0 {
		p.config.Streams = defaultStreams
	}
	if err := p.link(); err != nil {
		return err
	}
	if err := p.sort(); err != nil {
		return err
	}
	if err := p.races(); err != nil {
		return err
	}
	p.assign(p.tails())
	return nil
}

// Before lists the edges that lead to a task, by its number. Numbers that are no
// task's have none.
func (p *Plan) Before(task int) []Edge {
	if p == nil || task < 0 || task >= len(p.first)-1 {
		return nil
	}
	return p.Edges[p.first[task]:p.first[task+1]]
}

// Events counts the events that the plan needs: one behind each task that others
// wait for.
func (p *Plan) Events() int {
	if p == nil {
		return 0
	}
	n, seen := 0, make([]bool, len(p.Tasks))
	for _, w := range p.Waits {
		if !seen[w.From] {
			n++
		}
		seen[w.From] = true
	}
	return n
}
