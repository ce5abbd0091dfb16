package dl

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"
)

// ErrClosed is the error of a use after Close.
var ErrClosed = errors.New("dl: closed")

// A Thread is an operating-system thread with a stack of the size that was
// asked for, which runs Go functions one at a time. Go's own threads have
// 8 MiB for C code (2 MiB on Windows) and can't be given more, which a C
// library that recurses overruns, and with it the process.
//
// Where C can't be called at all, it is a goroutine locked to one of Go's own
// threads.
//
// Safe for concurrent use.
type Thread struct {
	jobs  chan *job
	begun chan struct{}
	quit  chan struct{}
	once  sync.Once
}

// A job is a function on its way to a thread and what became of it.
type job struct {
	run   func()
	done  chan struct{}
	panic *ThreadPanic // nil: it returned
}

// A ThreadPanic is what Do panics with when the function panicked on its thread.
//
// Safe for concurrent use after it is made; its fields must not change.
type ThreadPanic struct {
	Value any    // what the function panicked with
	Stack string // of the thread, where it did
}

// Error is the value with the stack of the thread.
func (p *ThreadPanic) Error() string {
	return fmt.Sprintf("%v\n\non a thread of dl.Thread:\n%s", p.Value, p.Stack)
}

// Unwrap gives the function's panic value if that was an error.
func (p *ThreadPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// NewThread starts a thread whose stack may grow to stack bytes. Only address
// space is taken at once; memory is, page by page, when the stack is used, and
// is given back when the thread ends. On Windows Go's runtime bears 64 MiB at
// most, and a larger stack is cut to that. The caller must Close the thread.
func NewThread(stack int) (*Thread, error) {
	if stack <= 0 {
		return nil, fmt.Errorf("dl: new thread: a stack of %d bytes", stack)
	}
	t := &Thread{jobs: make(chan *job), begun: make(chan struct{}), quit: make(chan struct{})}
	err := startThread(t, stack)
	if err == nil {
		// Until the thread has arrived, Go on Windows does not know of it and
		// would call a program that only waits for it a deadlock. A running
		// timer tells it otherwise.
		select {
		case <-t.begun:
			return t, nil
		case <-time.After(time.Minute):
			err = errors.New("it did not begin within a minute")
		}
	}
	_ = t.Close()
	return nil, fmt.Errorf("dl: new thread with a stack of %d MiB: %w", stack>>20, err)
}

// Do runs f on the thread and returns when f has. Calls of several goroutines
// are served one after the other. f may call C and Go, and wait, and use other
// threads, but must not call Do of its own thread, for that waits for ever,
// nor runtime.Goexit, which ends the process as it does in any function called
// by C. A panic of f is raised again here, as a *ThreadPanic. After Close it
// gives ErrClosed without running f.
func (t *Thread) Do(f func()) error {
	j := &job{run: f, done: make(chan struct{})}
	select {
	case t.jobs <- j:
	case <-t.quit:
		return ErrClosed
	}
	<-j.done
	if j.panic != nil {
		panic(j.panic)
	}
	return nil
}

// Close ends the thread, as soon as the function it runs has ended; it doesn't
// wait for that. It may be called several times, and on nil.
func (t *Thread) Close() error {
	if t != nil {
		t.once.Do(func() { close(t.quit) })
	}
	return nil
}

// serve is the body of the thread. The lock comes first: the goroutine that
// runs a callback is tied to the thread for the runtime's own purposes only,
// and a new M could be cloned from it, with what a job made of the thread.
func (t *Thread) serve() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	close(t.begun)
	for {
		select {
		case j := <-t.jobs:
			j.do()
		case <-t.quit:
			return
		}
	}
}

func (j *job) do() {
	defer close(j.done)
	defer func() {
		if v := recover(); v != nil {
			j.panic = &ThreadPanic{Value: v, Stack: string(debug.Stack())}
		}
	}()
	j.run()
}
