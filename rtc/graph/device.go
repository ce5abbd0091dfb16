package graph

import (
	"fmt"
	"slices"

	"github.com/purecuda/purecuda/driver"
	"github.com/purecuda/purecuda/rtc"
)

// A site is what a graph has of a device.
type site struct {
	dev     *rtc.Device
	streams []*driver.Stream // all but the one that a run is put into
	events  []*driver.Event  // between streams
	ended   *driver.Event    // for who must wait for the end of a stream
}

// site is the number of the graph's device that is dev, which may be a new one.
func (g *Graph) site(dev *rtc.Device) int {
	i := slices.IndexFunc(g.sites, func(s *site) bool { return s.dev == dev })
	if i < 0 {
		i = len(g.sites)
		g.sites = append(g.sites, &site{dev: dev})
	}
	return i
}

// make makes an event, if there is none.
func (s *site) make(to **driver.Event) (err error) {
	if *to == nil {
		*to, err = s.dev.Context().NewEvent(driver.EventConfig{})
	}
	return err
}

// stream is the i-th.
func (s *site) stream(i int) (*driver.Stream, error) {
	for len(s.streams) <= i {
		made, err := s.dev.Context().NewStream(driver.StreamConfig{})
		if err != nil {
			return nil, err
		}
		s.streams = append(s.streams, made)
	}
	return s.streams[i], nil
}

// event is the i-th.
func (s *site) event(i int) (*driver.Event, error) {
	for len(s.events) <= i {
		var made *driver.Event
		if err := s.make(&made); err != nil {
			return nil, err
		}
		s.events = append(s.events, made)
	}
	return s.events[i], nil
}

// close gives all back. What the device has closed already is no error.
func (s *site) close() (errs []error) {
	for _, stream := range s.streams {
		errs = append(errs, stream.Synchronize(), stream.Close())
	}
	for _, e := range append(s.events, s.ended) {
		errs = append(errs, e.Close())
	}
	s.streams, s.events, s.ended = nil, nil, nil
	return errs
}

// mine fails for a device that the graph can't have work on.
func (g *Graph) mine(dev *rtc.Device) error {
	if dev.Driver() != g.dev.Driver() {
		return fmt.Errorf("device %d, which is of another driver than device %d, the graph's", dev.Ordinal(), g.dev.Ordinal())
	}
	return nil
}

// unusable is why one of dev and the graph's device can't be used at all, or err.
func (g *Graph) unusable(dev *rtc.Device, err error) error {
	if ill := dev.Health(); ill != nil {
		return because(ill)
	}
	if ill := g.dev.Health(); ill != nil {
		return fmt.Errorf("the graph's device: %w", because(ill))
	}
	return err
}
