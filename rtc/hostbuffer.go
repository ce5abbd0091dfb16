package rtc

import (
	"context"
	"errors"
	"fmt"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A HostBuffer is memory of the host that is pinned: a stream can copy it to
// the device and back while the program goes on, which it can't do with Go's
// memory. [NewHostBuffer] makes one.
//
// Safe for concurrent use. Who uses its elements guards them himself. The one who makes it closes it,
// or its owner does.
type HostBuffer[T Element] struct {
	mem   *memory
	elems []T
}

// NewHostBuffer makes a buffer of n zeros. Pinned memory is dear: it is taken
// from what the machine can page, and takes about a millisecond per ten
// megabytes to make.
func NewHostBuffer[T Element](o Owner, n int) (*HostBuffer[T], error) {
	b, err := newHostBuffer[T](o, n)
	if err != nil {
		return nil, fmt.Errorf("rtc: new host buffer: %w", err)
	}
	return b, nil
}

func newHostBuffer[T Element](o Owner, n int) (*HostBuffer[T], error) {
	if o == nil {
		return nil, errNilDevice
	}
	a, err := describe(abi.DTypeOf[T](), []int{n})
	if err != nil {
		return nil, err
	}
	d, life := o.owner()
	if err := d.use(); err != nil {
		return nil, err
	}
	raw, err := d.ctx.AllocHost(uint64(a.Bytes()), driver.HostConfig{})
	if err != nil {
		return nil, err
	}
	m := &memory{dev: d, owner: life, host: raw, size: a.Bytes(), what: fmt.Sprintf("host buffer of %d %v", n, a.dtype)}
	if err := life.add(m); err != nil {
		_ = raw.Close() // why there is no owner is the better reason
		return nil, fmt.Errorf("the owner of the new buffer is %w", err)
	}
	return &HostBuffer[T]{mem: m, elems: elementsOf[T](raw.Bytes(), n)}, nil
}

// String is the element type with their number: host buffer of 256 float32.
func (b *HostBuffer[T]) String() string {
	if b == nil || b.mem == nil {
		return "no host buffer"
	}
	return b.mem.what
}

// Slice is the memory itself; nil after Close, which slices from before must not
// outlive. What copies are given must not be
// touched until they have ended, which Wait tells.
func (b *HostBuffer[T]) Slice() []T {
	if b == nil || b.mem == nil || b.mem.closed() {
		return nil
	}
	return b.elems
}

// Len is the number of elements.
func (b *HostBuffer[T]) Len() int {
	if b == nil {
		return 0
	}
	return len(b.elems)
}

// Wait waits until all copies that were given the buffer have ended, or ctx is
// done. An error of the work that they came behind is returned.
func (b *HostBuffer[T]) Wait(ctx context.Context) error {
	_, err := b.copyable()
	if err == nil {
		err = b.mem.dev.use()
	}
	if err != nil {
		return fmt.Errorf("rtc: wait: %w", err)
	}
	if err := b.mem.dev.reach(ctx, &b.mem.access); err != nil {
		return fmt.Errorf("rtc: wait for %s: %w", b.mem.what, err)
	}
	return nil
}

// Close gives the memory back when the copies that use it have ended. It is safe
// on nil, and later calls do nothing.
func (b *HostBuffer[T]) Close() error {
	if b == nil || b.mem == nil {
		return nil
	}
	return b.mem.Close()
}

func (b *HostBuffer[T]) made() error {
	switch {
	case b == nil:
		return errNilBuffer
	case b.mem == nil:
		return unmade("HostBuffer")
	}
	return nil
}

var errNilBuffer = errors.New("the host buffer is nil")
