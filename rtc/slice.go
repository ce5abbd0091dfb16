package rtc

import (
	"context"
	"slices"

	"github.com/purecuda/purecuda/abi"
	"github.com/purecuda/purecuda/driver"
)

// A Slice is Go's own memory for [Stream.Copy] to copy from: a []T converted to
// it. It is put down in pinned memory of the device's first, so that it may be
// changed as soon as Copy has returned.
//
// Safe for concurrent use. Who uses its elements guards them himself.
type Slice[T Element] []T

func (s Slice[T]) copyable() (place, error) {
	return place{bytes: bytesOf(s), dtype: abi.DTypeOf[T](), len: len(s)}, nil
}

// upload copies b to an array.
func (s *Stream) upload(ctx context.Context, to place, b []byte) error {
	g := &s.dev.staging
	return s.occupy(ctx, []use{{to.mem, true}}, len(b) > g.most(), func() error {
		dst := to.array.pointer()
		for piece := range slices.Chunk(b, g.most()) {
			if err := g.send(ctx, s, dst, piece); err != nil {
				return err
			}
			dst += driver.Pointer(len(piece))
		}
		return nil
	})
}
