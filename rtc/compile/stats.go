package compile

import (
	"context"
	"errors"
	"sync"
)

// Stats counts what a Service did so far.
//
// Safe for concurrent use after it is made; its fields must not change.
type Stats struct {
	// Jobs that were taken, and what became of them: those that are not done
	// yet are none of the others.
	Jobs, Succeeded, Failed, Cancelled, TimedOut uint64
	// Those that succeeded, by where their results come from.
	Compiled, Cached, Shared uint64
	// Refused are the requests that found the queue full.
	Refused uint64
	// Compiles that were begun, and among them those that had no key.
	Compiles, Uncached uint64
	// Awaited are results that another process made while this one waited.
	Awaited uint64
	// Waiting and Running compiles there are now.
	Waiting, Running int
}

type counters struct {
	mu sync.Mutex
	Stats
}

func (c *counters) change(f func(*Stats)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f(&c.Stats)
}

// Stats counts what was done so far.
func (s *Service) Stats() Stats {
	if !s.made() {
		return Stats{}
	}
	s.counters.mu.Lock()
	defer s.counters.mu.Unlock()
	return s.counters.Stats
}

// count counts how a job ended.
func (s *Service) count(r *Result, err error) {
	s.counters.change(func(n *Stats) {
		switch {
		case err == nil:
			n.Succeeded++
			switch r.Origin {
			case Compiled:
				n.Compiled++
			case Cached:
				n.Cached++
			case Shared:
				n.Shared++
			}
		case errors.Is(err, ErrTimeout):
			n.TimedOut++
		case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), errors.Is(err, ErrClosed):
			n.Cancelled++
		default:
			n.Failed++
		}
	})
}
