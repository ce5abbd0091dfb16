package compile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/purecuda/purecuda/nvrtc"
)

// Batch submits a request once for each architecture, in place of one among its
// options. If one can't be submitted, the jobs before it are cancelled. No
// architectures are an error.
func (s *Service) Batch(ctx context.Context, r Request, archs ...nvrtc.Arch) ([]*Job, error) {
	if len(archs) == 0 {
		return nil, fmt.Errorf("compile: batch of %s: there are no architectures to compile for", r.label())
	}
	var rest []string
	for _, o := range nvrtc.ParseOptions(r.Options) {
		if o.Name != "--gpu-architecture" {
			rest = append(rest, o.Args...)
		}
	}
	var jobs []*Job
	for _, arch := range archs {
		r.Options = append([]string{"--gpu-architecture=" + arch.String()}, rest...)
		j, err := s.Submit(ctx, r)
		if err != nil {
			for _, j := range jobs {
				j.Cancel()
			}
			return nil, fmt.Errorf("compile: batch for %s: %w", arch, err)
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// A Progress is how far Warm has come.
//
// Safe for concurrent use after it is made; its fields must not change.
type Progress struct {
	Done, Total int
	Request     int     // which one has come to its end
	Result      *Result // nil if it failed
	Err         error
}

// Warm has the cache hold all of the requests, a few at a time, so that others
// find the queue open, and returns when they are done. It tells progress, if
// that is not nil, of each, one at a time and on the caller's goroutine. A request that fails stops none of
// the others; the error joins all of theirs.
func (s *Service) Warm(ctx context.Context, requests []Request, progress func(Progress)) error {
	if !s.made() {
		return fmt.Errorf("compile: warm: %w", errUnmade)
	}
	var (
		next atomic.Int64
		errs = make([]error, len(requests))
		done = make(chan Progress, len(requests))
	)
	going, cancel := context.WithCancel(ctx)
	defer cancel() // for a progress that panics
	for range min(s.config.MaxThreads, len(requests)) {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(requests) {
					return
				}
				r, err := s.compile(going, requests[i])
				done <- Progress{Total: len(requests), Request: i, Result: r, Err: err}
			}
		}()
	}
	for n := range requests {
		p := <-done
		errs[p.Request] = p.Err
		if p.Done = n + 1; progress != nil {
			progress(p)
		}
	}
	// One reason why nothing went on is said once.
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) })
	if ctx.Err() != nil {
		errs = append(errs, fmt.Errorf("compile: warm: %w", ended(ctx)))
	}
	return errors.Join(errs...)
}

// compile submits, waiting for a place, and waits.
func (s *Service) compile(ctx context.Context, r Request) (*Result, error) {
	j, err := s.submit(ctx, r, false)
	if err != nil {
		return nil, err
	}
	return j.Wait(ctx)
}
