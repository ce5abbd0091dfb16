package main

import (
	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// The ways to hand an array to and fro between two streams.
const (
	acrossByHand  = "C: launch, record, wait, on the other stream"
	acrossOrdered = "rtc Prepared.Enqueue on the other stream"
)

// acrossWays are the ways to launch the kernel on two streams in turn, each launch after the one before: both write the same array. C
// records an event behind each launch and has the other stream wait for it, with two events that it uses again and again. A call is one launch.
//
// From the second stream on all work of a device is tracked, so this comes last.
func (s *setting) acrossWays(c *companion) ([]way, error) {
	other, err := s.dev.NewStream(rtc.StreamConfig{})
	if err != nil {
		return nil, err
	}
	event, err := s.dev.Context().NewEvent(driver.EventConfig{})
	if err != nil {
		return nil, err
	}
	if err := c.other(other.Raw().Handle(), event.Handle()); err != nil {
		return nil, err
	}
	ready, err := s.kernel.Prepare(s.dev, grid, perBlock, 0, s.x, s.y, float32(3), elements)
	if err != nil {
		return nil, err
	}
	streams, turn := []*rtc.Stream{s.stream, other}, 0
	byHand := inCompanion(&c.across)
	byHand.name = acrossByHand
	return []way{byHand, times(acrossOrdered, func() error {
		turn ^= 1
		return ready.Enqueue(streams[turn])
	})}, nil
}

// other tells the C library of the second stream.
func (c *companion) other(stream, event uintptr) error {
	a, err := addresses(c.cuda, "cuStreamWaitEvent")
	if err != nil {
		return err
	}
	var tell dl.Func
	if err := c.lookup(map[string]*dl.Func{"paths_other": &tell, "paths_across": &c.across}); err != nil {
		return err
	}
	tell.Call(a[0], stream, event)
	return nil
}
