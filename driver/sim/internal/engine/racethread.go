package engine

// A raceThread is a thread as the race detector sees it.
type raceThread struct {
	clock uint32
	seen  uint32     // what all threads of the block did up to that clock comes before what this one does now
	row   [32]uint32 // the same for each lane of its warp
	know  *knowledge // what was released in channels

	pending, pendingNear *knowledge // what strong loads have read: known after a fence of the device's scope, or of the block's
	fenced, fencedNear   *released  // what the last fences of these scopes put before what follows

	// The clock of a strong write that releases is of no other access, so that the write itself can be known and what follows it not. One that is
	// done again and again keeps it.
	accessed bool   // there were other accesses at this clock
	wrote    bool   // there was such a write at this clock
	at       uint64 // its address
	how      uint8
}

// tick begins a new clock.
func (t *raceThread) tick() {
	t.clock = min(t.clock+1, clockLimit)
	t.accessed, t.wrote = false, false
}

// access is told of an access that releases nothing.
func (t *raceThread) access() {
	if t.wrote {
		t.tick()
	}
	t.accessed = true
}

func (t *raceThread) acquire(k *knowledge) { t.know = t.know.with(k) }

// settle makes known what strong loads have read.
func (t *raceThread) settle(near bool) {
	t.know = t.know.with(t.pendingNear)
	if !near {
		t.know = t.know.with(t.pending)
		t.pending = nil
	}
	t.pendingNear = nil
}

// Released is what a thread did and knew at a point, for others to acquire.
type released struct {
	thread uint64 // in the launch
	block  uint64
	clock  uint32
	seen   uint32
	warp   uint64      // the number of the first lane's thread
	row    *[32]uint32 // nil where seen says as much
	know   *knowledge
}

// released is what thread t of the block has done and known until now. What it does then has another clock.
func (r *blockRace) released(index int) *released {
	t := &r.threads[index]
	s := &released{thread: r.first + uint64(index), block: r.number, clock: t.clock, seen: t.seen, warp: r.first + uint64(index&^31), know: t.know}
	for _, c := range t.row {
		if c > t.seen {
			row := t.row
			s.row = &row
			break
		}
	}
	t.tick()
	return s
}

// fence is told that a thread executes one.
func (r *blockRace) fence(index int, near bool) {
	r.threads[index].settle(near)
	r.beginRelease(index, near)
}

// beginRelease puts all until now before what strong writes release.
func (r *blockRace) beginRelease(index int, near bool) {
	t, s := &r.threads[index], r.released(index)
	t.fencedNear = s
	if !near {
		t.fenced = s
	}
}

// knows reports whether what another thread did comes before what thread t of the block does now.
func (r *blockRace) knows(index int, other epoch) bool {
	t, u, clock := &r.threads[index], other.thread(), other.clock()
	block := u / r.grid.threads
	if block == r.number {
		if clock <= t.seen {
			return true
		}
		if i := int(u - r.first); i/32 == index/32 && clock <= t.row[i&31] {
			return true
		}
	}
	if t.know != nil {
		for c, n := range t.know.at {
			if c.covers(n, u, block, clock) {
				return true
			}
		}
	}
	return false
}

// knowsBlock reports whether what all threads of another block did until that clock comes before.
func (r *blockRace) knowsBlock(index int, block uint64, clock uint32) bool {
	t := &r.threads[index]
	if block == r.number {
		return clock <= t.seen
	}
	if t.know != nil {
		for c, n := range t.know.at {
			if upTo(c.blocks[block], n) >= clock {
				return true
			}
		}
	}
	return false
}
