package graph

import (
	"fmt"
	"math"
	"time"
)

// A Task is a node as a plan sees it. The zero Task uses nothing and depends on
// nothing.
//
// Safe for concurrent use after it is made; its fields must not change.
type Task struct {
	Name          string // for errors and pictures; "" is "task" with its number
	Kind          Kind
	Device        int           // the number of the one that it runs on; no stream has tasks of two
	Reads, Writes []Use         // what is in both counts as written
	After         []int         // numbers of tasks that come before this one
	Owner         string        // whose it is: see PlanConfig.PerOwner
	Cost          time.Duration // how long it takes; 0 is not known, and counts a nanosecond

	// Unordered leaves the task out of the order that follows from Reads and
	// Writes: After alone orders it. Two tasks that write the same bytes must be
	// ordered all the same.
	Unordered bool
}

// A Use is the use of some bytes of a piece of memory. Tasks are ordered by the
// piece, as package rtc orders launches; the bytes count where that order is
// waived.
//
// Safe for concurrent use after it is made; its fields must not change.
type Use struct {
	Memory   int // its number
	From, To int // bytes from From up to, without, To; both 0 is all of it
}

func (u Use) bounds() (from, to int) {
	if u.From == 0 && u.To == 0 {
		return 0, math.MaxInt
	}
	return u.From, u.To
}

// A PlanConfig says what plan is wanted. The zero PlanConfig is a plan for eight
// streams.
//
// Safe for concurrent use after it is made; its fields must not change.
type PlanConfig struct {
	// Streams is how many streams there may be on a device; 0 is 8, as many as one
	// serves at once unless the environment says otherwise.
	Streams int
	// PerOwner gives each owner a stream that nobody else uses, in addition.
	// Tasks with no owner share the others.
	PerOwner bool
	// Memories are names of the memories from 0 on, for errors and pictures.
	// There may be fewer than memories.
	Memories []string
	// Devices are names of the devices from 0 on, likewise.
	Devices []string
}

const defaultStreams = 8

func (p *Plan) name(task int) string {
	if n := p.Tasks[task].Name; n != "" {
		return n
	}
	return fmt.Sprintf("task %d", task)
}

func (p *Plan) memory(m int) string {
	if m >= 0 && m < len(p.config.Memories) && p.config.Memories[m] != "" {
		return p.config.Memories[m]
	}
	return fmt.Sprintf("memory %d", m)
}

func (p *Plan) device(d int) string {
	if d < len(p.config.Devices) && p.config.Devices[d] != "" {
		return p.config.Devices[d]
	}
	return fmt.Sprintf("device %d", d)
}

func (t *Task) cost() time.Duration { return max(t.Cost, 1) }
