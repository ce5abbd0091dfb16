package driver

import (
	"fmt"
	"runtime"
	"sync/atomic"
)

// A Stream is a queue of work for a device: what is put into one stream runs in
// order. The null stream, which other streams wait for, is never used here.
//
// Safe for concurrent use.
type Stream struct {
	handle streamHandle
	life   lifetime

	// The stream's epoch goes up whenever its position is marked, by a wait or
	// an event; all that was enqueued in an epoch up to ended has ended.
	epoch, ended atomic.Uint64

	ctx     *Context // behind what each launch looks at, which fits a cache line
	foreign bool     // others own it
}

// A StreamConfig says what kind of stream to make. The zero value is a stream
// that does not wait for the null stream, with the default priority.
//
// Safe for concurrent use after it is made; its fields must not change.
type StreamConfig struct {
	// Priority: lower numbers run first; 0 is the default and the lowest. See
	// [Context.StreamPriorities]; numbers beyond are clamped by the driver.
	Priority int
	// Blocking makes the stream wait for the null stream, which other code in
	// the process may use, and the null stream for it.
	Blocking bool
}

// NewStream makes a stream.
func (c *Context) NewStream(config StreamConfig) (*Stream, error) {
	flags := uint32(1) // CU_STREAM_NON_BLOCKING
	if config.Blocking {
		flags = 0
	}
	h := new(streamHandle)
	err := c.Do(func() error {
		if config.Priority == 0 {
			return c.api.streamCreate(h, flags)
		}
		return c.api.streamCreateWithPriority(h, flags, int32(config.Priority))
	})
	if err != nil {
		return nil, explain(err, "make a stream on "+c.device.String(), "")
	}
	s := &Stream{ctx: c, handle: *h}
	s.epoch.Store(1)
	c.driver.counts.streams.Add(1)
	if !c.children.add(s) {
		s.Close()
		return nil, c.closedError()
	}
	return s, nil
}

// WrapStream is a stream that others own, by its CUstream; its Close does not
// destroy it. The null stream, and those that stand for it, are refused.
func (c *Context) WrapStream(handle uintptr) (*Stream, error) {
	if handle <= 2 { // CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
		return nil, fmt.Errorf("driver: wrap stream: %#x stands for the null stream, or one of each thread", handle)
	}
	s := &Stream{ctx: c, handle: streamHandle(handle), foreign: true}
	s.epoch.Store(1)
	if !c.children.add(s) {
		return nil, c.closedError()
	}
	return s, nil
}

// StreamPriorities is the range of priorities of streams: least is the default,
// greatest is the most urgent one and the smaller number.
func (c *Context) StreamPriorities() (least, greatest int, err error) {
	l, g := new(int32), new(int32)
	err = c.Do(func() error { return c.api.ctxGetStreamPriorityRange(l, g) })
	return int(*l), int(*g), explain(err, "stream priorities of "+c.device.String(), "")
}

// Context is the context that the stream is in.
func (s *Stream) Context() *Context { return s.ctx }

// Handle is the CUstream, for other libraries. It is valid until Close.
func (s *Stream) Handle() uintptr { return uintptr(s.handle) }

func (s *Stream) closedError() error { return fmt.Errorf("driver: stream: %w", ErrClosed) }

// mark ends the stream's epoch and returns it: what has been enqueued by now
// belongs to it or to an older one.
func (s *Stream) mark() uint64 { return s.epoch.Add(1) - 1 }

// settled notes that all work of an epoch, and so of those before, has ended.
func (s *Stream) settled(epoch uint64) {
	for {
		old := s.ended.Load()
		if old >= epoch || s.ended.CompareAndSwap(old, epoch) {
			return
		}
	}
}

// use calls f, which enqueues something, or asks, while the stream is open.
func (s *Stream) use(op string, f func() error) error {
	return s.work(func() string { return op }, f)
}

// work is use where only an error is worth the making of its words.
func (s *Stream) work(op func() string, f func() error) error {
	if !s.life.enter() {
		return s.closedError()
	}
	defer s.life.leave()
	if err := s.ctx.unbound(f); err != nil {
		return explain(err, op(), "")
	}
	return nil
}

// Synchronize waits until all that was put into the stream has ended. It holds
// an OS thread meanwhile. A fault of a kernel comes back from here.
func (s *Stream) Synchronize() error {
	if !s.life.enter() {
		return s.closedError()
	}
	defer s.life.leave()
	return s.wait()
}

func (s *Stream) wait() error {
	epoch := s.mark()
	if err := s.ctx.unbound(func() error { return s.ctx.api.streamSynchronize(s.handle) }); err != nil {
		return explain(err, "synchronize stream", "")
	}
	s.settled(epoch)
	return nil
}

// settle waits for the stream if it is open, as far as the driver lets it.
func (s *Stream) settle() {
	if s.ctx.api.fault.first() == nil && s.life.enter() {
		defer s.life.leave()
		status := new(CaptureStatus)
		if s.ctx.api.streamIsCapturing(s.handle, status) == nil && *status != CaptureNone {
			return // the wait would spoil the capture, and nothing of it runs
		}
		_ = s.wait() // what a kernel did wrong is remembered and told by the next call
	}
}

