package engine

// A fragment is the lanes of a warp that are at the same place. Lanes part at a branch and meet again at the next place
// that both reach: the fragment that is furthest behind runs first, which is the deepest in calls, then the one with the lowest pc. No
// lane waits for ever for another's loop to end, as on sm_70 and later: see turn.
type fragment struct {
	act  *activation
	pc   int32
	mask uint32
}

// before orders fragments by who should run first.
func (f *fragment) before(g *fragment) bool {
	if f.act != g.act && f.act.depth != g.act.depth {
		return f.act.depth > g.act.depth
	}
	return f.pc < g.pc
}

// first is the place in ready of the fragment to run first.
func (w *warp) first() int {
	best := 0
	for i := 1; i < len(w.ready); i++ {
		if w.ready[i].before(&w.ready[best]) {
			best = i
		}
	}
	return best
}

// merge takes in the waiting fragments that are where the running one is.
func (w *warp) merge() {
	for i := 0; i < len(w.ready); {
		if f := w.ready[i]; f.pc == w.pc && f.act == w.act {
			f.act.users--
			w.setMask(w.mask | f.mask)
			w.ready[i] = w.ready[len(w.ready)-1]
			w.ready = w.ready[:len(w.ready)-1]
			continue
		}
		i++
	}
}

// turn is called where lanes can meet: at labels, after branches and returns. It merges, and lets the fragment run that should.
func (w *warp) turn() {
	if w.fuel--; w.fuel < 0 {
		w.stop = true
	}
	if len(w.ready) == 0 {
		return
	}
	w.merge()
	if len(w.ready) == 0 {
		return
	}
	if w.hold > 0 {
		w.hold--
		return
	}
	if w.turns++; w.turns > patience {
		// The one that has waited longest, wherever it is: the running ones may spin on what it has yet to do.
		w.turns, w.hold = 0, quantum
		w.swap(0)
		return
	}
	cur := fragment{w.act, w.pc, w.mask}
	if i := w.first(); w.ready[i].before(&cur) {
		w.swap(i)
	}
}

// swap puts the running fragment last among those that wait and runs ready[i].
func (w *warp) swap(i int) {
	f := w.ready[i]
	w.ready = append(w.ready[:i], w.ready[i+1:]...)
	w.ready = append(w.ready, fragment{w.act, w.pc, w.mask})
	w.enter(f)
	w.merge()
}

// fork puts lanes of the running fragment, which must not be all of it, at another place.
func (w *warp) fork(lanes uint32, pc int32) {
	w.act.users++
	w.ready = append(w.ready, fragment{w.act, pc, lanes})
	w.setMask(w.mask &^ lanes)
}

// parked is a fragment that waits for others: see barrier.go and meet.go.
type parked struct {
	fragment
	barrier int // the barrier it waits at, or inMeeting
	op      *op
	member  uint32 // in a meeting: the lanes that meet
}

// inMeeting stands for a barrier where lanes of a warp wait for one another.
const inMeeting = -1
