package sim

import (
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A capture makes a graph of what is put into streams.
type capture struct {
	graph   *graph
	origin  *stream
	streams []*stream // origin first
	broken  bool      // something was done that can't be captured
	mode    int32     // a CUstreamCaptureMode
	thread  int       // that began it
	over    bool
}

// begin starts a capture.
func (d *Driver) beginCapture(s *stream, mode int32) driver.Result {
	switch {
	case s == s.ctx.null:
		return driver.StreamCaptureUnsupported
	case s.capture != nil:
		return driver.IllegalState
	}
	c := &capture{graph: &graph{ctx: s.ctx}, origin: s, mode: mode, thread: callee.Thread()}
	c.join(s, nil)
	return driver.Success
}

func (c *capture) join(s *stream, tails []*node) {
	c.streams = append(c.streams, s)
	s.capture, s.tails = c, tails
}

// spoil makes the capture worth nothing: its end gives an error.
func (c *capture) spoil() { c.broken = true }

// How much a capture forbids (CUstreamCaptureMode).
const (
	captureGlobal  = 0
	captureThread  = 1
	captureRelaxed = 2
)

// unsafe is called by what might touch work that is being captured elsewhere, such as an allocation: captures whose mode forbids that are
// spoilt by it.
func (d *Driver) unsafe() driver.Result {
	r := driver.Success
	for _, s := range d.streams {
		if c := s.capture; c != nil && (c.mode == captureGlobal || c.mode == captureThread && c.thread == callee.Thread()) {
			c.spoil()
			r = driver.StreamCaptureUnsupported
		}
	}
	return r
}

// usable says whether more can be captured.
func (c *capture) usable() driver.Result {
	if c.broken {
		return driver.StreamCaptureInvalidated
	}
	return driver.Success
}

// endCapture ends a capture and gives its graph.
func (d *Driver) endCapture(s *stream) (*graph, driver.Result) {
	c := s.capture
	switch {
	case c == nil:
		return nil, driver.IllegalState
	case c.origin != s:
		c.spoil()
		return nil, driver.StreamCaptureUnmatched
	}
	r := c.usable()
	if r == driver.Success && !c.joined() {
		r = driver.StreamCaptureUnjoined
	}
	c.over = true
	for _, s := range c.streams {
		s.capture, s.tails = nil, nil
	}
	if r != driver.Success {
		d.dropNodes(c.graph)
		return nil, r
	}
	return c.graph, r
}

// joined reports whether the origin has waited for what the other streams did.
func (c *capture) joined() bool {
	before := map[*node]bool{}
	var walk func(nodes []*node)
	walk = func(nodes []*node) {
		for _, n := range nodes {
			if !before[n] {
				before[n] = true
				walk(n.after)
			}
		}
	}
	walk(c.origin.tails)
	return !slices.ContainsFunc(c.graph.nodes, func(n *node) bool { return !before[n] })
}

// captureWork makes work a node of the graph.
func (d *Driver) captureWork(s *stream, w work) driver.Result {
	if r := s.capture.usable(); r != driver.Success {
		return r
	}
	n := &node{work: w, after: slices.Clone(s.tails)}
	d.addNode(s.capture.graph, n)
	s.tails = []*node{n}
	return driver.Success
}

// captureWait makes a stream wait for an event of a capture, which draws the stream into it.
func (d *Driver) captureWait(s *stream, e *event) driver.Result {
	c := e.inside
	if r := c.usable(); r != driver.Success {
		return r
	}
	switch s.capture {
	case nil:
		if s == s.ctx.null {
			c.spoil()
			return driver.StreamCaptureImplicit
		}
		c.join(s, slices.Clone(e.tails))
	case c:
		for _, n := range e.tails {
			if !slices.Contains(s.tails, n) {
				s.tails = append(s.tails, n)
			}
		}
	default:
		c.spoil()
		s.capture.spoil()
		return driver.StreamCaptureMerge
	}
	return driver.Success
}

// implicit refuses work in the legacy null stream, or that others wait for, while a stream that it would wait for is captured.
func (d *Driver) implicit(s *stream) driver.Result {
	if s != s.ctx.null {
		return driver.Success
	}
	r := driver.Success
	for _, t := range d.streams {
		if t.ctx == s.ctx && t.blocking && t.capture != nil {
			t.capture.spoil()
			r = driver.StreamCaptureImplicit
		}
	}
	return r
}
