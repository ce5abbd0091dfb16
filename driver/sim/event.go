package sim

import "github.com/purecuda/purecuda/driver"

// An event is a moment in a stream.
type event struct {
	ctx    *context
	flags  uint32
	record *record  // as it was recorded last; nil: never
	used   bool     // somebody else may look at record
	inside *capture // it was recorded last in a stream that was captured: it stands for tails
	tails  []*node
	shared *sharedEvent // with other processes; else nil
}

const (
	eventBlocking = 1 // CU_EVENT_BLOCKING_SYNC
	eventUntimed  = 2 // CU_EVENT_DISABLE_TIMING
	eventIPC      = 4 // CU_EVENT_INTERPROCESS
)

// record puts an event into a stream.
func (d *Driver) record(e *event, s *stream) driver.Result {
	if e.ctx != s.ctx {
		return driver.InvalidHandle
	}
	if s.capture != nil {
		if r := s.capture.usable(); r != driver.Success {
			return r
		}
		e.inside, e.tails = s.capture, append(e.tails[:0], s.tails...)
		return driver.Success
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	e.inside, e.tails = nil, nil
	next := e.next()
	if next.shared = e.shared; e.shared != nil {
		next.number = e.shared.counts.recorded.Add(1)
	}
	d.queue.add(s, nil, next)
	return driver.Success
}

// next is the record to fill: the last one, if nobody can look at that any more.
func (e *event) next() *record {
	if e.record == nil || e.used || !e.record.happened() {
		e.record, e.used = &record{}, false
	}
	e.record.shown = 0
	return e.record
}

// mark is the place that an event stands for, for somebody to keep; false if it was never recorded.
func (e *event) mark() (mark, bool) {
	if e.record == nil {
		return mark{}, false
	}
	e.used = true
	return e.record.mark, true
}

// waitEvent makes what is put into a stream from now on wait for an event.
func (d *Driver) waitEvent(s *stream, e *event) driver.Result {
	switch {
	case e.inside != nil && !e.inside.over:
		return d.captureWait(s, e)
	case e.inside != nil:
		return driver.InvalidValue
	case s.capture != nil:
		if e.record == nil {
			return driver.Success
		}
		s.capture.spoil()
		return driver.StreamCaptureIsolation
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	if e.shared != nil {
		if n, pending := e.shared.pending(); pending {
			d.queue.add(s, &sharedWait{d: d, e: e.shared, number: n}, nil)
		}
		return driver.Success
	}
	if m, ok := e.mark(); ok {
		d.queue.add(s, nil, nil, m)
	}
	return driver.Success
}

// captured reports whether an event stands for a place in a graph that is being captured, which never happens by itself.
func (e *event) captured() bool { return e.inside != nil && !e.inside.over }

// askable says whether a program may ask whether an event has happened.
func (d *Driver) askable(e *event) driver.Result {
	switch {
	case e.captured():
		e.inside.spoil()
		return driver.CapturedEvent
	case e.inside != nil: // it stands for a place in a graph
		return driver.InvalidValue
	}
	return d.unsafe()
}

func (d *Driver) waitForEvent(e *event) driver.Result {
	if r := d.askable(e); r != driver.Success {
		return r
	}
	if e.record != nil {
		d.queue.wait(e.record.mark)
		e.ctx.device.trimmed()
	}
	if e.shared != nil && d.fault == nil {
		if n, pending := e.shared.pending(); pending {
			d.unlocked(func() { e.shared.wait(d, n) })
		}
	}
	return d.broken()
}

func (d *Driver) queryEvent(e *event) driver.Result {
	if r := d.askable(e); r != driver.Success {
		return r
	}
	if e.record != nil {
		if r := d.ask(e.record.mark, &e.record.shown); r != driver.Success {
			return r
		}
	}
	if e.shared != nil {
		if _, pending := e.shared.pending(); pending {
			return driver.NotReady
		}
	}
	return driver.Success
}

// elapsed is the time between two events on the simulated machine, in milliseconds.
func (d *Driver) elapsed(start, end *event) (float32, driver.Result) {
	switch {
	case start.captured() || end.captured():
		return 0, driver.CapturedEvent
	case start.inside != nil || end.inside != nil:
		return 0, driver.InvalidValue
	case start.flags&eventUntimed != 0 || end.flags&eventUntimed != 0, start.record == nil || end.record == nil:
		return 0, driver.InvalidHandle
	case !start.record.happened() || !end.record.happened():
		return 0, driver.NotReady
	}
	return float32(float64(end.record.at-start.record.at) / 1e6), driver.Success
}
