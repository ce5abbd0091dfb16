package cache

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"
)

// TieredConfig says how a Tiered treats its tiers. Its zero value works.
//
// Safe for concurrent use after it is made; its fields must not change.
type TieredConfig struct {
	// Timeout is how long a read waits for one tier; zero is a second. One that
	// answers later has failed.
	Timeout time.Duration
	// WriteTimeout is that of a write; zero is ten seconds. A disk that is busy
	// takes its time, and what is not written is compiled again.
	WriteTimeout time.Duration
	// Logger is told when a tier is left out and when it is back. Nil: nobody is.
	Logger *slog.Logger
}

// A Tiered is a Store of stores, the fastest first. What is found in one is put
// into those before it; what is put goes to all. A tier that fails or is slow,
// three times in a row, is left out for a second, then tried again, then for
// longer, up to a minute; reading and writing are judged apart. To panic is to
// fail. So Get's error is ErrMiss, ErrClosed or ctx's, and Put has only the last two.
//
// Safe for concurrent use.
type Tiered struct {
	counts Counts
	tiers  []*tier
	closed atomic.Bool
}

// NewTiered puts stores, which it closes when it is closed, above one another. Those
// that are nil, as Default may be, are left out.
func NewTiered(c TieredConfig, stores ...Store) *Tiered {
	if c.Timeout <= 0 {
		c.Timeout = time.Second
	}
	if c.WriteTimeout <= 0 {
		c.WriteTimeout = 10 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	t := &Tiered{}
	for _, s := range stores {
		if none(s) {
			continue
		}
		one := &tier{store: s, reading: breaker{timeout: c.Timeout}, writing: breaker{timeout: c.WriteTimeout}, log: c.Logger}
		switch s.(type) {
		case *Memory, *Archive:
			one.direct = true
		}
		t.tiers = append(t.tiers, one)
	}
	return t
}

// Get returns the entry of the first tier that has it.
func (t *Tiered) Get(ctx context.Context, key Key) (*Entry, error) {
	if t == nil {
		return nil, ErrMiss
	}
	if t.closed.Load() {
		return nil, ErrClosed
	}
	for i, one := range t.tiers {
		e, err := one.get(ctx, key)
		if err == nil {
			for _, above := range t.tiers[:i] {
				_ = above.put(ctx, key, e)
			}
			t.counts.hits.Add(1)
			return e, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var damaged *DamagedError
		if errors.As(err, &damaged) {
			t.counts.damaged.Add(1)
		}
	}
	t.counts.misses.Add(1)
	return nil, ErrMiss
}

// Put puts the entry into every tier that takes it.
func (t *Tiered) Put(ctx context.Context, key Key, e *Entry) error {
	switch {
	case t == nil:
		return ErrReadOnly
	case t.closed.Load():
		return ErrClosed
	case e == nil:
		return errNoEntry
	}
	stored := false
	for _, one := range t.tiers {
		stored = one.put(ctx, key, e) == nil || stored
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if stored {
		t.counts.puts.Add(1)
	}
	return nil
}

// Lock takes key's lock of the first tier that has locks. Without one, or where
// that can't be read, it returns at once.
func (t *Tiered) Lock(ctx context.Context, key Key) (unlock func(), err error) {
	if t == nil {
		return func() {}, ctx.Err()
	}
	if t.closed.Load() {
		return nil, ErrClosed
	}
	for _, one := range t.tiers {
		locker, ok := one.store.(Locker)
		if !ok {
			continue
		}
		if one.reading.down(time.Now()) || one.writing.down(time.Now()) {
			one.counts.skipped.Add(1)
			break
		}
		locks := begin(func() (func(), error) { return locker.Lock(ctx, key) })
		select {
		case lock := <-locks:
			if lock.err != nil && ctx.Err() != nil || errors.Is(lock.err, ErrClosed) {
				return nil, lock.err
			}
			return func() { one.unlock(lock.value) }, nil
		case <-ctx.Done():
			go func() { one.unlock((<-locks).value) }()
			return nil, ctx.Err()
		}
	}
	return func() {}, ctx.Err()
}

// Close closes all tiers.
func (t *Tiered) Close() error {
	if t == nil || t.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, one := range t.tiers {
		errs = append(errs, one.store.Close())
	}
	return errors.Join(errs...)
}

// Stats returns what was counted so far, for all tiers as one store; Failed and
// Skipped are calls to single tiers.
func (t *Tiered) Stats() Stats {
	if t == nil {
		return Stats{}
	}
	s := t.counts.Stats()
	for _, one := range t.tiers {
		s.Failed += one.counts.failed.Load()
		s.Skipped += one.counts.skipped.Load()
	}
	return s
}

// A Tier is what a Tiered tells of one of its stores.
//
// Safe for concurrent use after it is made; its fields must not change.
type Tier struct {
	Name    string
	Store   Store
	Down    bool   // left out now
	Failed  uint64 // calls that failed or took too long
	Skipped uint64 // calls not made, since it was left out
}

// Tiers tells of the stores in their order.
func (t *Tiered) Tiers() []Tier {
	if t == nil {
		return nil
	}
	var all []Tier
	now := time.Now()
	for _, one := range t.tiers {
		all = append(all, Tier{
			Name: one.name(), Store: one.store, Down: one.reading.down(now) || one.writing.down(now),
			Failed: one.counts.failed.Load(), Skipped: one.counts.skipped.Load(),
		})
	}
	return all
}
