package rtc

// A seat is a stream's place in what streams know of each other. Who takes that
// of a stream that was closed counts its work on from there: so what others know
// stays true, since all that was in front is complete.
type seat struct {
	index int
	from  uint64
}

// seat gives a new stream a seat. The device's lock is held, here and below.
func (o *ordering) seat(s *Stream) {
	at := seat{index: o.seats}
	if n := len(o.vacant); n > 0 {
		at, o.vacant = o.vacant[n-1], o.vacant[:n-1]
	} else {
		o.seats++
	}
	s.index, s.enqueued, s.complete = at.index, at.from, at.from
	s.knows = make([]uint64, at.index+1)
}

// A needed is a mark that work must not get ahead of, and the event for it.
type needed struct {
	mark
	p *point
}

// behind reports whether what s is given next comes behind the mark anyway. Of
// other devices' streams it knows nothing.
func (s *Stream) behind(m mark) bool {
	return m.s == s || m.over() || m.s.dev == s.dev && reaches(s.knows, m.s, m.n)
}

// reaches reports whether the first n pieces of work of a stream are in front
// of who knows that.
func reaches(known []uint64, s *Stream, n uint64) bool {
	return s.index < len(known) && n <= known[s.index]
}

// passed notes that the point's event was put behind the last piece of work.
func (s *Stream) passed(p *point) {
	s.knows[s.index] = s.enqueued
	p.n = s.enqueued
	p.knew = append(p.knew[:0], s.knows...)
}

// learn notes that s waits for an event of a stream of its device.
func (s *Stream) learn(p *point) {
	for len(s.knows) < len(p.knew) {
		s.knows = append(s.knows, 0)
	}
	for i, n := range p.knew {
		s.knows[i] = max(s.knows[i], n)
	}
}

// need notes what an access must not get ahead of, for follow.
func (s *Stream) need(a *access, write bool) {
	if !s.stood(a.written) {
		s.needMark(a.written)
	}
	if write {
		for _, m := range a.read {
			s.needMark(m)
		}
	}
}

func (s *Stream) needMark(m mark) {
	if !s.behind(m) {
		o := &s.dev.order
		o.needed = append(o.needed, needed{mark: m})
	}
}

// follow makes what is given to s from now on wait for what was noted as needed.
// What comes behind other such work by itself, as a write before those who read
// it, is not waited for twice.
func (s *Stream) follow() error {
	o := &s.dev.order
	if len(o.needed) == 0 {
		return nil
	}
	all := o.needed
	o.needed = all[:0]
	err := s.waitFor(all)
	clear(all) // closed streams need not be kept
	return err
}

func (s *Stream) waitFor(all []needed) error {
	for i := range all {
		m := &all[i]
		var err error
		if m.p, err = m.s.reached(m.n); err != nil {
			return err
		}
	}
	for i := range all {
		m := &all[i]
		mine := m.s.dev == s.dev
		if mine && reaches(s.knows, m.s, m.p.n) || m.implied(all[i+1:]) {
			continue
		}
		if err := s.raw.Wait(m.p.ev); err != nil {
			return err
		}
		if mine {
			s.learn(m.p)
		}
	}
	return nil
}

// implied reports whether who waits for one of the others has waited for m. By
// the event, not the mark: it may lie further back, and others may rely on all
// that is known there.
func (m *needed) implied(others []needed) bool {
	for i := range others {
		if o := &others[i]; o.s.dev == m.s.dev && reaches(o.p.knew, m.s, m.p.n) {
			return true
		}
	}
	return false
}
