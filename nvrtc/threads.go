package nvrtc

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
)

// errAbandoned is matched by the error of do when its caller gave up waiting
// and the job goes on.
var errAbandoned = errors.New("nvrtc: the compile goes on")

// threads run a compiler's jobs, so many at a time.
type threads struct {
	slots    chan struct{} // one token for each job that may run; nil: on the caller's thread
	active   atomic.Int64
	onCaller bool
}

// newThreads makes the threads for the NVRTC behind a: at most limit at a time
// (0: GOMAXPROCS), or none at all when onCaller: then do is a plain call.
func newThreads(a *api, limit int, onCaller bool) *threads {
	if limit <= 0 {
		limit = runtime.GOMAXPROCS(0)
	}
	return &threads{slots: make(chan struct{}, limit), onCaller: onCaller}
}

// do runs job on a compiler thread and waits for its end. When ctx is done first
// it returns ctx's error at once: that error matches errAbandoned too when job
// was begun, and then job goes on, its thread is busy, and what job uses must
// be left alone until it has ended (only job knows when). Otherwise job never runs.
// nil means that job has ended. A panic of job is raised again in the caller.
func (t *threads) do(ctx context.Context, job func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if t.onCaller {
		t.active.Add(1)
		defer t.active.Add(-1)
		job()
		return nil
	}
	select {
	case t.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	t.active.Add(1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { t.active.Add(-1); <-t.slots }()
		job()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err(), errAbandoned)
	}
}

// busy is the number of jobs that run now, those given up included.
func (t *threads) busy() int { return int(t.active.Load()) }

// close ends the idle threads, and each busy one after its job.
func (t *threads) close() {}
