package compile

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/purecuda/purecuda/rtc/cache"
)

// sharing is what requests have in common that share a flight: the key, the
// options as they are spelled, since errors name them so, and how long it may
// take.
type sharing struct {
	key     cache.Key
	options string
	limit   time.Duration
}

func (s *Service) sharing(r *Request, key cache.Key) sharing {
	return sharing{key, strings.Join(r.Options, "\x00"), s.limit(r)}
}

// limit is how long a compile may run; 0: for ever.
func (s *Service) limit(r *Request) time.Duration {
	if r.Timeout > 0 {
		return r.Timeout
	}
	return s.config.Timeout
}

// A flight is a compile, wanted by one job or by several.
type flight struct {
	service *Service
	request *Request // of the job that began it
	key     cache.Key
	common  sharing
	unseen  string // why it has no key
	turn    *turn
	ctx     context.Context // ends when nobody wants it any more
	cancel  context.CancelCauseFunc
	jobs    []*Job // under the service's lock; the first began it
	wanted  int    // how many of them have not left
	landed  bool   // no job can join
}

// join has j take part in the flight of key, if there is one.
func (s *Service) join(ctx context.Context, j *Job, key cache.Key) bool {
	common := s.sharing(j.request, key)
	s.mu.Lock()
	f := s.flights[common]
	if f == nil || f.landed || f.wanted == 0 {
		s.mu.Unlock()
		return false
	}
	j.flight = f
	f.jobs, f.wanted = append(f.jobs, j), f.wanted+1
	s.counters.change(func(n *Stats) { n.Jobs++ }) // before it can be done
	s.mu.Unlock()
	s.turns.raise(f.turn, j.request.Priority)
	j.endWith(ctx)
	return true
}

// launch begins a flight for j, which has a place in the queue.
func (s *Service) launch(ctx context.Context, j *Job, key cache.Key, unseen string) {
	f := &flight{service: s, request: j.request, key: key, unseen: unseen, turn: newTurn(j.request.Priority), jobs: []*Job{j}, wanted: 1}
	f.ctx, f.cancel = context.WithCancelCause(s.ctx)
	j.flight = f
	s.working.Add(1) // Submit is counted, too, so that Close can't miss it
	if unseen == "" {
		f.common = s.sharing(j.request, key)
		s.mu.Lock()
		s.flights[f.common] = f // in place of one that nobody wants, or that Fresh passes by
		s.mu.Unlock()
	}
	s.counters.change(func(n *Stats) { n.Jobs++; n.Waiting++ })
	j.endWith(ctx)
	s.turns.enter(f.turn) // here, so that turns are in the order of Submits
	go f.fly()
}

// leave is for a job that was cancelled: the last one ends the flight.
func (f *flight) leave() {
	f.service.mu.Lock()
	f.wanted--
	last := f.wanted == 0
	f.service.mu.Unlock()
	if last {
		f.cancel(context.Canceled)
	}
}

// fly compiles and tells the jobs.
func (f *flight) fly() {
	s := f.service
	defer s.working.Done()
	r, err := f.compile()
	f.cancel(nil)
	s.mu.Lock()
	f.landed = true
	if s.flights[f.common] == f {
		delete(s.flights, f.common)
	}
	jobs := f.jobs
	s.mu.Unlock()
	for i, j := range jobs {
		if i > 0 && err == nil && r.Origin == Compiled {
			shared := *r
			shared.Origin = Shared
			j.finish(&shared, nil)
			continue
		}
		j.finish(r, err)
	}
}

