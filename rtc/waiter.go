package rtc

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/driver"
)

// A waiter waits for events of a device on behalf of callers whose context may
// end first, or of whom there are too many. A blocked wait holds an OS thread,
// so one is made at a time. Who comes meanwhile does not get a thread of his
// own, nor wait longer than for his own: one goroutine asks for all their events
// in turn.
type waiter struct {
	mu      sync.Mutex
	blocked bool          // a wait blocks
	asking  bool          // the goroutine that asks is there
	come    []wait        // it is to take over
	woken   chan struct{} // something has come, and it is not to sleep on

	own  atomic.Int32 // callers that wait on threads of their own
	most int32        // of them
}

func (w *waiter) init() {
	// More than can run at once only keep each other from spinning.
	w.woken, w.most = make(chan struct{}, 1), int32(runtime.GOMAXPROCS(0))
}

// alone reports whether the caller may wait on its own thread; leave follows.
func (w *waiter) alone(ctx context.Context) bool {
	if ctx.Done() != nil {
		return false
	}
	if w.own.Add(1) <= w.most {
		return true
	}
	w.leave()
	return false
}

func (w *waiter) leave() { w.own.Add(-1) }

// wait waits on the caller's own thread or by the waiter.
func (w *waiter) wait(ctx context.Context, one wait) error {
	if w.alone(ctx) {
		defer w.leave()
		return one.block()
	}
	if driver.InHostFunc() {
		one.end(ErrInHostFunc)
		return ErrInHostFunc
	}
	w.add(&one)
	return one.wait(ctx)
}

// add takes over next and its event.
func (w *waiter) add(next *wait) {
	next.done = make(chan error, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.blocked {
		w.blocked = true
		go w.block(*next)
		return
	}
	w.come = append(w.come, *next)
	if !w.asking {
		w.asking = true
		go w.ask()
	}
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

func (w *waiter) block(one wait) {
	err := one.block()
	w.mu.Lock()
	w.blocked = false
	w.mu.Unlock()
	one.done <- err
}

// ask asks for events until there are none left.
func (w *waiter) ask() {
	queues := map[*Stream][]wait{} // in the order in which they happen
	news := time.Now()             // were then
	for {
		w.mu.Lock()
		if len(w.come) > 0 {
			news = time.Now()
		}
		for _, next := range w.come {
			q := queues[next.s]
			i := len(q)
			for i > 0 && q[i-1].n > next.n {
				i--
			}
			queues[next.s] = slices.Insert(q, i, next)
		}
		w.come = nil
		if len(queues) == 0 {
			w.asking = false
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		if askAll(queues) {
			news = time.Now()
		}
		w.pause(time.Since(news))
	}
}

// askAll tells those whose events have happened, and reports whether there were
// any.
func askAll(queues map[*Stream][]wait) (any bool) {
	for s, q := range queues {
		left := q[:0]
		for i, w := range q {
			if len(left) > 0 && left[0].n < w.n { // it lies behind what has not happened
				left = append(left, q[i:]...)
				break
			}
			happened, err := w.ev.Query()
			if !happened && err == nil {
				left = append(left, w)
				continue
			}
			any = true
			w.end(err)
			w.done <- err
		}
		clear(q[len(left):])
		if queues[s] = left; len(left) == 0 {
			delete(queues, s)
		}
	}
	return any
}

// pause lets some time go by: hardly any at first, as a blocked wait spins, then
// a small part of that since the last news.
func (w *waiter) pause(since time.Duration) {
	if since < time.Millisecond {
		runtime.Gosched()
		return
	}
	t := time.NewTimer(min(since/16, time.Millisecond))
	select {
	case <-w.woken:
	case <-t.C:
	}
	t.Stop()
}
