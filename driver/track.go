package driver

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// A track is what is known of one Launch without it: whether a call is under
// way, and where it was enqueued last. It outlives the Launch until what was
// enqueued is known to have ended, so that a fault can name it.
type track struct {
	state  atomic.Uint64          // count of calls << 3 | trackStale | trackBusy | trackClosed
	stream atomic.Pointer[Stream] // the last one
	epoch  atomic.Uint64          // that stream's epoch, after the call

	name  string
	owner weak.Pointer[Launch]
	held  atomic.Bool // by an ExecGraph that is open
	unit  *unit

	mu    sync.Mutex
	older []enqueued // on other streams, not known to have ended when it moved on
}

type enqueued struct {
	stream *Stream
	epoch  uint64
}

const (
	trackBusy   = 1
	trackClosed = 2
	trackStale  = 4 // of an ExecGraph: code was closed, and may be that of its kernels
	trackOnce   = 8
)

// running reports whether something that was enqueued is not known to have ended.
func (t *track) running() bool {
	if t.state.Load()&trackBusy != 0 {
		return true
	}
	if s := t.stream.Load(); s != nil && t.epoch.Load() > s.ended.Load() {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.older = slices.DeleteFunc(t.older, func(e enqueued) bool { return e.epoch <= e.stream.ended.Load() })
	return len(t.older) > 0
}

// waitable reports whether something may be running on a stream that is still
// open: of one that is closed nobody can ask whether its work has ended.
func (t *track) waitable() bool {
	if t.state.Load()&trackBusy != 0 {
		return true
	}
	return slices.ContainsFunc(t.streams(), func(s *Stream) bool { return !s.life.closed() })
}

// move notes that the next call goes to another stream than the last.
func (t *track) move(to *Stream) {
	from := t.stream.Load()
	if from != nil && t.epoch.Load() > from.ended.Load() {
		t.mu.Lock()
		t.older = slices.DeleteFunc(t.older, func(e enqueued) bool { return e.stream == from || e.epoch <= e.stream.ended.Load() })
		t.older = append(t.older, enqueued{from, t.epoch.Load()})
		t.mu.Unlock()
	}
	t.epoch.Store(0)
	t.stream.Store(to)
}

// streams are those on which it is not known to have ended.
func (t *track) streams() []*Stream {
	var all []*Stream
	if s := t.stream.Load(); s != nil && t.epoch.Load() > s.ended.Load() {
		all = append(all, s)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range t.older {
		if e.epoch > e.stream.ended.Load() {
			all = append(all, e.stream)
		}
	}
	return all
}

// tracks is the list of a context.
type tracks struct {
	mu    sync.Mutex
	all   []*track
	prune int // the length at which what is over is swept out next
}

func (ts *tracks) add(t *track) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if len(ts.all) >= max(ts.prune, 64) {
		ts.all = slices.DeleteFunc(ts.all, func(t *track) bool { return !t.held.Load() && t.owner.Value() == nil && !t.waitable() })
		ts.prune = 2 * len(ts.all)
	}
	ts.all = append(ts.all, t)
}

// list is those for which want is true.
func (ts *tracks) list(want func(*track) bool) []*track {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	var some []*track
	for _, t := range ts.all {
		if want(t) {
			some = append(some, t)
		}
	}
	return some
}

// running names the kernels of d that are not known to have ended.
func (d *Driver) running() []string {
	var names []string
	for _, c := range d.contexts.list() {
		for _, t := range c.(*Context).tracks.list((*track).running) {
			if !slices.Contains(names, t.name) {
				names = append(names, t.name)
			}
		}
	}
	return names
}

// turn waits until no other call is under way and begins one, until state is
// set. It returns the state from before, or false if no call may begin.
func (t *track) turn() (uint64, bool) {
	for {
		v := t.state.Load()
		switch {
		case v&trackClosed != 0:
			return 0, false
		case v&trackBusy == 0 && t.state.CompareAndSwap(v, v|trackBusy):
			return v, true
		}
		runtime.Gosched()
	}
}

// close forbids further calls, when the one under way has returned.
func (t *track) close() {
	for {
		v := t.state.Load()
		if v&trackClosed != 0 || v&trackBusy == 0 && t.state.CompareAndSwap(v, v|trackClosed) {
			return
		}
		runtime.Gosched()
	}
}

// expire has the next call see to whether it still may be made, when the call
// under way has returned.
func (t *track) expire() {
	for {
		v := t.state.Load()
		if v&(trackClosed|trackStale) != 0 || v&trackBusy == 0 && t.state.CompareAndSwap(v, v|trackStale) {
			return
		}
		runtime.Gosched()
	}
}

// pause returns when a call that was under way has returned.
func (t *track) pause() {
	v := t.state.Load()
	for v&trackBusy != 0 && t.state.Load() == v {
		runtime.Gosched()
	}
}

func (ts *tracks) remove(u *unit) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.all = slices.DeleteFunc(ts.all, func(t *track) bool { return t.unit == u })
}
