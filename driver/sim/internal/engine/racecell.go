package engine

import "slices"

// A cell remembers who accessed a word of memory, or where a page has seen accesses that are not of whole words, a byte.
type cell struct {
	write  epoch // the last that was not strong; 0: none
	strong epoch // the last that was, since then: it does not hide the other from who is ordered after neither
	read   epoch // since then, where it was by one thread
	wsite  uint16
	ssite  uint16
	rsite  uint16
	set    uint32 // of several threads: a set's number in shadowMemory, from 1 on
}

// A shadowPage has the cells of 4 KiB.
type shadowPage struct {
	cells []cell
	bytes bool // a cell for each byte
}

const pageBits = 12

// A shadowMemory has the cells of a memory, as far as it was accessed.
type shadowMemory struct {
	pages  map[uint64]*shadowPage
	recent [64]struct {
		number uint64 // plus 1
		page   *shadowPage
	}
	spare []*shadowPage
	sets  []readerSet
	free  []uint32
}

// reset forgets all.
func (m *shadowMemory) reset() {
	for _, p := range m.pages {
		clear(p.cells)
		m.spare = append(m.spare, p)
	}
	clear(m.pages)
	clear(m.recent[:])
	m.sets, m.free = m.sets[:0], m.free[:0]
}

// page is the page of an address.
func (m *shadowMemory) page(addr uint64) *shadowPage {
	n := addr >> pageBits
	r := &m.recent[n%uint64(len(m.recent))]
	if r.number == n+1 {
		return r.page
	}
	p := m.pages[n]
	if p == nil {
		if m.pages == nil {
			m.pages = map[uint64]*shadowPage{}
		}
		if k := len(m.spare); k > 0 {
			p, m.spare = m.spare[k-1], m.spare[:k-1]
		} else {
			p = &shadowPage{cells: make([]cell, 1<<pageBits/4)}
		}
		m.pages[n] = p
	}
	r.number, r.page = n+1, p
	return p
}

// split gives each byte of a page a cell.
func (m *shadowMemory) split(p *shadowPage) {
	cells := make([]cell, 1<<pageBits)
	for i := range cells {
		cells[i] = p.cells[i/4]
		if s := cells[i].set; s != 0 && i%4 != 0 {
			cells[i].set = m.newSet(slices.Clone(m.sets[s-1]))
		}
	}
	p.cells, p.bytes = cells, true
}

// newSet keeps a set and gives its number.
func (m *shadowMemory) newSet(s readerSet) uint32 {
	if n := len(m.free); n > 0 {
		number := m.free[n-1]
		m.free = m.free[:n-1]
		m.sets[number-1] = s
		return number
	}
	m.sets = append(m.sets, s)
	return uint32(len(m.sets))
}

// drop forgets the readers of a cell.
func (m *shadowMemory) drop(c *cell) {
	if c.read = 0; c.set != 0 {
		m.sets[c.set-1] = nil
		m.free = append(m.free, c.set)
		c.set = 0
	}
}

// touch is told of an access to size bytes at an address by a thread of the block, and reports the other one if they race.
func (r *blockRace) touch(m *shadowMemory, addr, size uint64, index int, e epoch, u *raceUse) (conflict, bool) {
	for end := addr + size; addr < end; {
		p := m.page(addr)
		first := addr & (1<<pageBits - 1)
		n := min(end-addr, 1<<pageBits-first)
		addr += n
		if (first|n)&3 != 0 && !p.bytes {
			m.split(p)
		}
		if !p.bytes {
			first, n = first/4, n/4
		}
		for i := range p.cells[first : first+n] {
			c := &p.cells[first+uint64(i)]
			if x, bad := r.cell(m, c, index, e, u); bad {
				return x, true
			}
		}
	}
	return conflict{}, false
}

// cell is touch for one of them.
func (r *blockRace) cell(m *shadowMemory, c *cell, index int, e epoch, u *raceUse) (conflict, bool) {
	if u.kind == reads && c.read == e && c.set == 0 {
		return conflict{}, false
	}
	if r.races(index, e, c.write, m) {
		return conflict{c.write, c.wsite, true}, true
	}
	if r.races(index, e, c.strong, m) {
		return conflict{c.strong, c.ssite, true}, true
	}
	if u.kind == reads {
		r.reads(m, c, index, e, u.site)
		return conflict{}, false
	}
	if c.set != 0 {
		if x, bad := r.setRaces(m.sets[c.set-1], index, e, m); bad {
			return x, true
		}
	} else if r.races(index, e, c.read, m) {
		return conflict{c.read, c.rsite, false}, true
	}
	if u.how != weak {
		c.strong, c.ssite = e, u.site
		return conflict{}, false
	}
	if c.read != 0 || c.set != 0 {
		m.drop(c)
	}
	c.write, c.wsite, c.strong = e, u.site, 0
	return conflict{}, false
}

// races reports whether an access by thread t of the block, now, and another one, one of them a write, are unordered.
func (r *blockRace) races(index int, e, other epoch, m *shadowMemory) bool {
	return other != 0 && other.thread() != e.thread() && !r.agree(e, other, m) && !r.knows(index, other)
}

// agree reports whether two accesses can't race, being strong.
func (r *blockRace) agree(e, other epoch, m *shadowMemory) bool {
	if e.how()&strong == 0 || other.how()&strong == 0 {
		return false
	}
	lockstep := m == &r.memory && e.how()&other.how()&volatile != 0 && (e.thread()-r.first)/32 == (other.thread()-r.first)/32
	return !lockstep
}

// stands reports whether a write that races with an earlier read, other, races with e as well, if other comes before e.
func (e epoch) stands(other epoch) bool {
	return e.how() == weak || e.how() == other.how() && e.how()&volatile == 0
}

// reads adds a reader to a cell, or puts it in the place of one whose reading comes before.
func (r *blockRace) reads(m *shadowMemory, c *cell, index int, e epoch, site uint16) {
	if c.set == 0 {
		switch {
		case c.read == 0 || c.read.thread() != e.thread() && e.stands(c.read) && r.knows(index, c.read):
		case c.read.thread() == e.thread():
			if c.read.clock() == e.clock() && c.read.how() == weak {
				return // the weaker counts
			}
		default:
			s := readerSet{{c.read, 1, c.rsite}}
			c.set = m.newSet(s.insert(e, site))
			return
		}
		c.read, c.rsite = e, site
		return
	}
	s := m.sets[c.set-1]
	if len(s) > 4 { // those of the block before the last barrier come before
		s = slices.DeleteFunc(s, func(x readers) bool {
			return e.stands(x.first) && x.first.thread() >= r.first && x.first.thread()+uint64(x.n) <= r.first+r.grid.threads && x.first.clock() <= r.threads[index].seen
		})
	}
	m.sets[c.set-1] = s.insert(e, site)
}
