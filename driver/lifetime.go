package driver

import (
	"sync"
	"sync/atomic"
)

// A lifetime lets calls into an object, and keeps its Close until the calls
// under way have returned. Once Close has begun, no call is let in, so that
// nothing waits for a Close but another Close.
type lifetime struct {
	state atomic.Int64 // calls under way; the sign bit: closing
	idle  sync.Mutex   // protects the two below
	ended chan struct{}
	done  chan struct{}
}

const closing = -1 << 62

// enter reports whether the object is open, and if so counts a call, which
// must leave.
func (l *lifetime) enter() bool {
	if l.state.Add(1) > 0 {
		return true
	}
	l.leave()
	return false
}

// enterAlone is enter that also reports whether no other call was under way:
// what is kept for one caller at a time is its to use until it leaves.
func (l *lifetime) enterAlone() (open, alone bool) {
	n := l.state.Add(1)
	if n > 0 {
		return true, n == 1
	}
	l.leave()
	return false, false
}

func (l *lifetime) leave() {
	if l.state.Add(-1) == closing {
		l.idle.Lock()
		if l.ended != nil {
			close(l.ended)
			l.ended = nil
		}
		l.idle.Unlock()
	}
}

func (l *lifetime) closed() bool { return l.state.Load() < 0 }

// close runs end when no call is under way any more. A second close waits for
// the first and runs nothing.
func (l *lifetime) close(end func() error) error {
	l.idle.Lock()
	if l.done != nil {
		done := l.done
		l.idle.Unlock()
		<-done
		return nil
	}
	l.done = make(chan struct{})
	ended := make(chan struct{})
	l.ended = ended
	l.idle.Unlock()
	defer close(l.done)
	// A call that tries in vain counts itself for a moment, too; whoever
	// brings the count back to closing ends the wait.
	if l.state.Add(closing) == closing {
		l.idle.Lock()
		if l.ended != nil {
			close(l.ended)
			l.ended = nil
		}
		l.idle.Unlock()
	}
	<-ended
	return end()
}
