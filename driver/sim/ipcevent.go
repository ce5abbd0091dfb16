package sim

import (
	"sync/atomic"
	"time"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/driver/internal/callee"
)

// A sharedEvent is an event of several processes: two counts in memory that they share. A record takes the next number, and the other
// count is that of the last record that has happened.
type sharedEvent struct {
	memory *shared
	counts *eventCounts
}

// eventCounts are counted up by several processes.
type eventCounts struct{ recorded, happened atomic.Uint64 }

func newSharedEvent(s *shared) *sharedEvent {
	return &sharedEvent{s, callee.At[eventCounts](callee.Address(&s.bytes[0]))}
}

// shareEvent is the handle of an event for other processes.
func (d *Driver) shareEvent(e *event) (driver.IPCHandle, driver.Result) {
	switch {
	case e.flags&eventIPC == 0:
		return driver.IPCHandle{}, driver.InvalidHandle
	case !canShare:
		return driver.IPCHandle{}, driver.NotSupported
	}
	if e.shared == nil {
		s, err := newShared(page)
		if err != nil {
			return driver.IPCHandle{}, driver.OutOfMemory
		}
		e.shared = newSharedEvent(s)
		if e.record != nil {
			e.record.number = e.shared.counts.recorded.Add(1)
			e.record.shared = e.shared
			if e.record.happened() {
				e.shared.happen(e.record.number)
			}
		}
	}
	h, ok := pack(ipcEvent, e.shared.memory, page)
	if !ok {
		return h, driver.OperatingSystem
	}
	return h, driver.Success
}

// openEvent makes an event of another process's.
func (d *Driver) openEvent(ctx *context, h driver.IPCHandle) (uintptr, driver.Result) {
	s, _, r := unpack(ipcEvent, h)
	switch r {
	case driver.Success:
	case driver.InvalidValue:
		return 0, driver.MapFailed
	default:
		return 0, r
	}
	return put(d, d.events, &event{ctx: ctx, flags: eventUntimed | eventIPC, shared: newSharedEvent(s)}), driver.Success
}

// happen notes that a record has happened, and with it those before.
func (s *sharedEvent) happen(number uint64) {
	for {
		old := s.counts.happened.Load()
		if old >= number || s.counts.happened.CompareAndSwap(old, number) {
			return
		}
	}
}

// pending is the number of the last record, wherever it was made, if that has not happened.
func (s *sharedEvent) pending() (uint64, bool) {
	n := s.counts.recorded.Load()
	return n, s.counts.happened.Load() < n
}

// wait returns when a record has happened, or the devices are lost. Other processes can't wake it, so it looks again and again.
func (s *sharedEvent) wait(d *Driver, number uint64) {
	for pause := 10 * time.Microsecond; s.counts.happened.Load() < number && !d.lost.Load(); pause = min(2*pause, time.Millisecond) {
		time.Sleep(pause)
	}
}

// unshare is called when an event is destroyed: other processes can't open it any more. Those that have it keep the counts.
func (e *event) unshare() {
	if e.shared != nil {
		e.shared.memory.hide()
	}
}

// A sharedWait waits in a stream for an event that another process may have recorded.
type sharedWait struct {
	emptyWork
	d      *Driver
	e      *sharedEvent
	number uint64
}

func (w *sharedWait) run(moment) (span, *fault) {
	w.e.wait(w.d, w.number)
	return 0, nil
}
