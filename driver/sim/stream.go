package sim

import (
	"sync"

	"github.com/purecuda/purecuda/driver"
)

// A stream is a queue of operations that run one after the other.
type stream struct {
	ctx      *context
	flags    uint32
	priority int32
	blocking bool // waits for the legacy null stream, and that for it
	gone     bool // destroyed: what is in it still runs

	ops   []op // a ring
	first int
	count int

	added, done uint64    // operations, since the beginning
	end         moment    // of the last that is done
	running     bool      // the first op runs
	queued      bool      // the first op is among those that are ready
	waiting     []*stream // whose first op waits for one of this stream
	change      sync.Cond // the first op has ended
	shown       int       // queries that were told that there is something left

	capture *capture // nil: what is put in runs
	tails   []*node  // of the capture: what the next node comes after
}

const nonBlocking = 1 // CU_STREAM_NON_BLOCKING

func (d *Driver) newStream(ctx *context, flags uint32, priority int32) *stream {
	s := &stream{ctx: ctx, flags: flags, priority: priority, blocking: flags&nonBlocking == 0}
	s.change.L = &d.mu
	return s
}

// Handles that stand for streams which every context has.
const (
	nullStream      = 0
	legacyStream    = 1 // CU_STREAM_LEGACY
	perThreadStream = 2 // CU_STREAM_PER_THREAD
)

// stream finds the one of a CUstream.
func (d *Driver) stream(h uintptr) (*stream, driver.Result) {
	if h > perThreadStream {
		if s := d.streams[h]; s != nil {
			return s, driver.Success
		}
		return nil, driver.InvalidHandle
	}
	ctx, r := d.now()
	if r != driver.Success {
		return nil, r
	}
	if h == perThreadStream {
		return ctx.threadStream(d), driver.Success
	}
	return ctx.null, driver.Success
}

// push puts a new op at the end of the queue, for the caller to fill. It is valid until the next push.
func (s *stream) push() *op {
	if s.count == len(s.ops) {
		grown := make([]op, max(4, 2*s.count))
		n := copy(grown, s.ops[s.first:])
		copy(grown[n:], s.ops[:s.first])
		s.ops, s.first = grown, 0
	}
	o := &s.ops[(s.first+s.count)%len(s.ops)]
	s.count++
	s.added++
	return o
}

// head is the first op.
func (s *stream) head() *op { return &s.ops[s.first] }

// pop forgets the first op, which is done.
func (s *stream) pop() {
	o := s.head()
	*o = op{waits: o.waits[:0]}
	s.first = (s.first + 1) % len(s.ops)
	s.count--
	s.done++
}

// at is the i-th op that is not done.
func (s *stream) at(i int) *op { return &s.ops[(s.first+i)%len(s.ops)] }

// mark is the place behind all that is in the stream now.
func (s *stream) mark() mark { return mark{s: s, n: s.added} }
