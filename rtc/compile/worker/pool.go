package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A Pool compiles in child processes. It is the Runner of a compile.Service.
//
// Safe for concurrent use. Its Service closes it, or the caller if it has none.
type Pool struct {
	config  Config
	slots   chan struct{} // a token for each compile that runs
	crashes crashes

	mu      sync.Mutex
	closed  bool
	all     map[*worker]bool
	idle    []*worker // the longest idle one first
	begun   map[kind]int
	waiting map[kind][]chan outcome
	running sync.WaitGroup // goroutines
	quit    chan struct{}
}

var _ compile.Runner = (*Pool)(nil)

// An outcome is a worker that somebody waited for, or why there is none.
type outcome struct {
	w   *worker
	err error
}

// NewPool makes a Pool. Nothing is started before the first compile.
func NewPool(c Config) (*Pool, error) {
	if !supported {
		return nil, fmt.Errorf("worker: new pool: %w", unsupported())
	}
	if c.Path == "" && !called.Load() {
		return nil, fmt.Errorf("worker: new pool: %w", ErrNoMain)
	}
	c = c.withDefaults()
	return &Pool{
		config: c, slots: make(chan struct{}, c.Workers), quit: make(chan struct{}),
		all: map[*worker]bool{}, begun: map[kind]int{}, waiting: map[kind][]chan outcome{},
	}, nil
}

// Run compiles r in a worker. If ctx ends the worker is killed. A compile that
// kills its worker is tried once more in a fresh one; one that kills that too gives
// a *CrashError, and from then on gives it at once.
func (p *Pool) Run(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
	e, err := p.run(ctx, r)
	if err != nil {
		return nil, describe(r, err)
	}
	return e, nil
}

func (p *Pool) run(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
	k := kind{library: r.Compiler.Path()}
	k.folder, _ = os.Getwd()
	message := encodeRequest(r)
	id := crashID(k, message)
	if crash := p.crashes.find(id); crash != nil {
		return nil, crash
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ended(ctx)
	case <-p.quit:
		return nil, ErrClosed
	}
	defer func() { <-p.slots }()
	var crash *CrashError
	for range 2 {
		w, err := p.take(ctx, k)
		if err != nil {
			return nil, err
		}
		var b []byte
		if b, crash, err = p.ask(ctx, w, message); err != nil {
			return nil, err
		}
		if crash != nil {
			continue
		}
		e, err := decodeAnswer(b, r)
		if err == nil {
			err = check(e, r)
		}
		if errors.Is(err, errNonsense) {
			crash = p.crashed(w, err)
			continue
		}
		p.put(w, err)
		return e, err
	}
	crash.Name, crash.Options = r.Name, slices.Clone(r.Options)
	p.crashes.keep(id, crash)
	return nil, crash
}

// ask has w answer a message. It gives the answer, or how the worker crashed, or
// that ctx ended; then the worker is killed.
func (p *Pool) ask(ctx context.Context, w *worker, message []byte) ([]byte, *CrashError, error) {
	var (
		b    []byte
		err  error
		done = make(chan struct{})
	)
	go func() {
		defer close(done)
		b, err = w.ask(message)
	}()
	select {
	case <-done:
	case <-ctx.Done():
		w.kill()
		return nil, nil, ended(ctx)
	}
	switch {
	case err == nil:
		w.jobs++
		return b, nil, nil
	case p.isClosed():
		return nil, nil, ErrClosed
	}
	return nil, p.crashed(w, err), nil
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// Close kills the workers and waits until nothing is left of them. Compiles that
// run end with ErrClosed. Later calls do nothing; it is safe on nil.
func (p *Pool) Close() error {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	if !p.closed {
		p.closed = true
		close(p.quit)
		for w := range p.all {
			w.kill()
		}
	}
	p.mu.Unlock()
	p.running.Wait()
	return nil
}

// ended is the error of something whose context ended.
func ended(ctx context.Context) error {
	err := ctx.Err()
	if cause := context.Cause(ctx); !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return err
}
