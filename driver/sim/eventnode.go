package sim

import "github.com/purecuda/purecuda/driver"

// A recordWork records an event, as a node of a graph, when the run comes to it. A record that is still to come by then was put into a stream
// later, and is the one that the event stands for.
type recordWork struct {
	d *Driver
	e *event
}

func (*recordWork) kind() driver.NodeKind { return driver.EventRecordNode }

func (w *recordWork) run(at moment) (span, *fault) {
	w.d.mu.Lock()
	defer w.d.mu.Unlock()
	if last := w.e.record; last != nil && w.e.inside == nil && !last.happened() {
		return 0, nil
	}
	r := &record{at: at}
	r.mark.e = r
	w.e.record, w.e.used, w.e.inside = r, false, nil
	return 0, nil
}

// A waitWork stands for the wait for an event, as a node of a graph: for the event as it was recorded when the run was launched. The whole
// run waits, so there is nothing left to do in its turn.
type waitWork struct {
	emptyWork
	e *event
}

func (*waitWork) kind() driver.NodeKind { return driver.EventWaitNode }

// waits adds the places that a run must wait for.
func (w *graphWork) waits(all []mark) []mark {
	for _, n := range w.nodes {
		switch inner := n.work.(type) {
		case *graphWork:
			all = inner.waits(all)
		case *waitWork:
			if m, ok := inner.e.mark(); ok && m.s != nil && !inner.e.captured() {
				all = append(all, m)
			}
		}
	}
	return all
}
