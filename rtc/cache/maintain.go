package cache

import (
	"context"
	"errors"
	"fmt"
)

// Usage is what a store holds.
//
// Safe for concurrent use after it is made; its fields must not change.
type Usage struct {
	Entries int
	Bytes   int64
}

// UsageOf counts what a store holds. It must be a Walker.
func UsageOf(ctx context.Context, s Store) (Usage, error) {
	var u Usage
	err := walk(ctx, "usage", s, func(_ Walker, info Info) error {
		u.Entries++
		u.Bytes += info.Bytes
		return nil
	})
	return u, err
}

// A Report is what Verify or Repair found.
//
// Safe for concurrent use after it is made; its fields must not change.
type Report struct {
	Whole   Usage
	Damaged []*DamagedError
}

// Verify reads every entry of a store, which must be a Walker, and says which
// are damaged. It changes nothing.
func Verify(ctx context.Context, s Store) (Report, error) {
	var r Report
	err := walk(ctx, "verify", s, func(_ Walker, info Info) error {
		return r.read(ctx, s, info)
	})
	return r, err
}

// Repair is Verify that removes the entries that are damaged, and what dead
// writers left.
func Repair(ctx context.Context, s Store) (Report, error) {
	var r Report
	err := walk(ctx, "repair", s, func(w Walker, info Info) error {
		before := len(r.Damaged)
		err := r.read(ctx, s, info)
		if err == nil && len(r.Damaged) > before {
			err = w.Delete(ctx, info.Key)
		}
		return err
	})
	return r, errors.Join(err, trim(ctx, s))
}

// read reads an entry.
func (r *Report) read(ctx context.Context, s Store, info Info) error {
	_, err := peek(ctx, s, info.Key)
	var damaged *DamagedError
	switch {
	case err == nil:
		r.Whole.Entries++
		r.Whole.Bytes += info.Bytes
	case errors.As(err, &damaged):
		r.Damaged = append(r.Damaged, damaged)
	case !errors.Is(err, ErrMiss): // which went meanwhile
		return err
	}
	return nil
}

// Clear removes every entry of a store, which must be a Walker, and returns how
// many there were.
func Clear(ctx context.Context, s Store) (removed int, err error) {
	err = walk(ctx, "clear", s, func(w Walker, info Info) error {
		if err := w.Delete(ctx, info.Key); err != nil {
			return err
		}
		removed++
		return nil
	})
	return removed, errors.Join(err, trim(ctx, s))
}

// walk calls f for each entry until an error.
func walk(ctx context.Context, operation string, s Store, f func(Walker, Info) error) error {
	if s == nil {
		return fmt.Errorf("cache: %s: %w", operation, errNoStore)
	}
	w, ok := s.(Walker)
	if !ok {
		return fmt.Errorf("cache: %s: a %T does not tell what it holds: %w", operation, s, errors.ErrUnsupported)
	}
	for info, err := range w.All(ctx) {
		if err == nil {
			err = f(w, info)
		}
		if err != nil {
			return fmt.Errorf("cache: %s: %w", operation, err)
		}
	}
	return nil
}

// peek is Get that does not count as use where the store knows such.
func peek(ctx context.Context, s Store, key Key) (*Entry, error) {
	if p, ok := s.(interface {
		peek(context.Context, Key) (*Entry, error)
	}); ok {
		return p.peek(ctx, key)
	}
	return s.Get(ctx, key)
}

func trim(ctx context.Context, s Store) error {
	if t, ok := s.(Trimmer); ok {
		_, err := t.Trim(ctx)
		return err
	}
	return nil
}
