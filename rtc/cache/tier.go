package cache

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// A tier is a store of a Tiered with what keeps it out of the way.
type tier struct {
	counts  Counts // failed and skipped
	store   Store
	direct  bool // it answers at once, always
	reading breaker
	writing breaker
	log     *slog.Logger
}

func (t *tier) get(ctx context.Context, key Key) (*Entry, error) {
	if t.direct {
		return t.store.Get(ctx, key)
	}
	var e *Entry
	err := t.guarded(ctx, "read", &t.reading, func(ctx context.Context) (func(), error) {
		got, err := t.store.Get(ctx, key)
		if got == nil && err == nil {
			err = errors.New("it gave neither an entry nor an error")
		}
		return func() { e = got }, err
	})
	return e, err
}

func (t *tier) put(ctx context.Context, key Key, e *Entry) error {
	if t.direct {
		return t.store.Put(ctx, key, e)
	}
	return t.guarded(ctx, "written", &t.writing, func(ctx context.Context) (func(), error) {
		return func() {}, t.store.Put(ctx, key, e)
	})
}

// errSkipped is a call that was not made.
var errSkipped = errors.New("cache: tier skipped")

// guarded makes a call unless the breaker is open, and waits for it no longer
// than the timeout. The call returns what keeps its result; that is done
// by the caller alone, so that a late one changes nothing.
func (t *tier) guarded(ctx context.Context, what string, b *breaker, call func(context.Context) (keep func(), err error)) error {
	ok, trial := b.allow(time.Now())
	if !ok {
		t.counts.skipped.Add(1)
		return errSkipped
	}
	limited, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	results := begin(func() (func(), error) { return call(limited) })
	var r answer[func()]
	select {
	case r = <-results:
		if r.err == nil {
			r.value() // keeps it
		}
	case <-limited.Done():
		r.err = limited.Err()
		grace := b.timeout // a caller who had no time says nothing of the tier
		if ctx.Err() == nil {
			grace = 0
		}
		go func() {
			select {
			case <-results:
			case <-time.After(grace):
				back := b.lose()
				<-results
				back()
			}
		}()
	}
	o := worked
	switch {
	case r.err == nil, errors.Is(r.err, ErrMiss), errors.Is(r.err, ErrReadOnly), errors.Is(r.err, ErrTooLarge):
	case ctx.Err() != nil:
		o = unknown
	default:
		o = failed
		t.counts.failed.Add(1)
		if limited.Err() != nil {
			r.err = fmt.Errorf("no answer in %v: %w", b.timeout, r.err)
		}
	}
	opened, closed := b.done(o, trial, time.Now())
	switch {
	case opened:
		t.log.Warn("a tier of the compile cache can't be "+what+" and is left out for a while", "tier", t.name(), "error", r.err)
	case closed:
		t.log.Info("a tier of the compile cache can be "+what+" again", "tier", t.name())
	}
	return r.err
}

// unlock gives back a lock, which may be nil, and waits for that no longer than for a
// write.
func (t *tier) unlock(unlock func()) {
	if unlock == nil {
		return
	}
	select {
	case <-begin(func() (any, error) { unlock(); return nil, nil }):
	case <-time.After(t.writing.timeout):
	}
}

func (t *tier) name() string {
	if s, ok := t.store.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T", t.store)
}
