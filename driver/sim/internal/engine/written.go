package engine

import (
	"math/bits"
	"sync/atomic"
)

// A written remembers which bytes of a piece of memory were written, a bit for each. A nil written stands for memory of which nobody asks.
//
// Safe for concurrent use.
type written struct {
	size  int64
	words []uint64
	left  atomic.Int64 // bytes not written
}

// newWritten is for size bytes, none of them written.
func newWritten(size int64) *written {
	m := &written{size: size, words: make([]uint64, (size+63)/64)}
	m.left.Store(size)
	return m
}

// grow makes it one for at least size bytes, those that come not written. Nobody else may use it meanwhile.
func (m *written) grow(size int64) {
	if size > m.size {
		m.words = append(m.words, make([]uint64, (size+63)/64-int64(len(m.words)))...)
		m.left.Add(size - m.size)
		m.size = size
	}
}

// unwritten is a mask of the bytes not written of size bytes at off. They lie in one word: off is a multiple of size, which is at most 8.
func (m *written) unwritten(off, size uint64) uint32 {
	if m == nil || m.left.Load() == 0 {
		return 0
	}
	return uint32(^atomic.LoadUint64(&m.words[off>>6])>>(off&63)) & (1<<size - 1)
}

// set says of size bytes at off, as in unwritten, which of them are not written now.
func (m *written) set(off, size uint64, not uint32) {
	if m == nil {
		return
	}
	word, all := &m.words[off>>6], uint64(1)<<size-1
	if yes := (all &^ uint64(not)) << (off & 63); yes&^atomic.LoadUint64(word) != 0 {
		old := atomic.OrUint64(word, yes)
		m.left.Add(-int64(bits.OnesCount64(yes &^ old)))
	}
	if no := (all & uint64(not)) << (off & 63); no != 0 {
		old := atomic.AndUint64(word, ^no)
		m.left.Add(int64(bits.OnesCount64(no & old)))
	}
}

// mark says of any n bytes at off that they are written, or not.
func (m *written) mark(off, n int64, yes bool) {
	if m == nil {
		return
	}
	for n > 0 {
		k := min(64-off&63, n)
		part := (^uint64(0) >> (64 - k)) << (off & 63)
		if word := &m.words[off>>6]; yes {
			m.left.Add(-int64(bits.OnesCount64(part &^ atomic.OrUint64(word, part))))
		} else {
			m.left.Add(int64(bits.OnesCount64(part & atomic.AndUint64(word, ^part))))
		}
		off, n = off+k, n-k
	}
}

// copy makes n bytes at off as written as those of other at from.
func (m *written) copy(off int64, other *written, from, n int64) {
	if m == nil {
		return
	}
	if other == nil || other.left.Load() == 0 {
		m.mark(off, n, true)
		return
	}
	get := make([]bool, n) // both may be the same memory
	for i := range get {
		at := from + int64(i)
		get[i] = atomic.LoadUint64(&other.words[at>>6])>>(at&63)&1 != 0
	}
	for i, yes := range get {
		m.mark(off+int64(i), 1, yes)
	}
}

// RememberWrites makes the allocations to come remember which of their bytes were written, for [Check].Uninitialised. Bytes of
// earlier ones, and of what a module declares, count as written.
func (m *Memory) RememberWrites() { m.remember.Store(true) }

// Written says that the host wrote n bytes at addr. What does not lie in an allocation is left alone.
func (m *Memory) Written(addr uint64, n int64) {
	if a, off, n := m.piece(addr, n); a != nil {
		a.written.mark(off, n, true)
	}
}

// Copied says that n bytes at from were copied to those at to: what nobody wrote there, nobody wrote here.
func (m *Memory) Copied(to, from uint64, n int64) {
	a, off, n := m.piece(to, n)
	if a == nil {
		return
	}
	b, at, k := m.piece(from, n)
	if b == nil || k < n {
		a.written.mark(off, n, true)
		return
	}
	a.written.copy(off, b.written, at, n)
}

// piece is the allocation at addr, the offset in it, and how many of n bytes lie in it.
func (m *Memory) piece(addr uint64, n int64) (*Allocation, int64, int64) {
	a := m.Find(addr)
	if a == nil || n <= 0 {
		return nil, 0, 0
	}
	off := int64(addr - a.Base)
	return a, off, min(n, int64(len(a.Data))-off)
}
