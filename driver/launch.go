package driver

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"
	"weak"

	"github.com/purecuda/purecuda/dl"
)

// A LaunchConfig is how to launch a kernel.
//
// Safe for concurrent use after it is made; its fields must not change.
type LaunchConfig struct {
	Grid      Dim3   // in blocks
	Block     Dim3   // in threads
	SharedMem uint32 // dynamic shared memory of a block, in bytes

	// Cooperative lets all blocks run at once, so that the grid can
	// synchronise. Since CUDA 9.0.
	Cooperative bool
	// Cluster is the number of blocks in a cluster; the zero Dim3 leaves it to
	// the kernel. Since CUDA 11.8, on devices from compute capability 9.0.
	Cluster Dim3
	// Priority overrides the stream's where it is not 0. Since CUDA 11.8.
	Priority int
	// Programmatic lets the kernel start before the one before it in the stream
	// has ended, which it waits for by griddepcontrol.wait. Since CUDA 11.8, on
	// devices from compute capability 9.0.
	Programmatic bool

	// Name is what errors call the kernel. Empty: its name in the module.
	Name string
}

// A Launch is a kernel with its sizes and the places of its arguments, checked
// and ready to be enqueued again and again.
//
// Safe for concurrent use. Calls on one Launch take turns.
type Launch struct {
	track  *track
	fault  *fault
	call   *dl.Call
	stream *uintptr // the word of it that takes the stream
	f      *Function
	params []unsafe.Pointer
	ex     *launchConfig
	config LaunchConfig
	fn     int
}

// Prepare checks a launch: every size against the limits of the device and of
// the kernel, and the number of arguments where the driver knows it (12.4). Each
// element of params points to the value of one argument, in the kernel's order;
// the values are read at each Enqueue, which copies them. The slice itself
// belongs to the Launch from now on.
func (f *Function) Prepare(config LaunchConfig, params []unsafe.Pointer) (*Launch, error) {
	if !f.unit.life.enter() {
		return nil, f.unit.closedError()
	}
	if config.Name == "" {
		config.Name = f.name
	}
	defer f.unit.life.leave()
	if err := f.check(config, len(params)); err != nil {
		var e *Error
		if errors.As(err, &e) { // made for this call
			e.Op = "launch " + config.Name
		}
		return nil, err
	}
	if config.Cluster == f.cluster {
		config.Cluster = Dim3{} // compiled in; saying it again is refused by some drivers
	}
	l := &Launch{f: f, fault: &f.ctx.api.fault, params: params, config: config}
	if err := l.build(); err != nil {
		return nil, &opError{"launch " + config.Name, err}
	}
	l.track = &track{name: config.Name, owner: weak.Make(l), unit: f.unit}
	f.ctx.tracks.add(l.track)
	return l, nil
}

// Function is the kernel that is launched.
func (l *Launch) Function() *Function { return l.f }

// Config is what the Launch was made with.
func (l *Launch) Config() LaunchConfig { return l.config }

// build lays out the words of the call. cuLaunchKernelEx is the quicker one, by a hundredth on driver 580: of cuLaunchKernel's eleven words five go
// over C's stack.
func (l *Launch) build() error {
	c := &l.config
	l.fn = fnLaunchKernelEx
	if c.Cluster == (Dim3{}) && c.Priority == 0 && !c.Programmatic {
		switch {
		case c.Cooperative:
			l.fn = fnLaunchCooperativeKernel
		case !l.f.ctx.api.table.Has(fnLaunchKernelEx):
			l.fn = fnLaunchKernel
		}
	}
	f, err := l.f.ctx.api.direct(l.fn)
	if err != nil {
		return err
	}
	params := paramsWord(l.params) // kept by l
	if l.fn == fnLaunchKernelEx {
		l.ex = newLaunchConfig(c)
		l.call, l.stream = dl.NewCall(f, word(l.ex), uintptr(l.f.handle), params, 0), &l.ex.stream
		return nil
	}
	words := []uintptr{uintptr(l.f.handle),
		uintptr(c.Grid.X), uintptr(c.Grid.Y), uintptr(c.Grid.Z),
		uintptr(c.Block.X), uintptr(c.Block.Y), uintptr(c.Block.Z),
		uintptr(c.SharedMem), 0, params, 0}
	if l.fn == fnLaunchCooperativeKernel {
		words = words[:10]
	}
	l.call = dl.NewCall(f, words...)
	l.stream = &l.call.Words()[8]
	return nil
}

