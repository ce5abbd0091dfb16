package cache

import (
	"errors"
	"sync/atomic"
)

// counts are the Stats of a store while it works.
type counts struct {
	hits, misses, damaged, puts, evicted, failed, skipped atomic.Uint64
}

// Stats returns what was counted so far.
func (c *counts) Stats() Stats {
	return Stats{
		Hits: c.hits.Load(), Misses: c.misses.Load(), Damaged: c.damaged.Load(), Puts: c.puts.Load(),
		Evicted: c.evicted.Load(), Failed: c.failed.Load(), Skipped: c.skipped.Load(),
	}
}

// got counts the end of a Get.
func (c *counts) got(err error) {
	var damaged *DamagedError
	switch {
	case err == nil:
		c.hits.Add(1)
	case !errors.Is(err, ErrMiss):
		c.failed.Add(1)
	default:
		c.misses.Add(1)
		if errors.As(err, &damaged) {
			c.damaged.Add(1)
		}
	}
}

// put counts the end of a Put.
func (c *counts) put(err error) {
	if err == nil {
		c.puts.Add(1)
	} else {
		c.failed.Add(1)
	}
}
