package rtc

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// CopyTo makes an array like a with o, which may be on another device, and
// copies a's elements there. It returns when the copy is in the queue of that
// device's own stream, ordered on both devices as a launch is. Between devices
// of one driver the copy goes directly where they can reach each other's memory,
// else by way of the host; between a GPU and a simulated device it is made
// before CopyTo returns. The one who calls closes the new array, or its owner does.
func (a *Array) CopyTo(o Owner) (*Array, error) {
	b, err := a.copyTo(o)
	if err != nil {
		return nil, fmt.Errorf("rtc: copy to: %w", err)
	}
	return b, nil
}

func (a *Array) copyTo(o Owner) (*Array, error) {
	if err := a.use(); err != nil {
		return nil, err
	}
	b, err := newArray(o, a.dtype, a.shape)
	if err != nil {
		return nil, err
	}
	d := b.mem.dev
	if d.drv == a.mem.dev.drv {
		err = d.stream.copy(context.Background(), b, a)
	} else {
		err = a.stage(b)
	}
	if err != nil {
		_ = b.Close() // the first error is the one that counts
		return nil, err
	}
	return b, nil
}

// copyAcross copies between arrays of two devices, one of them the stream's.
func (s *Stream) copyAcross(ctx context.Context, to, from place) error {
	mine, theirs := use{to.mem, true}, use{from.mem, false}
	if from.mem.dev == s.dev {
		mine, theirs = use{from.mem, false}, use{to.mem, true}
	}
	if _, err := s.dev.peerAccess(theirs.m.dev); err != nil {
		return err
	}
	return s.giveAcross(ctx, func(raw *driver.Stream) error {
		return raw.CopyPeer(to.array.pointer(), to.mem.dev.ctx, from.array.pointer(), from.mem.dev.ctx, uint64(to.array.Bytes()))
	}, []use{mine}, []part{{theirs.m.dev, []use{theirs}}})
}

// stage copies a to an array like it of another driver.
func (a *Array) stage(b *Array) error {
	buffer := make([]byte, a.Bytes())
	if err := a.read(context.Background(), buffer); err != nil {
		return err
	}
	return b.write(buffer)
}
