package drivertest

import (
	"slices"
	"sync"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A Call is one call of a C function.
//
// Safe for concurrent use after it is made; its fields must not change.
type Call struct {
	Function string
	Args     []uintptr // the words as they were passed; pointers may have died since
	Thread   int       // the OS thread, where the platform tells
	Result   driver.Result
	Returned bool // false: still under way
}

type record struct {
	mu         sync.Mutex
	calls      []Call
	violations []string
	off        bool
}

func (r *record) begin(symbol string, args []uintptr) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off {
		return -1
	}
	r.calls = append(r.calls, Call{Function: symbol, Args: slices.Clone(args), Thread: callee.Thread()})
	return len(r.calls) - 1
}

func (r *record) end(n int, result driver.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n >= 0 && n < len(r.calls) {
		r.calls[n].Result, r.calls[n].Returned = result, true
	}
}

func (r *record) violation(symbol string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.violations = append(r.violations, symbol)
}

// Calls are the calls since New or Forget, of the named functions or of all, in
// the order in which they began.
func (d *Driver) Calls(functions ...string) []Call {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	var some []Call
	for _, c := range d.record.calls {
		if len(functions) == 0 || slices.Contains(functions, c.Function) {
			some = append(some, c)
		}
	}
	return some
}

// Called is the number of calls of a function.
func (d *Driver) Called(function string) int { return len(d.Calls(function)) }

// Unbound are the functions that were called on a thread without a current
// context though they need one, one entry for each call. With
// Config.NeedsContext a launch's first try is among them.
func (d *Driver) Unbound() []string {
	d.record.mu.Lock()
	defer d.record.mu.Unlock()
	return slices.Clone(d.record.violations)
}

// Forget empties the record of calls and of launches.
func (d *Driver) Forget() {
	d.record.mu.Lock()
	d.record.calls, d.record.violations = nil, nil
	d.record.mu.Unlock()
	d.mu.Lock()
	d.launches = nil
	d.mu.Unlock()
}

// Quiet stops or resumes the recording, for tests with very many calls.
func (d *Driver) Quiet(on bool) {
	d.record.mu.Lock()
	d.record.off = on
	d.record.mu.Unlock()
}
