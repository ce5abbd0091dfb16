package rtc

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"sync"
)

// ErrClosed is matched by the errors of calls on something that was closed.
var ErrClosed = errors.New("closed")

// A lifetime owns what was made from one object and closes it with it, newest
// first. The zero value is ready for use.
type lifetime struct {
	mu     sync.Mutex
	kids   map[io.Closer]uint64 // what to close, and when it came
	count  uint64
	closed bool
}

// add makes c close with l. It fails with ErrClosed when l is closed already;
// c is then still the caller's to close.
func (l *lifetime) add(c io.Closer) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return ErrClosed
	}
	if l.kids == nil {
		l.kids = make(map[io.Closer]uint64)
	}
	l.count++
	l.kids[c] = l.count
	return nil
}

// remove forgets c, which closed by itself.
func (l *lifetime) remove(c io.Closer) {
	l.mu.Lock()
	delete(l.kids, c)
	l.mu.Unlock()
}

// close closes everything, once. The lock is not held meanwhile: what closes
// calls remove.
func (l *lifetime) close() error {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		return nil
	}
	l.closed = true
	type kid struct {
		c io.Closer
		n uint64
	}
	var kids []kid
	for c, n := range l.kids {
		kids = append(kids, kid{c, n})
	}
	l.mu.Unlock()
	slices.SortFunc(kids, func(a, b kid) int { return cmp.Compare(b.n, a.n) })
	var errs []error
	for _, k := range kids {
		errs = append(errs, k.c.Close())
	}
	return errors.Join(errs...)
}
