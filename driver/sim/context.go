package sim

import (
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
	"github.com/purecuda/purecuda/driver/sim/internal/engine"
)

// A context holds what a program makes on a device.
type context struct {
	driver  *Driver
	device  *device
	handle  uintptr
	primary bool
	gone    bool
	limits  map[driver.Limit]uint64
	peers   map[*context]bool // whose memory its kernels may use
	config  *engine.Config    // of its kernels; replaced as a whole

	null    *stream         // the legacy null stream
	threads map[int]*stream // the per-thread null streams
	ended   moment          // of the last op in a stream that the null stream waits for
}

func (d *Driver) newContext(dev *device, primary bool) *context {
	c := &context{driver: d, device: dev, primary: primary}
	c.handle = put(d, d.contexts, c)
	d.begin(c)
	return c
}

// begin makes a context as good as new.
func (d *Driver) begin(c *context) {
	c.gone = false
	c.limits, c.peers, c.threads = map[driver.Limit]uint64{}, map[*context]bool{}, map[int]*stream{}
	c.null = d.newStream(c, 0, 0)
	d.configure(c)
}

// now is the context that is current on the calling thread.
func (d *Driver) now() (*context, driver.Result) {
	stack := d.current[callee.Thread()]
	if len(stack) == 0 {
		return nil, driver.InvalidContext
	}
	if c := stack[len(stack)-1]; !c.gone {
		return c, driver.Success
	}
	return nil, driver.ContextIsDestroyed
}

// threadStream is the per-thread null stream of the calling thread.
func (c *context) threadStream(d *Driver) *stream {
	t := callee.Thread()
	if c.threads[t] == nil {
		c.threads[t] = d.newStream(c, 0, 0)
	}
	return c.threads[t]
}

// orderNull keeps the order between the legacy null stream and those that do not say that they have nothing to do with it.
func (c *context) orderNull(d *Driver, s *stream, o *op) {
	switch {
	case s == c.null:
		o.known = max(o.known, c.ended)
		for t := range d.queue.busy {
			if t != s && t.ctx == c && t.blocking {
				o.wait(t.mark())
			}
		}
	case s.blocking:
		o.wait(c.null.mark())
	}
}

// ran notes when an op of a stream has ended.
func (c *context) ran(s *stream) {
	if s.blocking && s != c.null {
		c.ended = max(c.ended, s.end)
	}
}

// destroy ends a context with all that is in it, when what was enqueued has ended.
func (d *Driver) destroy(c *context) {
	if d.fault == nil {
		d.queue.drain(func(s *stream) bool { return s.ctx == c })
	}
	c.gone = true // its handle stays known: that of a primary one comes back, others can still be made current
	for h, s := range d.streams {
		if s.ctx == c {
			s.gone = true
			delete(d.streams, h)
		}
	}
	for h, e := range d.events {
		if e.ctx == c {
			delete(d.events, h)
			e.unshare()
		}
	}
	for h, m := range d.modules {
		if m.ctx == c {
			d.unload(h)
		}
	}
	for _, l := range d.libraries {
		delete(l.modules, c)
	}
	for h, g := range d.graphs {
		if g.ctx == c {
			d.dropGraph(h)
		}
	}
	for h, x := range d.execs {
		if x.ctx == c {
			delete(d.execs, h)
		}
	}
	d.freeAll(c)
	d.hosts.freeAll(c)
	for _, other := range d.contexts {
		delete(other.peers, c)
	}
	d.join()
}
