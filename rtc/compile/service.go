package compile

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/rtc/cache"
)

// A Service compiles what it is asked for, once: what is in the cache is taken
// from there, and what is being compiled is waited for.
//
// Safe for concurrent use. The caller closes it.
type Service struct {
	config    Config
	bad       error        // what is wrong with the config
	locker    cache.Locker // nil: the store has no locks
	compiler  compiler
	turns     turns
	places    chan struct{} // a token for each flight that waits for its turn
	counters  counters
	completed completions

	ctx    context.Context // ends when the Service closes
	cancel context.CancelCauseFunc

	mu      sync.Mutex
	flights map[sharing]*flight
	closed  bool
	working sync.WaitGroup // calls of Submit, and flights
	end     sync.Once
}

// NewService makes a Service.
func NewService(c Config) *Service {
	bad := c.check()
	if c.MaxThreads <= 0 {
		c.MaxThreads = runtime.GOMAXPROCS(0)
	}
	if c.QueueSize <= 0 {
		c.QueueSize = 100
	}
	if c.Runner == nil {
		c.Runner = InProcess{}
	}
	_, locks := c.Store.(cache.Locker)
	c.Store = guarded(c.Store)
	s := &Service{config: c, bad: bad, places: make(chan struct{}, c.QueueSize), flights: map[sharing]*flight{}, compiler: compiler{given: c.Compiler}}
	s.turns.free = c.MaxThreads
	if locks {
		s.locker = c.Store.(cache.Locker)
	}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	return s
}

// Submit takes a request. What is in the cache is done at once; what is being
// compiled for another job is shared. Otherwise it joins the queue: when that is
// full, Submit waits for a place, or gives ErrQueueFull, as the Config says.
//
// When ctx ends the job is cancelled. What comes of the compile is Wait's to
// tell; Submit's own errors are that the request or the Config is none, that
// there is no NVRTC, that the queue is full, that ctx has ended, and ErrClosed.
func (s *Service) Submit(ctx context.Context, r Request) (*Job, error) {
	return s.submit(ctx, r, s != nil && s.config.Refuse)
}

func (s *Service) submit(ctx context.Context, r Request, refuse bool) (*Job, error) {
	j, err := s.take(ctx, &r, refuse)
	if err != nil {
		return nil, fmt.Errorf("compile: submit %s: %w", r.label(), err)
	}
	return j, nil
}

func (s *Service) take(ctx context.Context, r *Request, refuse bool) (*Job, error) {
	if err := s.enter(ctx, r); err != nil {
		return nil, err
	}
	defer s.working.Done()
	// What the caller has may change while the job waits.
	r.Options, r.Exports, r.Headers = slices.Clone(r.Options), slices.Clone(r.Exports), maps.Clone(r.Headers)
	j := &Job{service: s, request: r, done: make(chan struct{})}
	key, unseen, err := s.keyOf(ctx, r)
	if err != nil {
		return nil, ended(ctx)
	}
	shares := unseen == "" && !r.Fresh
	if shares {
		if s.join(ctx, j, key) {
			return j, nil
		}
		if e := s.look(ctx, key); e != nil {
			s.counters.change(func(n *Stats) { n.Jobs++ })
			j.finish(&Result{Entry: e, Origin: Cached, Key: key}, nil)
			return j, nil
		}
	}
	if err := s.place(ctx, refuse); err != nil {
		return nil, err
	}
	if shares && s.join(ctx, j, key) { // one that was begun since
		<-s.places
		return j, nil
	}
	s.launch(ctx, j, key, unseen)
	return j, nil
}

// enter checks a request, counts it in, and gives it a compiler. Without an
// error the caller counts it out, by s.working.
func (s *Service) enter(ctx context.Context, r *Request) error {
	if !s.made() {
		return errUnmade
	}
	if s.bad != nil {
		return s.bad
	}
	if err := r.check(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ended(ctx)
	}
	if !s.admit() {
		return ErrClosed
	}
	if r.Compiler == nil {
		var err error
		if r.Compiler, err = s.compiler.get(); err != nil {
			s.working.Done()
			return err
		}
	}
	return nil
}

// admit counts a request in, unless the Service is closed.
func (s *Service) admit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.working.Add(1)
	return true
}

// keyOf is the key of a request, where the Service compiles.
func (s *Service) keyOf(ctx context.Context, r *Request) (key cache.Key, unseen string, err error) {
	away, _ := s.config.Runner.(OutOfProcess)
	return keyOf(ctx, machineFiles, r, away)
}

// look gives what the cache has. That it can't tell is no reason to fail.
func (s *Service) look(ctx context.Context, key cache.Key) *cache.Entry {
	if s.config.Store == nil {
		return nil
	}
	e, err := s.config.Store.Get(ctx, key)
	if err != nil || e == nil || len(e.Image) == 0 {
		return nil
	}
	return e
}

// place takes a place in the queue.
func (s *Service) place(ctx context.Context, refuse bool) error {
	select {
	case s.places <- struct{}{}:
		return nil
	default:
	}
	if refuse {
		s.counters.change(func(n *Stats) { n.Refused++ })
		return fmt.Errorf("%w: %d compiles wait", ErrQueueFull, cap(s.places))
	}
	select {
	case s.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ended(ctx)
	case <-s.ctx.Done():
		return ErrClosed
	}
}

// made reports whether NewService made s.
func (s *Service) made() bool { return s != nil && s.ctx != nil }

// Close cancels the jobs that are not done, with ErrClosed, and waits for what
// they hold. A compile of this process that can't be stopped goes on until
// NVRTC ends it, see nvrtc's Compiler.Busy. Later calls do nothing; it is safe
// on nil.
func (s *Service) Close() error {
	if !s.made() {
		return nil
	}
	var err error
	s.end.Do(func() {
		s.mu.Lock()
		s.closed = true
		s.mu.Unlock()
		s.cancel(ErrClosed)
		s.working.Wait()
		s.completed.close()
		err = errors.Join(s.config.Runner.Close(), s.compiler.close())
	})
	return err
}

// Shutdown takes no more requests, waits until all jobs are done, and closes the
// Service. When ctx ends it closes at once, and gives ctx's error.
func (s *Service) Shutdown(ctx context.Context) error {
	if !s.made() {
		return nil
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	idle := make(chan struct{})
	go func() { s.working.Wait(); close(idle) }()
	var err error
	select {
	case <-idle:
	case <-ctx.Done():
		err = fmt.Errorf("compile: shut down: %w", ended(ctx))
	}
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	return err
}
