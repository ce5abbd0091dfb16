package sim

import "github.com/purecuda/purecuda/driver"

// A moment is a time on the simulated machine, in nanoseconds from its start; a span is the time between two.
type (
	moment int64
	span   int64
)

// A work is what an operation in a stream or a node of a graph does.
type work interface {
	kind() driver.NodeKind
	// run does it, without the lock, and says how long it took on the simulated machine, where it began at the moment given.
	run(at moment) (span, *fault)
}

// An op is an operation in a stream's queue.
type op struct {
	work  work    // nil: there is nothing to do, as for an event
	event *record // happens when the op has ended; may be nil
	waits []mark  // what must have ended before, besides the op ahead of it
	known moment  // the latest moment that the program knew of when it enqueued the op
	order uint64  // among all ops
}

// A mark is a place in a stream: behind its first n ops.
type mark struct {
	s *stream // nil: of an event that a graph recorded, which has happened
	n uint64
	e *record // of an event that was recorded there; may be nil
}

func (m mark) met() bool { return m.s == nil || m.s.done >= m.n }

// when is the moment at which a mark was met.
func (m mark) when() moment {
	if m.e != nil {
		return m.e.at
	}
	return m.s.end
}

// A record is an event as it was recorded once.
type record struct {
	mark
	at    moment // when it happened, once it has
	shown int    // queries that were told that it has not happened

	shared *sharedEvent // of other processes, too; else nil
	number uint64       // in shared
}

func (r *record) happened() bool { return r.met() }