// Query reports whether all that was put into the stream has ended, at once.
func (s *Stream) Query() (bool, error) {
	if !s.life.enter() {
		return false, s.closedError()
	}
	defer s.life.leave()
	epoch := s.mark()
	err := s.ctx.unbound(func() error { return s.ctx.api.streamQuery(s.handle) })
	switch err {
	case nil:
		s.settled(epoch)
		return true, nil
	case errNotReady:
		return false, nil
	}
	return false, explain(err, "query stream", "")
}

// Record puts an event into the stream: it happens when all that was put in
// before has ended.
func (s *Stream) Record(e *Event) error {
	if !e.life.enter() {
		return e.closedError()
	}
	defer e.life.leave()
	return s.use("record event", func() error { return e.enqueue(s) })
}

// record is Record with the event's lock held.
func (s *Stream) record(e *Event) error {
	return s.use("record event", func() error { return e.put(s) })
}

// recorded is record after a call that gave r, which was no success.
func (s *Stream) recorded(e *Event, r uintptr) error {
	if err := s.ctx.api.result(fnEventRecord, r); !wantsContext(err) {
		return explain(err, "record event", "")
	}
	return s.record(e)
}

// Wait makes what is put into the stream from now on wait for the event as it
// was recorded last. The event may be of another device.
func (s *Stream) Wait(e *Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.life.closed() { // Close waits for the lock after this is set
		return e.closedError()
	}
	return s.use("wait for event", func() error { return e.hold(s) })
}

// CopyToDevice puts a copy of src into the stream. From Go memory the driver
// has read src when the call returns, from pinned memory it may read it until
// the copy has run. Nothing is done for an empty src.
func (s *Stream) CopyToDevice(dst Pointer, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	defer runtime.KeepAlive(src)
	return s.work(func() string { return fmt.Sprintf("copy %d bytes to the device", len(src)) }, func() error {
		return s.ctx.api.memcpyHtoDAsync(dst, firstByte(src), uint64(len(src)), s.handle)
	})
}

// CopyToHost puts a copy to dst into the stream. Go memory is filled when the
// call returns, pinned memory when the copy has run. Nothing is done for an empty dst.
func (s *Stream) CopyToHost(dst []byte, src Pointer) error {
	if len(dst) == 0 {
		return nil
	}
	defer runtime.KeepAlive(dst)
	return s.work(func() string { return fmt.Sprintf("copy %d bytes to the host", len(dst)) }, func() error {
		return s.ctx.api.memcpyDtoHAsync(firstByte(dst), src, uint64(len(dst)), s.handle)
	})
}

// CopyDevice puts a copy of n bytes between two places of the same device, or
// of devices with peer access, into the stream.
func (s *Stream) CopyDevice(dst, src Pointer, n uint64) error {
	if n == 0 {
		return nil
	}
	return s.work(func() string { return fmt.Sprintf("copy %d bytes on the device", n) }, func() error {
		return s.ctx.api.memcpyDtoDAsync(dst, src, n, s.handle)
	})
}

// Memset8 puts the filling of n bytes into the stream.
func (s *Stream) Memset8(dst Pointer, value uint8, n uint64) error {
	if n == 0 {
		return nil
	}
	return s.work(func() string { return fmt.Sprintf("fill %d bytes", n) }, func() error { return s.ctx.api.memsetD8Async(dst, value, n, s.handle) })
}

// Memset16 puts the filling of n 16-bit words into the stream; dst is aligned to 2.
func (s *Stream) Memset16(dst Pointer, value uint16, n uint64) error {
	if n == 0 {
		return nil
	}
	return s.work(func() string { return fmt.Sprintf("fill %d 16-bit words", n) }, func() error { return s.ctx.api.memsetD16Async(dst, value, n, s.handle) })
}

// Memset32 puts the filling of n 32-bit words into the stream; dst is aligned to 4.
func (s *Stream) Memset32(dst Pointer, value uint32, n uint64) error {
	if n == 0 {
		return nil
	}
	return s.work(func() string { return fmt.Sprintf("fill %d 32-bit words", n) }, func() error { return s.ctx.api.memsetD32Async(dst, value, n, s.handle) })
}

// Close destroys the stream. What is in it still runs. It waits for calls under
// way on other goroutines and is safe on nil and more than once.
func (s *Stream) Close() error {
	if s == nil {
		return nil
	}
	return s.life.close(func() error {
		c := s.ctx
		for _, t := range c.tracks.list(func(*track) bool { return true }) {
			t.pause()
		}
		epoch := s.mark()
		err := c.bind(func() error {
			if c.api.streamQuery(s.handle) == nil {
				s.settled(epoch)
			}
			if s.foreign {
				return nil
			}
			return c.api.streamDestroy(s.handle)
		})
		c.children.drop(s)
		if !s.foreign {
			c.driver.counts.streams.Add(-1)
		}
		return c.afterFault(err, "destroy stream")
	})
}
