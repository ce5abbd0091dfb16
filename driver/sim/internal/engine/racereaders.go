package engine

import "slices"

// A readers is n threads in a row that read at the same clock and place.
type readers struct {
	first epoch // of the first of them
	n     uint32
	site  uint16
}

// has reports whether a thread is one of them.
func (x *readers) has(thread uint64) bool { return thread-x.first.thread() < uint64(x.n) }

// like reports whether a thread that is next to them would be one of them.
func (x *readers) like(e epoch, site uint16) bool {
	return uint32(x.first) == uint32(e) && x.site == site
}

// A readerSet is the last reads of several threads, ordered by thread.
type readerSet []readers

// insert adds the read of a thread, which takes the place of its own earlier one.
func (s readerSet) insert(e epoch, site uint16) readerSet {
	t := e.thread()
	i, _ := slices.BinarySearchFunc(s, t, func(x readers, t uint64) int { // the first that begins after t
		if x.first.thread() <= t {
			return -1
		}
		return 1
	})
	if i > 0 && s[i-1].has(t) {
		old := s[i-1]
		if old.first.clock() == e.clock() && (old.first.how() == weak || old.first.how() == e.how()) {
			return s
		}
		before, after := uint32(t-old.first.thread()), old.n-uint32(t-old.first.thread())-1
		var pieces []readers
		if before > 0 {
			pieces = append(pieces, readers{old.first, before, old.site})
		}
		if after > 0 {
			pieces = append(pieces, readers{old.first + epoch(uint64(before+1)<<32), after, old.site})
		}
		s = slices.Replace(s, i-1, i, pieces...)
		if i--; before > 0 {
			i++
		}
	}
	if i > 0 && s[i-1].like(e, site) && s[i-1].first.thread()+uint64(s[i-1].n) == t {
		s[i-1].n++
		if i < len(s) && s[i].like(e, site) && s[i].first.thread() == t+1 {
			s[i-1].n += s[i].n
			s = slices.Delete(s, i, i+1)
		}
		return s
	}
	if i < len(s) && s[i].like(e, site) && s[i].first.thread() == t+1 {
		s[i].first -= 1 << 32
		s[i].n++
		return s
	}
	return slices.Insert(s, i, readers{e, 1, site})
}

// setRaces reports which of several reads a write of thread t of the block races with.
func (r *blockRace) setRaces(s readerSet, index int, e epoch, m *shadowMemory) (conflict, bool) {
	for _, x := range s {
		for k := uint64(0); k < uint64(x.n); {
			thread := x.first.thread() + k
			block := thread / r.grid.threads
			end := min((block+1)*r.grid.threads-x.first.thread(), uint64(x.n)) // of the block's
			if r.knowsBlock(index, block, x.first.clock()) {
				k = end
				continue
			}
			for ; k < end; k++ {
				if other := x.first + epoch(k<<32); r.races(index, e, other, m) {
					return conflict{other, x.site, false}, true
				}
			}
		}
	}
	return conflict{}, false
}
