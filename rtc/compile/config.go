package compile

import (
	"errors"
	"fmt"
	"time"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
)

// A Config says how a Service compiles. The zero Config works: it compiles with
// the machine's NVRTC in this process and keeps nothing. One with a number less
// than zero gives a Service that refuses every request, and says which it is.
//
// Safe for concurrent use after it is made; its fields must not change.
type Config struct {
	// Compiler is the NVRTC of requests that have none. Nil: the machine's, opened
	// when first needed.
	Compiler *nvrtc.Compiler
	// MaxThreads is how many compiles run at once. 0: GOMAXPROCS. In this
	// process a compiler's own nvrtc.Config.Threads bounds it, too.
	MaxThreads int
	// QueueSize is how many wait for their turn. 0: 100.
	QueueSize int
	// Refuse has Submit give ErrQueueFull when so many wait, in place of waiting.
	Refuse bool
	// Timeout ends a compile after so long a time of running, the wait for its
	// turn not counted. 0: none.
	Timeout time.Duration
	// Store keeps what was compiled; it stays the caller's to close. If it is a
	// cache.Locker, two processes that share it do not compile the same at the
	// same time, unless one takes more than ten minutes: it may have been stopped, by
	// Ctrl-Z say. What it does, to panic or to hang, too, fails no compile; unless it
	// sets itself times, as cache.Tiered does, it has ten seconds. Nil: nothing is kept.
	Store cache.Store
	// Runner runs the compiles. Nil: in this process. The Service closes it.
	Runner Runner
}

// check finds limits that are none.
func (c *Config) check() error {
	return errors.Join(
		notNegative("the config's MaxThreads", c.MaxThreads),
		notNegative("the config's QueueSize", c.QueueSize),
		notNegative("the config's Timeout", c.Timeout))
}

func notNegative[T int | int64 | time.Duration](what string, value T) error {
	if value < 0 {
		return fmt.Errorf("%s is %v, less than 0", what, value)
	}
	return nil
}
