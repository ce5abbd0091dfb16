package rtc

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A call is a launch with its memory: arguments, checked sizes, and the arrays
// among the arguments. Calls are reused.
type call struct {
	launch *driver.Launch // with the sizes in use
	k      *Kernel
	f      *function
	buf    *abi.Buffer
	open   uint64   // the device's closings when the arrays were last seen to be open; 0: look
	arrays []*Array // by argument; nil where there is none
	kept   []any    // other DevicePointers, by argument; nil if there were none

	// Sizes that were checked, since many programs launch one kernel with two
	// or three in turn: checking costs ten times what a launch does.
	sizes [4]sized
	next  int // the one to be replaced
}

// A size is how large a launch is. It is made once a launch and handed down by
// its address: it takes nine words.
type size struct {
	grid, block Dim3
	shared      int
}

// sized is the launch with certain sizes.
type sized struct {
	size   size
	launch *driver.Launch
}

func (k *Kernel) newCall(f *function) (*call, error) {
	buf, err := abi.NewBuffer(k.name, k.sig, f.slots)
	if err != nil {
		return nil, err
	}
	return &call{k: k, f: f, buf: buf, arrays: make([]*Array, len(k.sig.Params))}, nil
}

// pack is a call that nobody else uses until it is put back, with arguments and
// sizes set and checked.
func (f *function) pack(k *Kernel, z *size, args []any) (*call, error) {
	c, err := f.take(k)
	if err != nil {
		return nil, err
	}
	if err = c.setAll(args); err == nil {
		err = c.resize(z)
	}
	if err != nil {
		f.put(c)
		return nil, err
	}
	return c, nil
}

// take is a call that nobody uses.
func (f *function) take(k *Kernel) (*call, error) {
	if c := f.spare.Swap(nil); c != nil {
		return c, nil
	}
	if c, ok := f.calls.Get().(*call); ok {
		return c, nil
	}
	return k.newCall(f)
}

func (f *function) put(c *call) {
	for i, a := range c.arrays {
		if a != nil { // quicker than clear, for the few that there are
			c.arrays[i] = nil
		}
	}
	clear(c.kept)
	c.open = 0
	if !f.spare.CompareAndSwap(nil, c) {
		f.calls.Put(c)
	}
}

// resize sets grid, block and shared memory, checked against the device.
func (c *call) resize(z *size) error {
	for i := range c.sizes {
		if s := &c.sizes[i]; s.launch != nil && s.size.grid == z.grid && s.size.block == z.block && s.size.shared == z.shared {
			c.launch = s.launch
			return nil
		}
	}
	return c.prepare(z)
}

// prepare is resize to a size that was not used of late.
func (c *call) prepare(z *size) error {
	if z.shared < 0 || z.shared > math.MaxInt32 {
		return fmt.Errorf("%d bytes of dynamic shared memory; it must be from 0 to what a block of the device can have", z.shared)
	}
	config, err := c.k.config(z.grid, z.block, z.shared)
	if err != nil {
		return err
	}
	launch, err := c.f.raw.Prepare(config, c.buf.Pointers())
	if err != nil {
		return err
	}
	c.sizes[c.next] = sized{*z, launch}
	c.next = (c.next + 1) % len(c.sizes)
	c.launch = launch
	return nil
}

// set sets argument i.
func (c *call) set(i int, v any) error {
	switch v := v.(type) {
	case *Array:
		if c.setArray(i, v) {
			return nil
		}
	case float32, float64, int, int32, int64, uint32, uint64:
		err := c.buf.Set(i, v)
		if err == nil {
			c.hold(i, nil, nil)
		}
		return err
	}
	a, keep, err := arrayOf(v)
	if err != nil && uint(i) < uint(len(c.arrays)) {
		return fmt.Errorf("%s: %w", c.argument(i), err)
	}
	if a != nil && a.mem != nil && a.mem.dev != c.f.dev && uint(i) < uint(len(c.arrays)) {
		return fmt.Errorf("%s: %v is on %s, the launch on device %d; Array.CopyTo makes a copy there", c.argument(i), a, a.mem.dev.other(c.f.dev), c.f.dev.ordinal)
	}
	if a != nil && a.mem != nil && a.mem.closed() && uint(i) < uint(len(c.arrays)) {
		return fmt.Errorf("%s: %v is %w", c.argument(i), a, ErrClosed)
	}
	if err := c.buf.Set(i, v); err != nil {
		return err
	}
	c.hold(i, a, keep)
	return nil
}

// setArray is set for an array that fits. Why one does not, set finds out.
func (c *call) setArray(i int, a *Array) bool {
	if a == nil {
		return false
	}
	m := a.mem
	if m == nil || m.dev != c.f.dev || m.closed() || !c.buf.SetAddress(i, uint64(a.pointer()), a.dtype) {
		return false
	}
	c.arrays[i], c.open = a, 0
	if c.kept != nil {
		c.kept[i] = nil
	}
	return true
}

// hold notes what argument i points to, which must live until it is enqueued.
func (c *call) hold(i int, a *Array, keep any) {
	c.arrays[i], c.open = a, 0
	if keep != nil && c.kept == nil {
		c.kept = make([]any, len(c.arrays))
	}
	if c.kept != nil {
		c.kept[i] = keep
	}
}

