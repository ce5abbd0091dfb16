package sim

import "github.com/purecuda/purecuda/driver"

// enqueue puts work into a stream, or into the graph that the stream is captured into.
func (d *Driver) enqueue(s *stream, w work) driver.Result {
	if s.capture != nil {
		return d.captureWork(s, w)
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	d.queue.add(s, w, nil)
	return driver.Success
}

// waitFor waits for all that is in a stream. What a fault has left is found then.
func (d *Driver) waitFor(s *stream) driver.Result {
	if s.capture != nil {
		s.capture.spoil()
		return driver.StreamCaptureUnsupported
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	if r := d.unsafe(); r != driver.Success {
		return r
	}
	d.queue.wait(s.mark())
	s.ctx.device.trimmed()
	return d.broken()
}

// query says whether all that is in a stream has ended.
func (d *Driver) query(s *stream) driver.Result {
	if s.capture != nil {
		s.capture.spoil()
		return driver.StreamCaptureUnsupported
	}
	if r := d.implicit(s); r != driver.Success {
		return r
	}
	if r := d.unsafe(); r != driver.Success {
		return r
	}
	if s == s.ctx.null { // it is behind those that it waits for
		for t := range d.queue.busy {
			if t != s && t.ctx == s.ctx && t.blocking {
				return d.ask(t.mark(), &s.shown)
			}
		}
	}
	return d.ask(s.mark(), &s.shown)
}

// ask says whether a mark was met. Under Worst the answer is no a few times, then it is made yes.
func (d *Driver) ask(m mark, shown *int) driver.Result {
	if !m.met() && d.queue.worst != nil {
		if *shown++; *shown > queries {
			d.queue.wait(m)
		}
	}
	if d.fault != nil {
		return d.fault.code
	}
	if !m.met() {
		return driver.NotReady
	}
	d.queue.learn(m.when())
	return driver.Success
}
