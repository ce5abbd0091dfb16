package engine

import "slices"

// reserved is a range of addresses that is kept free of allocations, for what is placed there.
type reserved struct{ base, size uint64 }

// gap is the room between two allocations, which shows an access past the end as what it is.
const gap = 4096

// room finds size bytes of addresses that nothing has, at a multiple of align, a power of two: from where the last were on, and from the
// beginning once the end is reached. The lock is held.
func (m *Memory) room(size, align uint64) (uint64, bool) {
	for _, from := range [2]uint64{m.next, m.begin} {
		for at := from; ; {
			at = (at + align - 1) / align * align
			if at >= m.end || size+gap > m.end-at {
				break
			}
			end, taken := m.taken(at, size+gap)
			if !taken {
				m.next = at + size + gap
				return at, true
			}
			at = end + gap
		}
	}
	return 0, false
}

// taken reports whether something lies in the size bytes at addr, and where that ends.
func (m *Memory) taken(addr, size uint64) (uint64, bool) {
	live := *m.live.Load()
	i, inside := search(live, addr)
	if !inside {
		i++
	}
	if i < len(live) && live[i].Base < addr+size {
		return live[i].Base + uint64(len(live[i].Data)), true
	}
	for _, r := range m.reserved {
		if addr < r.base+r.size && r.base < addr+size {
			return r.base + r.size, true
		}
	}
	return 0, false
}

// insert adds an allocation to the live ones. The lock is held.
func (m *Memory) insert(a *Allocation) {
	live := *m.live.Load()
	if n := len(live); n == 0 || live[n-1].Base < a.Base {
		live = append(slices.Clip(live), a)
	} else {
		i, _ := search(live, a.Base)
		live = slices.Insert(slices.Clone(live), i+1, a)
	}
	m.live.Store(&live)
}

// Reserve takes a range of addresses, at a multiple of align, a power of two, in which [Memory.Place] then puts memory.
func (m *Memory) Reserve(size, align uint64) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	base, ok := m.room(size, max(align, allocAlign))
	if !ok {
		return 0, ErrOutOfMemory
	}
	m.reserved = append(m.reserved, reserved{base, size})
	return base, nil
}

// Release gives a reserved range back; what was placed there has been displaced.
func (m *Memory) Release(base uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reserved = slices.DeleteFunc(m.reserved, func(r reserved) bool { return r.base == base })
}

// Take counts size bytes as used that have no address yet. Its error is [ErrOutOfMemory].
func (m *Memory) Take(size int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if size > m.limit-m.used {
		return ErrOutOfMemory
	}
	m.used += size
	return nil
}

// Give undoes Take.
func (m *Memory) Give(size int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used -= size
}

// Place gives bytes an address, which nothing else has: of a reserved range, or that of the host. They don't count as used.
func (m *Memory) Place(base uint64, data []byte) *Allocation {
	a := &Allocation{Base: base, Data: data}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.insert(a)
	return a
}

// Displace undoes Place. It reports whether something was placed there.
func (m *Memory) Displace(base uint64) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	live := *m.live.Load()
	i, ok := search(live, base)
	if !ok || live[i].Base != base {
		return false
	}
	m.remove(i)
	return true
}

// Join makes the allocations of other memories, but not of those that they have joined, count as m's: the host's and those of
// peers. It replaces what was joined before.
func (m *Memory) Join(others ...*Memory) {
	others = slices.Clone(others)
	m.joined.Store(&others)
}

// Owns reports whether an address is one of those that m gives to its own allocations.
func (m *Memory) Owns(addr uint64) bool { return addr-m.begin < m.end-m.begin }

// Replace gives an allocation other memory of the same size, with the same content. No kernel that uses it may run.
func (m *Memory) Replace(base uint64, data []byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	live := slices.Clone(*m.live.Load())
	i, ok := search(live, base)
	if !ok || live[i].Base != base || len(live[i].Data) != len(data) {
		return false
	}
	a := *live[i]
	copy(data, a.Data)
	a.Data = data
	live[i] = &a
	m.live.Store(&live)
	return true
}