// compile waits for its turn, for other processes that compile the same, and
// then compiles, unless the cache has it by then.
func (f *flight) compile() (*Result, error) {
	s := f.service
	queued := true
	leave := func() {
		if queued {
			queued = false
			<-s.places
			s.counters.change(func(n *Stats) { n.Waiting-- })
		}
	}
	defer leave()
	if err := s.turns.await(f.ctx, f.turn); err != nil {
		return nil, f.gone()
	}
	mine := true
	defer func() {
		if mine {
			s.turns.give()
		}
	}()
	if f.unseen != "" {
		leave()
		s.counters.change(func(n *Stats) { n.Uncached++ })
		e, err := s.run(f.ctx, f.request)
		return f.made(e, err)
	}
	unlock, waited, err := f.lock(func() { mine = false; s.turns.give() })
	if err != nil {
		return nil, f.gone()
	}
	defer unlock()
	leave()
	if e := f.lookAgain(); e != nil {
		if waited {
			s.counters.change(func(n *Stats) { n.Awaited++ })
		}
		return &Result{Entry: e, Origin: Cached, Key: f.key}, nil
	}
	if !mine {
		// Whoever has a turn waits for no lock, so that this ends.
		s.turns.enter(f.turn)
		if err := s.turns.await(f.ctx, f.turn); err != nil {
			return nil, f.gone()
		}
		mine = true
	}
	e, err := s.run(f.ctx, f.request)
	mine = false
	s.turns.give() // while it is written
	if err == nil {
		f.keep(e)
	}
	return f.made(e, err)
}

func (f *flight) made(e *cache.Entry, err error) (*Result, error) {
	if err != nil {
		if f.ctx.Err() != nil {
			return nil, f.gone()
		}
		return nil, err
	}
	return &Result{Entry: e, Origin: Compiled, Key: f.key, Uncached: f.unseen}, nil
}

// gone is the error of a flight whose context ended.
func (f *flight) gone() error {
	return fmt.Errorf("compile: %s: %w", f.request.label(), context.Cause(f.ctx))
}

// lookAgain looks whether somebody else has compiled it since Submit looked.
func (f *flight) lookAgain() *cache.Entry {
	if f.request.Fresh {
		return nil
	}
	return f.service.look(f.ctx, f.key)
}

// patience is how long a flight that waits for another process keeps its turn.
const patience = 2 * time.Millisecond

// longestLock is how long it waits for that, which may have been stopped (by Ctrl-Z,
// say) while it had the lock. Then two may compile the same, which is harmless. It is
// a variable for a test.
var longestLock = 10 * time.Minute

// lock takes the key's lock between processes. If another has it, it calls
// yield, so that this process compiles something else meanwhile.
func (f *flight) lock(yield func()) (unlock func(), waited bool, err error) {
	l := f.service.locker
	if l == nil {
		return func() {}, false, nil
	}
	type outcome struct {
		unlock func()
		err    error
	}
	got := make(chan outcome, 1)
	ctx, cancel := context.WithTimeout(f.ctx, longestLock)
	defer cancel()
	go func() {
		unlock, err := l.Lock(ctx, f.key)
		got <- outcome{unlock, err}
	}()
	soon := time.NewTimer(patience)
	defer soon.Stop()
	var o outcome
	select {
	case o = <-got:
	case <-soon.C:
		waited = true
		yield()
		o = <-got
	}
	if o.err != nil && f.ctx.Err() == nil { // it took too long, or the store was closed: go on without
		return func() {}, waited, nil
	}
	return o.unlock, waited, o.err
}

// keep puts what was made into the cache, also if nobody waits for it any more,
// unless a header changed meanwhile: which of its contents was compiled is not
// known then.
func (f *flight) keep(e *cache.Entry) {
	s := f.service
	if s.config.Store == nil {
		return
	}
	key, unseen, err := s.keyOf(s.ctx, f.request)
	if err != nil || unseen != "" || key != f.key {
		return
	}
	_ = s.config.Store.Put(s.ctx, f.key, e) // the store counts it, and tells
}

// run runs a compile, for as long as it may.
func (s *Service) run(ctx context.Context, r *Request) (*cache.Entry, error) {
	s.counters.change(func(n *Stats) { n.Compiles++; n.Running++ })
	defer s.counters.change(func(n *Stats) { n.Running-- })
	limit := s.limit(r)
	if limit <= 0 {
		return s.ask(ctx, r)
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, ErrTimeout)
	defer cancel()
	e, err := s.ask(limited, r)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), ErrTimeout) {
		return nil, fmt.Errorf("compile: %s was stopped after %v: %w", r.label(), limit, ErrTimeout)
	}
	return e, err
}
