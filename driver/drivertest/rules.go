package drivertest

import (
	"sync"
	"time"

	"github.com/purecuda/purecuda/driver"
)

type rules struct {
	mu     sync.Mutex
	fails  []*fail
	delays map[string]time.Duration
	broken driver.Result
}

type fail struct {
	function    string
	code        driver.Result
	skip, times int
}

// Fail makes the next calls of a function answer with the code: as many as
// times says, or all for ever when it is 0. "" means any function.
func (d *Driver) Fail(function string, code driver.Result, times int) {
	d.FailAfter(function, code, 0, times)
}

// FailAfter is Fail, when that many calls have gone through first.
func (d *Driver) FailAfter(function string, code driver.Result, skip, times int) {
	d.rules.mu.Lock()
	defer d.rules.mu.Unlock()
	if times == 0 {
		times = -1
	}
	d.rules.fails = append(d.rules.fails, &fail{function, code, skip, times})
}

// Break is a fault on the GPU: from now on every call that touches a context
// answers with the code, as the real driver does after an illegal address.
func (d *Driver) Break(code driver.Result) {
	d.rules.mu.Lock()
	defer d.rules.mu.Unlock()
	if d.rules.broken == driver.Success {
		d.rules.broken = code
	}
}

// Delay makes every call of a function take that long.
func (d *Driver) Delay(function string, t time.Duration) {
	d.rules.mu.Lock()
	defer d.rules.mu.Unlock()
	if d.rules.delays == nil {
		d.rules.delays = map[string]time.Duration{}
	}
	d.rules.delays[function] = t
}

func (r *rules) apply(symbol string) (code driver.Result, delay time.Duration, hit bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delay = r.delays[symbol]
	for _, f := range r.fails {
		if f.times == 0 || f.function != "" && f.function != symbol {
			continue
		}
		if f.skip > 0 {
			f.skip--
			continue
		}
		if f.times > 0 {
			f.times--
		}
		return f.code, delay, true
	}
	if e := entries[symbol]; r.broken != driver.Success && e.need != nothing {
		return r.broken, delay, true
	}
	return driver.Success, delay, false
}

// A gate holds the GPU: what was enqueued is not over until it opens.
type gate struct {
	mu   sync.Mutex
	held chan struct{}
}

// Hold keeps all work from ending: queries answer [driver.NotReady] and waits
// block, until Release.
func (d *Driver) Hold() {
	d.gate.mu.Lock()
	defer d.gate.mu.Unlock()
	if d.gate.held == nil {
		d.gate.held = make(chan struct{})
	}
}

// Release undoes Hold.
func (d *Driver) Release() {
	d.gate.mu.Lock()
	defer d.gate.mu.Unlock()
	if d.gate.held != nil {
		close(d.gate.held)
		d.gate.held = nil
	}
}

func (g *gate) wait() {
	g.mu.Lock()
	held := g.held
	g.mu.Unlock()
	if held != nil {
		<-held
	}
}

func (g *gate) query() driver.Result {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.held != nil {
		return driver.NotReady
	}
	return driver.Success
}

// brokenNow is what a fault has left, for calls that find it in the middle.
func (d *Driver) brokenNow() driver.Result {
	d.rules.mu.Lock()
	defer d.rules.mu.Unlock()
	return d.rules.broken
}

// Broken reports whether there was a Break.
func (d *Driver) Broken() bool { return d.brokenNow() != driver.Success }
