package cache

import (
	"sync"
	"time"
)

const (
	breakAfter = 3               // failures in a row
	firstBreak = time.Second     // of the tier; each that follows is twice as long
	lastBreak  = 1 * time.Minute // the longest
)

// A breaker spares calls that would fail. After some failures in a row it lets
// none through for a while, then one, which decides. While a call that was
// given up has not come back, as on a file system that hangs, none follows it.
type breaker struct {
	timeout time.Duration // of a call

	mu       sync.Mutex
	failures int
	pause    time.Duration // zero: closed
	until    time.Time
	trying   bool // one call, after a pause
	lost     int  // calls given up that have not come back
}

// allow tells whether a call may be made, and whether it is the one that
// decides. Then done must follow.
func (b *breaker) allow(now time.Time) (ok, trial bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lost > 0 || b.trying || now.Before(b.until) {
		return false, false
	}
	b.trying = b.pause > 0
	return true, b.trying
}

// An outcome is how a call went, as far as it tells of the tier.
type outcome int

const (
	worked outcome = iota
	failed
	unknown // the caller ended it
)

// done takes the outcome of a call and reports whether the breaker opened, or
// closed, by it.
func (b *breaker) done(o outcome, trial bool, now time.Time) (opened, closed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if trial {
		b.trying = false
	}
	switch o {
	case worked:
		closed = b.pause > 0
		b.failures, b.pause, b.until = 0, 0, time.Time{}
	case failed:
		b.failures++
		// Those that began before it opened say nothing new.
		if trial || (b.failures >= breakAfter && b.pause == 0) {
			opened = b.pause == 0
			b.pause = min(max(firstBreak, 2*b.pause), lastBreak)
			b.until = now.Add(b.pause)
		}
	}
	return opened, closed
}

// lose notes a call that was given up; the function it returns, that it came back.
func (b *breaker) lose() (back func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lost++
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.lost--
	}
}

// down tells whether calls are spared now.
func (b *breaker) down(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lost > 0 || now.Before(b.until)
}
