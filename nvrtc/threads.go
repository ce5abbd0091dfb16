package nvrtc

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/dl"
)

// errAbandoned is matched by the error of do when its caller gave up waiting
// and the job goes on.
var errAbandoned = errors.New("the compile goes on")

const (
	// stackSize is what a compiler thread has for NVRTC, which recurses as
	// deeply as the source nests: 8 MiB end at 2,600 parentheses. On Windows
	// it is 64 MiB, see dl.NewThread.
	stackSize = 256 << 20
	// idleTime is how long a thread waits for another job: a burst of
	// compiles shares it, and what its stack grew to is not kept for ever.
	idleTime = 10 * time.Second
)

// threads run a compiler's jobs, so many at a time. Where NVRTC is C they are
// threads of our own with a large stack, made when needed; where it is a test
// double in Go, which needs no stack, goroutines.
type threads struct {
	api      *api
	onCaller bool
	shield   shield
	begin    func() // the shield and ownStack, once
	ownStack bool

	idleTime time.Duration

	slots  chan struct{} // a token in it for each job that runs
	active atomic.Int64
	quit   chan struct{} // closed by close

	mu     sync.Mutex
	closed bool
	idle   []*idleThread // the longest idle one first
}

type idleThread struct {
	thread *dl.Thread
	timer  *time.Timer // ends it
}

// newThreads makes the threads for the NVRTC behind a: at most limit at a time
// (0: GOMAXPROCS), or none at all when onCaller: then do is a plain call.
func newThreads(a *api, limit int, onCaller bool) *threads {
	if limit <= 0 {
		limit = runtime.GOMAXPROCS(0)
	}
	t := &threads{api: a, onCaller: onCaller, idleTime: idleTime, slots: make(chan struct{}, limit), quit: make(chan struct{})}
	t.begin = sync.OnceFunc(func() {
		f, err := a.table.Func(fnCompileProgram)
		t.ownStack = err == nil && f.Addr != 0
		if t.ownStack {
			t.raiseShield()
		}
	})
	// A library is shielded before anybody can compile with it. What is bound
	// otherwise says whether it is C when it is first asked to compile.
	if _, ok := a.table.Resolver().(redirector); ok {
		t.begin()
	}
	return t
}

// do runs job on a compiler thread and waits for its end. When ctx is done first
// it returns ctx's error at once: that error matches errAbandoned too when job
// was begun, and then job goes on, its thread is busy, and what job uses must
// be left alone until it has ended (only job knows when). Otherwise job never runs.
// nil means that job has ended. A panic of job is raised again in the caller, or
// where it is if that has gone. After close it gives ErrClosed.
func (t *threads) do(ctx context.Context, job func()) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.begin()
	if t.onCaller {
		t.active.Add(1)
		defer t.active.Add(-1)
		defer t.shield.verify()
		job()
		return nil
	}
	select {
	case t.slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-t.quit:
		return ErrClosed
	}
	thread, err := t.take()
	if err != nil {
		<-t.slots
		return err
	}
	t.active.Add(1)
	run := func() {
		defer t.put(thread)
		if thread == nil {
			job()
			return
		}
		defer t.shield.verify()
		if err := thread.Do(job); err != nil {
			panic(fmt.Sprintf("nvrtc: a thread in use was closed: %v", err)) // put alone closes it
		}
	}
	if ctx.Done() == nil {
		run()
		return nil
	}
	return await(ctx, run)
}

// await runs a function on a goroutine and waits for it or for ctx.
func await(ctx context.Context, run func()) error {
	const waiting, ended, abandoned = 0, 1, 2
	var state atomic.Int32
	panicked := make(chan any, 1)
	go func() {
		defer func() {
			v := recover()
			if state.CompareAndSwap(waiting, ended) {
				panicked <- v
			} else if v != nil {
				panic(v)
			}
		}()
		run()
	}()
	var v any
	select {
	case v = <-panicked:
	case <-ctx.Done():
		if state.CompareAndSwap(waiting, abandoned) {
			return errors.Join(ctx.Err(), errAbandoned)
		}
		v = <-panicked
	}
	if v != nil {
		panic(v)
	}
	return nil
}

// take gives a thread that nobody uses, nil if goroutines do.
func (t *threads) take() (*dl.Thread, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, ErrClosed
	}
	if !t.ownStack {
		return nil, nil
	}
	if n := len(t.idle); n > 0 {
		last := t.idle[n-1]
		t.idle = t.idle[:n-1]
		last.timer.Stop()
		return last.thread, nil
	}
	thread, err := dl.NewThread(stackSize)
	if err != nil {
		return nil, err
	}
	t.shield.cover(thread)
	return thread, nil
}

// put ends a job: its thread, if it had one, waits for another.
func (t *threads) put(thread *dl.Thread) {
	if thread != nil {
		t.keep(thread)
	}
	t.active.Add(-1)
	<-t.slots
}

func (t *threads) keep(thread *dl.Thread) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		_ = thread.Close()
		return
	}
	i := &idleThread{thread: thread}
	i.timer = time.AfterFunc(t.idleTime, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if at := slices.Index(t.idle, i); at >= 0 { // else it was taken meanwhile
			t.idle = slices.Delete(t.idle, at, at+1)
			_ = thread.Close()
		}
	})
	t.idle = append(t.idle, i)
}

// busy is the number of jobs that run now, those given up included.
func (t *threads) busy() int { return int(t.active.Load()) }

// close ends the idle threads, and each busy one after its job. It may be
// called several times.
func (t *threads) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	t.closed = true
	close(t.quit)
	for _, i := range t.idle {
		i.timer.Stop()
		_ = i.thread.Close()
	}
	t.idle = nil
}
