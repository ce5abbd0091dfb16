package cache

import (
	"errors"
	"sync/atomic"
)

// Stats counts what a store did since it was made.
//
// Safe for concurrent use after it is made; its fields must not change.
type Stats struct {
	Hits, Misses uint64
	Damaged      uint64 // misses because of a DamagedError
	Puts         uint64 // entries stored
	Evicted      uint64 // entries removed to keep the bound
	Failed       uint64 // calls that ended with another error than a miss
	Skipped      uint64 // calls that a Tiered spared a tier which was slow or dead
}

// Counts are the Stats of a store while it works. Its zero value works.
//
// Safe for concurrent use.
type Counts struct {
	hits, misses, damaged, puts, evicted, failed, skipped atomic.Uint64
}

// Stats returns what was counted so far.
func (c *Counts) Stats() Stats {
	return Stats{
		Hits: c.hits.Load(), Misses: c.misses.Load(), Damaged: c.damaged.Load(), Puts: c.puts.Load(),
		Evicted: c.evicted.Load(), Failed: c.failed.Load(), Skipped: c.skipped.Load(),
	}
}

// Get counts the end of a Get.
func (c *Counts) Get(err error) {
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

// Put counts the end of a Put.
func (c *Counts) Put(err error) {
	if err == nil {
		c.puts.Add(1)
	} else {
		c.failed.Add(1)
	}
}
