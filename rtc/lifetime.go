package rtc

import (
	"cmp"
	"io"
	"slices"
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A closer lets an object end once. Whoever comes later, or at the same time,
// waits until it has ended, and hears of no error.
type closer struct{ once sync.Once }

// close refuses a host function, for which it would wait: the object stays as it is.
func (c *closer) close(end func() error) (err error) {
	if driver.InHostFunc() {
		return ErrInHostFunc
	}
	c.once.Do(func() { err = end() })
	return err
}

// A lifetime owns what was made from one object and closes it with it, newest
// first. The zero value is ready for use.
type lifetime struct {
	end    closer
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

// remove forgets c, which has closed by itself.
func (l *lifetime) remove(c io.Closer) {
	l.mu.Lock()
	delete(l.kids, c)
	l.mu.Unlock()
}

// list is what there is, newest first.
func (l *lifetime) list() []io.Closer {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]io.Closer, 0, len(l.kids))
	for c := range l.kids {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b io.Closer) int { return cmp.Compare(l.kids[b], l.kids[a]) })
	return all
}

// close closes everything, once. The lock is not held meanwhile: what closes
// calls remove, and waits for one who closes it already.
func (l *lifetime) close() error {
	return l.end.close(func() error {
		l.mu.Lock()
		l.closed = true
		l.mu.Unlock()
		var errs []error
		for _, c := range l.list() {
			errs = append(errs, c.Close())
		}
		return joined(errs...)
	})
}