// argument is what errors call argument i.
func (c *call) argument(i int) string {
	if name := c.k.sig.Params[i].Name; name != "" {
		return fmt.Sprintf("argument %d (%s)", i, name)
	}
	return fmt.Sprintf("argument %d", i)
}

// arrayOf is the array that v is, or embeds. Otherwise keep is v if it is
// another DevicePointer: what it points to must live until it is enqueued.
func arrayOf(v any) (a *Array, keep any, err error) {
	switch v := v.(type) {
	case *Array:
		return v, nil, nil
	case nil, bool:
		return nil, nil, nil // sooner than by the next cases, which are slow to say no
	case interface{ array() *Array }:
		if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
			return nil, nil, fmt.Errorf("the %T is nil; write nil itself for a null pointer", v)
		}
		return v.array(), nil, nil
	case abi.DevicePointer:
		return nil, v, nil
	}
	return nil, nil, nil
}

// setAll sets all arguments.
func (c *call) setAll(args []any) error {
	if len(args) != c.buf.Len() {
		err := c.buf.SetAll(args) // which has the words for it
		if list, ok := only[[]any](args); ok && err != nil {
			return fmt.Errorf("%w, a slice; its %d elements are given as arguments by ... behind it", err, len(list))
		}
		return err
	}
	for i, v := range args {
		if a, ok := v.(*Array); ok {
			if c.setArray(i, a) {
				continue
			}
		} else if c.buf.SetNumber(i, v) {
			if c.arrays[i] != nil || c.kept != nil {
				c.hold(i, nil, nil)
			}
			continue
		}
		if err := c.set(i, v); err != nil {
			return err
		}
	}
	return nil
}

// only is the one element of args, if it is a T.
func only[T any](args []any) (one T, ok bool) {
	if len(args) == 1 {
		one, ok = args[0].(T)
	}
	return one, ok
}

// look finds out whether the arrays are open. It is called when something was
// closed since it was called last, which c.open tells. The device's lock is held.
func (c *call) look(s *Stream) error {
	for i, a := range c.arrays {
		if a != nil && a.mem.closed() {
			return fmt.Errorf("%s: %v is %w", c.argument(i), a, ErrClosed)
		}
	}
	c.open = s.dev.order.closings
	return nil
}

// enqueue gives the launch to s.
func (c *call) enqueue(s *Stream) error {
	o := &s.dev.order
	o.mu.Lock()
	if c.open != o.closings || o.several {
		err := c.enqueueSlowly(s)
		o.mu.Unlock()
		runtime.KeepAlive(c)
		return err
	}
	s.enqueued++
	err := c.launch.Enqueue(s.raw)
	o.mu.Unlock()
	runtime.KeepAlive(c)
	return err
}

// enqueueSlowly is enqueue where there is more to do than to enqueue. The lock is
// held.
func (c *call) enqueueSlowly(s *Stream) error {
	o := &s.dev.order
	if c.open != o.closings {
		if err := c.look(s); err != nil {
			return err
		}
	}
	if o.several {
		return c.orderly(s, false)
	}
	s.enqueued++
	return c.launch.Enqueue(s.raw)
}

// start is enqueue with an event behind the launch, for [Device.await]. The
// context that may end that wait is only asked whether it can; never can't.
func (c *call) start(ctx context.Context, s *Stream) (wait, error) {
	shared := ctx != nil && ctx.Done() != nil
	o := &s.dev.order
	o.mu.Lock()
	ev, err := s.takeEvent()
	if err != nil {
		o.mu.Unlock()
		return wait{}, err
	}
	w := wait{ev: ev, s: s}
	if c.open != o.closings {
		err = c.look(s)
	}
	switch {
	case err != nil:
	case o.several:
		if err = c.orderly(s, shared); err == nil {
			err = s.raw.Record(ev)
		}
	default:
		s.enqueued++
		err = c.launch.EnqueueEvent(s.raw, ev)
	}
	w.n = s.enqueued
	switch {
	case err != nil:
		s.giveEvent(ev)
	case shared:
		s.dev.waiter.add(&w)
	}
	o.mu.Unlock()
	runtime.KeepAlive(c)
	return w, err
}

// orderly gives the launch to s behind what its arrays must not get ahead of,
// with an event behind it. Where a function of Do or a copy is in the way, that is
// waited for, or with try an error, an inTheWay.
func (c *call) orderly(s *Stream, try bool) error {
	for c.busy() {
		if try {
			return c.inTheWay()
		}
		s.dev.order.copied.Wait()
		if err := c.look(s); err != nil {
			return err
		}
	}
	if s.closing { // perhaps while copies were waited for
		return errStreamClosed
	}
	if !c.k.options.Unordered {
		for i, a := range c.arrays {
			if a != nil {
				s.need(&a.mem.access, c.k.writes[i])
			}
		}
		if err := s.follow(); err != nil {
			return err
		}
	}
	p, err := s.next()
	if err != nil {
		return err
	}
	s.enqueued++
	for i, a := range c.arrays {
		if a != nil {
			a.mem.access.note(s, c.k.writes[i])
		}
	}
	if err := c.launch.EnqueueEvent(s.raw, p.ev); err != nil {
		return err
	}
	s.passed(p)
	return nil
}

// busy reports whether a copy from or to Go's memory, or a function of Do, is in
// the way.
func (c *call) busy() bool {
	for i, a := range c.arrays {
		if a != nil && a.mem.access.busy(c.k.writes[i]) {
			return true
		}
	}
	return false
}
