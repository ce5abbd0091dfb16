package cache

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// A Store keeps entries. Its contents may be shared with other processes.
//
// Safe for concurrent use.
type Store interface {
	// Get returns the entry under key, which is shared and not to be changed.
	// An error that matches ErrMiss says that there is none, or none that is
	// whole; any other that the store could not tell. Either way the caller
	// compiles.
	Get(ctx context.Context, key Key) (*Entry, error)
	// Put stores an entry, in place of one that is there; the store may keep e
	// itself. An error says that it was not stored, which is no reason to fail:
	// what was compiled is as good as before.
	Put(ctx context.Context, key Key, e *Entry) error
	// Close gives back what the store holds open. Later calls get ErrClosed.
	Close() error
}

var (
	// ErrMiss says that a store has no usable entry under a key.
	ErrMiss = errors.New("cache: miss")
	// ErrClosed says that a store was closed.
	ErrClosed = errors.New("cache: closed")
	// ErrReadOnly says that a store takes no entries, by its nature.
	ErrReadOnly = errors.New("cache: read only")
	// ErrTooLarge says that an entry is larger than a store takes.
	ErrTooLarge = errors.New("cache: entry too large")

	errNoEntry = errors.New("cache: put: there is no entry: it is nil")
	errNoStore = errors.New("there is no store: it is nil")
)

// none reports whether s is nil, or one of this package's that is.
func none(s Store) bool {
	switch s := s.(type) {
	case nil:
		return true
	case *Disk:
		return s == nil
	case *Memory:
		return s == nil
	case *Archive:
		return s == nil
	case *Tiered:
		return s == nil
	}
	return false
}

// A DamagedError is a miss where something lay that is not what was put under
// the key: cut short, changed, of another format, or not authentic. It matches
// ErrMiss.
//
// Safe for concurrent use after it is made; its fields must not change.
type DamagedError struct {
	Key    Key
	Reason string
}

// Error says which entry, and what is wrong with it.
func (e *DamagedError) Error() string { return fmt.Sprintf("cache: entry %s: %s", e.Key, e.Reason) }

// Is matches ErrMiss.
func (e *DamagedError) Is(target error) bool { return target == ErrMiss }

// An Info is what a store tells of an entry without reading it.
//
// Safe for concurrent use after it is made; its fields must not change.
type Info struct {
	Key   Key
	Bytes int64     // what it takes of the store
	Used  time.Time // about when it was used last; zero where the store can't tell
}

// A Walker is a Store that can tell what it holds.
//
// Safe for concurrent use.
type Walker interface {
	// All goes through the entries there are, in no order; what comes and goes
	// meanwhile may be left out. An error ends it.
	All(ctx context.Context) iter.Seq2[Info, error]
	// Delete removes an entry. That there is none is no error.
	Delete(ctx context.Context, key Key) error
}

// A Trimmer is a Store that can be told to tidy up.
//
// Safe for concurrent use.
type Trimmer interface {
	// Trim removes what dead writers left, and entries beyond the store's bound.
	// It returns how many entries went.
	Trim(ctx context.Context) (evicted int, err error)
}

// A Locker is a Store whose keys can be locked between all that share it.
//
// Safe for concurrent use.
type Locker interface {
	// Lock waits until no other holds key's lock and returns what gives it
	// back. A lock whose holder died is free; one whose holder hangs is not, so
	// give ctx a deadline. The error is ctx's: where locks don't work, Lock goes
	// on without one, since doing a thing twice is harmless.
	Lock(ctx context.Context, key Key) (unlock func(), err error)
}

// A Counter is a Store that counts what it does.
//
// Safe for concurrent use.
type Counter interface {
	Stats() Stats
}