// Enqueue puts the kernel into the stream and returns; the arguments' values
// have been copied then. It allocates nothing. A fault of the kernel comes back
// from a later call, such as the stream's Synchronize.
func (l *Launch) Enqueue(s *Stream) error {
	v, err := l.begin(s)
	if err != nil {
		return err
	}
	r := Result(int32(l.call.Do()))
	runtime.KeepAlive(l)
	if r != Success {
		return l.failed(s, v, r)
	}
	t := l.track
	if e := s.epoch.Load(); t.epoch.Load() != e {
		t.epoch.Store(e)
	}
	t.state.Store(v + trackOnce)
	return nil
}

// EnqueueEvent is Enqueue, and records e right behind the kernel: what
// [Stream.Record] does with a call of its own.
func (l *Launch) EnqueueEvent(s *Stream, e *Event) error {
	e.mu.Lock()
	err := l.enqueueEvent(s, e)
	e.mu.Unlock()
	return err
}

func (l *Launch) enqueueEvent(s *Stream, e *Event) error {
	if e.life.closed() { // Close waits for the lock after this is set
		return e.closedError()
	}
	if err := e.aim(s); err != nil {
		return explain(err, "record event", "")
	}
	v, err := l.begin(s)
	if err != nil {
		return err
	}
	epoch := s.mark()
	r, recorded := l.call.DoThen(e.record)
	runtime.KeepAlive(l)
	if Result(int32(r)) != Success {
		if err := l.failed(s, v, Result(int32(r))); err != nil {
			return err
		}
		return s.record(e)
	}
	now := s.epoch.Load()
	alone := now == epoch+1 // else another mark may lie in front of the kernel, or behind
	if alone {
		now = epoch // nobody can know of its end who does not know of the kernel's
	}
	l.track.epoch.Store(now)
	l.track.state.Store(v + trackOnce)
	switch {
	case !alone:
		return s.record(e)
	case Result(int32(recorded)) != Success:
		return s.recorded(e, recorded)
	}
	e.stream, e.epoch = s, epoch
	return nil
}

// begin has the call to itself, aimed at s, until the track's state is set. It
// returns the state from before.
func (l *Launch) begin(s *Stream) (uint64, error) {
	t := l.track
	v := t.state.Load()
	if v&(trackBusy|trackClosed) == 0 && t.state.CompareAndSwap(v, v|trackBusy) {
		if t.stream.Load() == s && !s.life.closed() && l.fault.value.Load() == nil {
			*l.stream = uintptr(s.handle)
			return v, nil
		}
		t.state.Store(v)
	}
	return l.beginSlowly(s)
}

// beginSlowly is begin where another call is under way, or on another stream than
// the last one, or where the launch has to be refused.
func (l *Launch) beginSlowly(s *Stream) (uint64, error) {
	t := l.track
	v, open := t.turn()
	if !open {
		return 0, fmt.Errorf("driver: launch %s: %s: %w", l.config.Name, l.f.unit.kind, ErrClosed)
	}
	if s.life.closed() || l.fault.value.Load() != nil {
		t.state.Store(v)
		return 0, l.refuse(s)
	}
	if t.stream.Load() != s {
		t.move(s)
	}
	*l.stream = uintptr(s.handle)
	return v, nil
}

func (l *Launch) refuse(s *Stream) error {
	if fault := l.f.ctx.api.fault.first(); fault != nil {
		return &Error{Op: "launch " + l.config.Name, Result: fault.Result, Fault: fault}
	}
	return fmt.Errorf("driver: launch %s: stream: %w", l.config.Name, ErrClosed)
}

// failed makes the error for a launch that the driver refused, and tries once
// more with the context current when that is what the driver missed.
func (l *Launch) failed(s *Stream, v uint64, r Result) error {
	c := l.f.ctx
	if wantsContext(r) {
		err := c.Do(func() error {
			r = Result(int32(l.call.Do()))
			return nil
		})
		runtime.KeepAlive(l)
		if err != nil {
			l.track.state.Store(v)
			return explain(err, "launch "+l.config.Name, "")
		}
		if r == Success {
			l.track.epoch.Store(s.epoch.Load())
			l.track.state.Store(v + trackOnce)
			return nil
		}
	}
	l.track.state.Store(v) // before the fault is noted: this one did not start
	return l.explain(c.api.failure(c.api.table.Decl(l.fn).Name, r))
}

func (l *Launch) explain(err *Error) error {
	detail := fmt.Sprintf("grid %s, block %s, %d bytes of dynamic shared memory", l.config.Grid, l.config.Block, l.config.SharedMem)
	if errors.Is(err, LaunchOutOfResources) {
		detail += fmt.Sprintf("; the kernel uses %d registers a thread and %d bytes of static shared memory", l.f.regs, l.f.static)
	}
	return explain(err, "launch "+l.config.Name, detail)
}
