package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/child/jail"
	"github.com/purecuda/purecuda/rtc/compile"
)

// A Pool compiles in child processes. It is the Runner of a compile.Service.
//
// Safe for concurrent use. Its Service closes it, or the caller if it has none.
type Pool struct {
	config   Config
	walls    jail.Walls
	read     []string      // Config.Read
	slots    chan struct{} // a token for each compile that runs
	refusals refusals
	needed   sync.Map // NVRTC's file → needs

	mu      sync.Mutex
	closed  bool
	all     map[*worker]bool
	idle    []*worker // the longest idle one first
	begun   map[kind]int
	waiting map[kind][]chan outcome
	running sync.WaitGroup // goroutines
	quit    chan struct{}
}

var _ compile.OutOfProcess = (*Pool)(nil)

// An outcome is a worker that somebody waited for, or why there is none.
type outcome struct {
	w   *worker
	err error
}

// NewPool makes a Pool. Nothing is started before the first compile.
func NewPool(c Config) (*Pool, error) {
	p, err := newPool(c)
	if err != nil {
		return nil, fmt.Errorf("worker: new pool: %w", err)
	}
	return p, nil
}

func newPool(c Config) (*Pool, error) {
	if !supported {
		return nil, unsupported()
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if err := c.findProgram(); err != nil {
		return nil, err
	}
	walls, err := c.walls()
	if err != nil {
		return nil, err
	}
	read, err := c.readable()
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	return &Pool{
		config: c, walls: walls, read: read, slots: make(chan struct{}, c.Workers), quit: make(chan struct{}),
		all: map[*worker]bool{}, begun: map[kind]int{}, waiting: map[kind][]chan outcome{},
	}, nil
}

// Walls are what the workers are inside of: one that is not never begins. Without
// Landlock, and with seccomp, headers go to them by compile.Enclose.
func (p *Pool) Walls() jail.Walls {
	if p == nil {
		return jail.Walls{}
	}
	return p.walls
}

// Run compiles r in a worker. If ctx ends the worker is killed. A compile that
// kills its worker is tried once more in a fresh one; one that kills that too gives
// a *CrashError. One that goes beyond a limit of the Config gives a *LimitError.
// Either is given at once when the same is asked for again, but for the crash of
// workers that were killed from outside.
func (p *Pool) Run(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
	switch {
	case p == nil || p.slots == nil:
		return nil, fmt.Errorf("worker: run: %w", errUnmade)
	case r == nil:
		return nil, errors.New("worker: run: the request is nil")
	case r.Compiler == nil:
		return nil, errors.New("worker: run: the request has no Compiler")
	}
	e, err := p.run(ctx, r)
	if err != nil {
		return nil, describe(r, err)
	}
	return e, nil
}

func (p *Pool) run(ctx context.Context, r *compile.Request) (*cache.Entry, error) {
	if n := input(r); n > p.config.Input {
		return nil, &LimitError{Limit: "Input", Detail: fmt.Sprintf("its source and headers have %d bytes, and the limit is %d", n, p.config.Input)}
	}
	k := p.kindFor(r.Compiler)
	message, err := p.message(ctx, k, r)
	if err != nil {
		return nil, err
	}
	id := refusalID(k, message)
	if err := p.refusals.find(id); err != nil {
		return nil, err
	}
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ended(ctx)
	case <-p.quit:
		return nil, ErrClosed
	}
	defer func() { <-p.slots }()
	e, err := p.attempt(ctx, k, r, message)
	var crash *CrashError
	if errors.As(err, &crash) {
		e, err = p.attempt(ctx, k, r, message)
	}
	if refused, hungry := starved(err); hungry {
		refused.Hints = append(refused.Hints, fmt.Sprintf("a worker may have %d bytes of memory (Config.Memory)", p.config.Memory))
	}
	var limit *LimitError
	switch {
	case errors.As(err, &crash):
		crash.Name, crash.Options, crash.Input = r.Name, slices.Clone(r.Options), input(r)
		if !crash.fromOutside() {
			p.refusals.keep(id, err)
		}
	case errors.As(err, &limit):
		p.refusals.keep(id, err)
	}
	return e, err
}

