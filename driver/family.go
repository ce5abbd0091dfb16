package driver

import (
	"errors"
	"slices"
	"sync"
)

// A family is what an object must close before it goes itself.
type family struct {
	mu      sync.Mutex
	next    uint64
	members map[closer]uint64 // the number of each, in the order they came
	shut    bool
}

type closer interface{ Close() error }

// add reports whether c was taken in: not after closeAll has begun.
func (f *family) add(c closer) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shut {
		return false
	}
	if f.members == nil {
		f.members = map[closer]uint64{}
	}
	f.next++
	f.members[c] = f.next
	return true
}

func (f *family) drop(c closer) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.members, c)
}

// list is the members, newest first.
func (f *family) list() []closer {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := make([]closer, 0, len(f.members))
	for c := range f.members {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b closer) int { return int(f.members[b]) - int(f.members[a]) })
	return all
}

// closeAll closes the members, newest first, and takes in no more.
func (f *family) closeAll() error {
	f.mu.Lock()
	f.shut = true
	f.mu.Unlock()
	var errs []error
	for _, c := range f.list() {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
