package worker

import (
	"context"
	"errors"
	"slices"
	"time"
)

// take gives a worker that is ready, or waits for one. Another is begun ahead of
// time, for when this one ends.
func (p *Pool) take(ctx context.Context, k kind) (*worker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, ErrClosed
	}
	for i := len(p.idle) - 1; i >= 0; i-- {
		if w := p.idle[i]; w.kind == k {
			p.idle = slices.Delete(p.idle, i, i+1)
			w.expiry.Stop()
			p.begin(k, 1)
			p.mu.Unlock()
			return w, nil
		}
	}
	mine := make(chan outcome, 1)
	p.waiting[k] = append(p.waiting[k], mine)
	p.begin(k, 0)
	p.mu.Unlock()
	select {
	case o := <-mine:
		return o.w, o.err
	case <-p.quit:
		return nil, ErrClosed // and a worker that comes now is killed
	case <-ctx.Done():
	}
	p.mu.Lock()
	i := slices.Index(p.waiting[k], mine)
	if i >= 0 {
		p.waiting[k] = slices.Delete(p.waiting[k], i, i+1)
	}
	p.mu.Unlock()
	if i < 0 { // it was given one meanwhile
		if o := <-mine; o.w != nil {
			p.put(o.w, nil)
		}
	}
	return nil, ended(ctx)
}

// begin begins as many workers as are waited for, and so many more. p.mu is held.
func (p *Pool) begin(k kind, more int) {
	if p.closed {
		return
	}
	ready := 0
	for _, w := range p.idle {
		if w.kind == k {
			ready++
		}
	}
	for p.begun[k]+ready < len(p.waiting[k])+more {
		p.begun[k]++
		p.running.Go(func() { p.start(k) })
	}
}

// start starts a worker and hands it to who waits.
func (p *Pool) start(k kind) {
	w, err := p.launch(k)
	if err == nil {
		p.adopt(w)
		err = w.greet(p.config.Memory)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun[k]--; p.begun[k] == 0 {
		delete(p.begun, k)
	}
	if err == nil && !p.all[w] {
		err = errors.New("it ended when it had just begun")
	}
	if err == nil {
		p.ready(w)
	} else if next := p.next(k); next != nil {
		next <- outcome{err: err}
	}
}

// adopt has the pool know of a process as long as there is one: Close ends it, if
// it has not begun yet, too.
func (p *Pool) adopt(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all[w] = true
	p.running.Go(func() {
		<-w.process.Done()
		w.kill() // closes its files
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.all, w)
		p.drop(w)
	})
	if p.closed {
		w.kill()
	}
}

// next is who waits the longest for a worker of a kind; nil: nobody. p.mu is held.
func (p *Pool) next(k kind) (mine chan outcome) {
	waiting := p.waiting[k]
	if len(waiting) == 0 {
		return nil
	}
	if p.waiting[k] = waiting[1:]; len(waiting) == 1 {
		delete(p.waiting, k)
	}
	return waiting[0]
}

// ready gives a worker to who waits for it, or keeps it. p.mu is held.
func (p *Pool) ready(w *worker) {
	if p.closed || !p.all[w] {
		w.kill()
		return
	}
	if next := p.next(w.kind); next != nil {
		next <- outcome{w: w}
		p.begin(w.kind, 1)
		return
	}
	p.idle = append(p.idle, w)
	w.expiry = time.AfterFunc(p.config.Idle, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.drop(w)
	})
	if len(p.idle) > p.config.Workers+1 {
		p.drop(p.idle[0])
	}
}

// drop ends a worker that is idle, and no other. p.mu is held.
func (p *Pool) drop(w *worker) {
	if i := slices.Index(p.idle, w); i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
		w.expiry.Stop()
		w.kill()
	}
}

// put gives back a worker after a compile that ended with err.
func (p *Pool) put(w *worker, err error) {
	if w.spent(p.config, err) {
		w.kill()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ready(w)
}