// input is how much a compile is given.
func input(r *compile.Request) int64 {
	n := len(r.Source)
	for name, text := range r.Headers {
		n += len(name) + len(text)
	}
	return int64(n)
}

// message is what a worker is told of r: with options that can do no harm, in one
// spelling, unless the Config says that they may. Where nothing else keeps files
// from workers, the text is looked at, too; where they can open none, headers come
// along.
func (p *Pool) message(ctx context.Context, k kind, r *compile.Request) ([]byte, error) {
	folders, err := texts([]byte(k.needs))
	if err != nil {
		return nil, err
	}
	folders = append(folders, p.read...)
	told := *r
	if safe := !p.config.Unsafe && p.config.Isolation != Off; safe && p.walls.Landlock == 0 && !p.walls.Seccomp {
		confined, err := compile.Confine(ctx, r, folders...)
		if err != nil {
			return nil, err
		}
		told = *confined
	} else if safe {
		if told.Options, err = nvrtc.SafeOptions(r.Options, folders...); err != nil {
			return nil, fmt.Errorf("%w; Config.Read names folders for headers, and Config.Unsafe has all options pass", err)
		}
	}
	if p.walls.Landlock == 0 && p.walls.Seccomp {
		enclosed, err := compile.Enclose(ctx, &told, folders...)
		if err != nil {
			return nil, err
		}
		told = *enclosed
	}
	return encodeRequest(&told), nil
}

// attempt compiles once. A *CrashError or *LimitError is about a worker that has
// ended.
func (p *Pool) attempt(ctx context.Context, k kind, r *compile.Request, message []byte) (*cache.Entry, error) {
	w, err := p.take(ctx, k)
	if err != nil {
		return nil, err
	}
	b, err := p.ask(ctx, w, message)
	if err != nil {
		return nil, err
	}
	e, err := decodeAnswer(b, r, p.walls.Landlock > 0)
	if err == nil {
		err = check(e, r)
	}
	if errors.Is(err, errNonsense) {
		return nil, p.crashed(w, err)
	}
	p.put(w, err)
	return e, err
}

// ask has w answer a message. If it gives none it is killed.
func (p *Pool) ask(ctx context.Context, w *worker, message []byte) ([]byte, error) {
	var (
		b    []byte
		err  error
		done = make(chan struct{})
	)
	go func() {
		defer close(done)
		b, err = w.ask(message)
	}()
	look := time.NewTimer(soonest(p.config.CPU))
	defer look.Stop()
	for {
		select {
		case <-look.C:
			cpu, _ := w.process.Usage()
			left := p.config.CPU - (cpu - w.used)
			if left > 0 {
				look.Reset(soonest(left))
				continue
			}
			w.kill()
			return nil, &LimitError{Limit: "CPU", Detail: fmt.Sprintf("it took more processor time than %v", p.config.CPU)}
		case <-ctx.Done():
			w.kill()
			return nil, ended(ctx)
		case <-done:
		}
		break
	}
	var long *tooLong
	switch {
	case err == nil:
		return b, nil
	case p.isClosed():
		return nil, ErrClosed
	case errors.As(err, &long):
		w.kill()
		return nil, &LimitError{Limit: "Output", Detail: fmt.Sprintf("what it made has %d bytes, and the limit is %d", long.size, long.limit)}
	}
	return nil, p.crashed(w, err)
}

// soonest is when so much processor time can have been used.
func soonest(cpu time.Duration) time.Duration {
	return max(cpu/time.Duration(runtime.NumCPU()), 10*time.Millisecond)
}

func (p *Pool) isClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closed
}

// Close kills the workers and waits until nothing is left of them. Compiles that
// run end with ErrClosed. Later calls do nothing; it is safe on nil.
func (p *Pool) Close() error {
	if p == nil || p.slots == nil {
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
