package worker

import (
	"context"
	"slices"
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
			p.begin(k)
			p.mu.Unlock()
			return w, nil
		}
	}
	mine := make(chan outcome, 1)
	p.waiting[k] = append(p.waiting[k], mine)
	p.begin(k)
	p.mu.Unlock()
	select {
	case o := <-mine:
		return o.w, o.err
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

// begin begins as many workers as are waited for, and a spare one. p.mu is held.
func (p *Pool) begin(k kind) {
	ready := 0
	for _, w := range p.idle {
		if w.kind == k {
			ready++
		}
	}
	for p.begun[k]+ready < len(p.waiting[k])+1 {
		p.begun[k]++
		p.running.Go(func() { p.start(k) })
	}
}

// start starts a worker and hands it to who waits.
func (p *Pool) start(k kind) {
	w, err := startWorker(p.config, k)
	p.mu.Lock()
	p.begun[k]--
	if err != nil {
		if waiting := p.waiting[k]; len(waiting) > 0 {
			p.waiting[k] = waiting[1:]
			waiting[0] <- outcome{err: err}
		}
		p.mu.Unlock()
		return
	}
	p.all[w] = true
	p.running.Go(func() {
		<-w.process.Done()
		w.kill() // closes its files
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.all, w)
		if i := slices.Index(p.idle, w); i >= 0 {
			p.idle = slices.Delete(p.idle, i, i+1)
		}
	})
	p.mu.Unlock()
	p.ready(w)
}

// ready gives a worker to who waits for it, or keeps it.
func (p *Pool) ready(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch waiting := p.waiting[w.kind]; {
	case p.closed || !p.all[w]:
		w.kill()
	case len(waiting) > 0:
		p.waiting[w.kind] = waiting[1:]
		waiting[0] <- outcome{w: w}
	default:
		p.idle = append(p.idle, w)
		for len(p.idle) > p.config.Workers+1 {
			p.idle[0].kill()
			p.idle = slices.Delete(p.idle, 0, 1)
		}
	}
}

// put gives back a worker after a compile that ended with err.
func (p *Pool) put(w *worker, err error) {
	if w.spent(p.config, err) {
		w.kill()
		return
	}
	p.ready(w)
}
