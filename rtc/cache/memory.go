package cache

import (
	"context"
	"iter"
	"sync"
)

// MemoryConfig says how much a Memory holds. Its zero value works.
//
// Safe for concurrent use after it is made; its fields must not change.
type MemoryConfig struct {
	MaxBytes int64 // about; zero is 64 MiB
}

// A Memory is a Store of this process. When it is full what was not used for
// the longest time goes. A hit takes well under a microsecond and no memory. Nil has and
// takes nothing.
//
// Safe for concurrent use.
type Memory struct {
	counts Counts
	max    int64

	mu     sync.Mutex
	held   map[Key]*kept // nil: closed
	recent kept          // the ring's start: its next was used last, its previous is the first to go
	bytes  int64
}

// kept is an entry in the ring.
type kept struct {
	next, previous *kept
	key            Key
	entry          *Entry
	bytes          int64
}

// NewMemory makes an empty Memory.
func NewMemory(c MemoryConfig) *Memory {
	m := &Memory{max: c.MaxBytes, held: map[Key]*kept{}}
	if m.max <= 0 {
		m.max = 64 << 20
	}
	m.recent.next, m.recent.previous = &m.recent, &m.recent
	return m
}

// String says that it is memory.
func (m *Memory) String() string { return "memory" }

// Get returns the entry under key, or ErrMiss.
func (m *Memory) Get(_ context.Context, key Key) (*Entry, error) {
	if m == nil {
		return nil, ErrMiss
	}
	m.mu.Lock()
	k := m.held[key]
	if k == nil {
		closed := m.held == nil
		m.mu.Unlock()
		if closed {
			return nil, ErrClosed
		}
		m.counts.misses.Add(1)
		return nil, ErrMiss
	}
	k.unlink()
	m.first(k)
	m.mu.Unlock()
	m.counts.hits.Add(1)
	return k.entry, nil
}

// Put keeps e itself. An entry larger than the whole Memory is ErrTooLarge.
func (m *Memory) Put(_ context.Context, key Key, e *Entry) error {
	switch {
	case m == nil:
		return ErrReadOnly
	case e == nil:
		return errNoEntry
	}
	k := &kept{key: key, entry: e, bytes: e.bytes()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held == nil {
		return ErrClosed
	}
	m.drop(m.held[key])
	if k.bytes > m.max {
		m.counts.failed.Add(1)
		return ErrTooLarge
	}
	for m.bytes+k.bytes > m.max {
		m.drop(m.recent.previous)
		m.counts.evicted.Add(1)
	}
	m.held[key] = k
	m.bytes += k.bytes
	m.first(k)
	m.counts.puts.Add(1)
	return nil
}

// Delete removes an entry.
func (m *Memory) Delete(_ context.Context, key Key) error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held == nil {
		return ErrClosed
	}
	m.drop(m.held[key])
	return nil
}

// Stats returns what was counted so far.
func (m *Memory) Stats() Stats {
	if m == nil {
		return Stats{}
	}
	return m.counts.Stats()
}

// All goes through the entries there were when it began.
func (m *Memory) All(context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if m == nil {
			return
		}
		m.mu.Lock()
		if m.held == nil {
			m.mu.Unlock()
			yield(Info{}, ErrClosed)
			return
		}
		var all []Info
		for k := m.recent.next; k != &m.recent; k = k.next {
			all = append(all, Info{Key: k.key, Bytes: k.bytes})
		}
		m.mu.Unlock()
		for _, info := range all {
			if !yield(info, nil) {
				return
			}
		}
	}
}

// Close forgets all entries.
func (m *Memory) Close() error {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.held, m.bytes = nil, 0
	m.recent.next, m.recent.previous = &m.recent, &m.recent
	return nil
}

// first puts k where what was used last is.
func (m *Memory) first(k *kept) {
	k.next, k.previous = m.recent.next, &m.recent
	k.next.previous, m.recent.next = k, k
}

func (k *kept) unlink() { k.previous.next, k.next.previous = k.next, k.previous }

// drop forgets k, which may be nil.
func (m *Memory) drop(k *kept) {
	if k == nil {
		return
	}
	k.unlink()
	delete(m.held, k.key)
	m.bytes -= k.bytes
}
