package compile

import (
	"context"
	"fmt"
	"sync"

	"github.com/purecuda/purecuda/rtc/cache"
)

// An Origin says where a Result comes from.
type Origin uint8

// Where results come from.
const (
	Compiled Origin = iota // for this job
	Cached                 // from the cache
	Shared                 // from the compile of another job for the same, at the same time
)

var originNames = [...]string{Compiled: "compiled", Cached: "cached", Shared: "shared"}

// String is "compiled", "cached" or "shared".
func (o Origin) String() string {
	if int(o) < len(originNames) {
		return originNames[o]
	}
	return fmt.Sprintf("Origin(%d)", uint8(o))
}

// A Result is what came of a job.
//
// Safe for concurrent use after it is made; its fields must not change.
type Result struct {
	Entry  *cache.Entry // shared: it must not be changed
	Origin Origin
	Key    cache.Key // zero if it has none
	// Uncached says why it has no key, so that the cache has no part in it; "" if
	// it has one.
	Uncached string
}

// A Job is a request that was submitted. Jobs for the same share one compile,
// but each has its own end.
//
// Safe for concurrent use.
type Job struct {
	service *Service
	request *Request
	done    chan struct{}
	unhook  func() bool // of Submit's context

	mu     sync.Mutex
	flight *flight // nil once it is done
	result *Result
	err    error
	over   bool
}

// made reports whether Submit made j.
func (j *Job) made() bool { return j != nil && j.service != nil }

// Request is what was submitted; nil if nothing was.
func (j *Job) Request() *Request {
	if !j.made() {
		return nil
	}
	return j.request
}

// Done is closed when the job is done.
func (j *Job) Done() <-chan struct{} {
	if !j.made() {
		return over
	}
	return j.done
}

// over is closed: nothing comes of a job that nobody submitted.
var over = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Wait waits for the job's end and gives its Result, or an error: NVRTC's refusal is
// an *nvrtc.CompileError, and others match ErrTimeout, ErrClosed or, after Cancel or the
// end of Submit's context, context.Canceled or context.DeadlineExceeded. That ctx ends
// ends the waiting alone: the job goes on.
func (j *Job) Wait(ctx context.Context) (*Result, error) {
	if !j.made() {
		return nil, fmt.Errorf("compile: wait: %w", errUnmadeJob)
	}
	select {
	case <-j.done:
	default:
		select {
		case <-j.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("compile: wait for %s: %w", j.request.label(), ended(ctx))
		}
	}
	return j.result, j.err
}

// Result is the job's result, or an error that matches ErrNotDone.
func (j *Job) Result() (*Result, error) {
	if !j.made() {
		return nil, fmt.Errorf("compile: result: %w", errUnmadeJob)
	}
	select {
	case <-j.done:
		return j.result, j.err
	default:
		return nil, fmt.Errorf("compile: result of %s: %w", j.request.label(), ErrNotDone)
	}
}

// Cancel ends the job at once, with an error that matches context.Canceled,
// unless it is done. The compile ends when no other job wants it.
func (j *Job) Cancel() {
	if j.made() {
		j.cancel(context.Canceled)
	}
}

func (j *Job) cancel(why error) {
	j.mu.Lock()
	f := j.flight
	j.mu.Unlock()
	if j.finish(nil, fmt.Errorf("compile: %s: %w", j.request.label(), why)) && f != nil {
		f.leave()
	}
}

// endWith has the job end when ctx does.
func (j *Job) endWith(ctx context.Context) {
	if ctx.Done() == nil {
		return
	}
	unhook := context.AfterFunc(ctx, func() { j.cancel(ended(ctx)) })
	j.mu.Lock()
	j.unhook = unhook
	done := j.over
	j.mu.Unlock()
	if done {
		unhook()
	}
}

// finish ends the job, unless it has ended.
func (j *Job) finish(r *Result, err error) bool {
	j.mu.Lock()
	if j.over {
		j.mu.Unlock()
		return false
	}
	j.result, j.err, j.over, j.flight = r, err, true, nil
	unhook := j.unhook
	j.mu.Unlock()
	if unhook != nil {
		unhook()
	}
	j.service.count(r, err)
	j.service.completed.end(j)
	return true
}
