package compile

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// completions hand out jobs in the order in which they end, to each who asked.
type completions struct {
	mu      sync.Mutex
	readers []*reader
	closed  bool
}

// A reader has the jobs that ended since it asked.
type reader struct {
	jobs []*Job
	over bool          // it was ranged over, or its context ended
	wake chan struct{} // has something in it when there is news
}

// Completed gives the jobs that end after this call, in the order of their end,
// those that failed or were cancelled, too. It ends when ctx does, or when the
// Service is closed and all were given. Each caller gets all jobs; they are
// kept for it until it takes them, or ctx ends. What is returned can be ranged over
// once; a second time there is nothing.
func (s *Service) Completed(ctx context.Context) iter.Seq[*Job] {
	if !s.made() {
		return func(func(*Job) bool) {}
	}
	c, r := &s.completed, &reader{wake: make(chan struct{}, 1)}
	c.mu.Lock()
	if !c.closed {
		c.readers = append(c.readers, r)
	}
	c.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { c.remove(r) })
	return func(yield func(*Job) bool) {
		defer stop()
		defer c.remove(r)
		for {
			job, more := c.next(r)
			switch {
			case job != nil:
				if ctx.Err() != nil || !yield(job) {
					return
				}
				continue
			case !more:
				return
			}
			select {
			case <-r.wake:
			case <-ctx.Done():
				return
			}
		}
	}
}

// end says that a job is done, to those who wait for it and to all readers at
// once, so that their order is everybody's.
func (c *completions) end(j *Job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(j.done)
	for _, r := range c.readers {
		r.jobs = append(r.jobs, j)
		r.news()
	}
}

// next takes a job. more is false when none will come.
func (c *completions) next(r *reader) (j *Job, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(r.jobs) == 0 {
		return nil, !c.closed && !r.over
	}
	j = r.jobs[0]
	r.jobs = r.jobs[1:]
	return j, true
}

func (c *completions) remove(r *reader) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.jobs, r.over = nil, true
	if i := slices.Index(c.readers, r); i >= 0 {
		c.readers = slices.Delete(c.readers, i, i+1)
	}
}

// close is for when all jobs have ended.
func (c *completions) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, r := range c.readers {
		r.news()
	}
	c.readers = nil
}

func (r *reader) news() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
