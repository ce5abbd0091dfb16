package driver

import "fmt"

// A unit is loaded code: a module or a library. Functions hold on to it.
type unit struct {
	kind string
	life lifetime
}

func (u *unit) closedError() error { return fmt.Errorf("driver: %s: %w", u.kind, ErrClosed) }

// retire forbids further launches from the unit in a context, and waits for
// those that were enqueued.
func (u *unit) retire(c *Context) {
	for _, other := range c.driver.contexts.list() { // graphs over several
		for _, t := range other.(*Context).tracks.list(func(t *track) bool { return t.held.Load() }) {
			t.expire()
		}
	}
	mine := c.tracks.list(func(t *track) bool { return t.unit == u })
	for _, t := range mine {
		t.close()
	}
	for _, t := range mine {
		for _, s := range t.streams() {
			s.settle()
		}
	}
	c.tracks.remove(u)
}
