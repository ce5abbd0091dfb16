package main

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/rtc"
)

// A peerSize is how much is copied from one device to another.
type peerSize struct {
	name  string
	bytes int
	block int    // copies
	one   int    // of so many rounds is made
	than  string // the way that it is held against
	bound float64
}

// The small one shows what a copy costs in order with the other device's work, the large one how quick it is.
var peerSizes = []peerSize{{"64 KiB", 64 << 10, 50, 2, peerInOrder, 1.3}, {"256 MiB", 256 << 20, 5, 4, inC, 1.02}}

// The ways to copy an array to another device.
const (
	peerCopy    = "rtc Stream.Copy, Stream.Synchronize"
	peerCopyTo  = "rtc Array.CopyTo, Stream.Synchronize, Array.Close"
	peerInOrder = "C: copy, record, wait on a stream of the other device, synchronize"
)

// peers measures copies to a second device, if there is one. C's copy is cuMemcpyPeerAsync on the same stream; once with what it
// takes to have the other device's work come behind it, which rtc always does. rtc's first copy has switched peer access on before C is measured. No copy is of more than most bytes, for tests.
func (s *setting) peers(c *companion, rounds, most int, r *launchResults) error {
	n, err := s.dev.Driver().DeviceCount()
	if err != nil {
		return err
	}
	if n < 2 {
		r.Absent = append(r.Absent, "copies between devices: there is one GPU")
		return nil
	}
	other, err := rtc.Open(1)
	if err != nil {
		return err
	}
	defer other.Close()
	for _, size := range peerSizes {
		size.bytes = min(size.bytes, most)
		ways, err := s.peerWays(c, other, size)
		if err != nil {
			return err
		}
		result, err := s.compare(ways, max(1, rounds/size.one), size.block)
		if err != nil {
			return err
		}
		r.Peer = append(r.Peer, result)
	}
	return nil
}

func (s *setting) peerWays(c *companion, other *rtc.Device, size peerSize) ([]way, error) {
	numbers := make([]float32, size.bytes/4)
	for i := range numbers {
		numbers[i] = float32(i % 1000)
	}
	here, err := rtc.FromSlice(s.dev, numbers)
	if err != nil {
		return nil, err
	}
	there, err := rtc.NewArray(other, rtc.Float32, len(numbers))
	if err != nil {
		return nil, err
	}
	a, err := addresses(c.cuda, "cuMemcpyPeerAsync", "cuStreamSynchronize", "cuStreamWaitEvent")
	if err != nil {
		return nil, err
	}
	var tell, bare, ordered dl.Func
	if err := c.lookup(map[string]*dl.Func{"paths_peer": &tell, "paths_peer_copy": &bare, "paths_peer_copy_in_order": &ordered}); err != nil {
		return nil, err
	}
	from, _, err := here.DevicePointer()
	if err != nil {
		return nil, err
	}
	to, _, err := there.DevicePointer()
	if err != nil {
		return nil, err
	}
	theirs, err := other.NewStream(rtc.StreamConfig{})
	if err != nil {
		return nil, err
	}
	tell.CallSlice(append(a, theirs.Raw().Handle(), other.Context().Handle(), uintptr(to), s.dev.Context().Handle(), uintptr(from), uintptr(size.bytes), s.stream.Raw().Handle()))
	ways := []way{
		times(peerCopy, func() error {
			if err := s.stream.Copy(there, here); err != nil {
				return err
			}
			return s.stream.Synchronize(context.Background())
		}),
		inCompanion(&bare),
		{name: peerInOrder, block: inCompanion(&ordered).block},
		times(peerCopyTo, func() error {
			made, err := here.CopyTo(other)
			if err != nil {
				return err
			}
			if err := other.Stream().Synchronize(context.Background()); err != nil {
				return err
			}
			return made.Close()
		}),
	}
	for _, w := range ways[:3] {
		if err := rtc.CopyFromSlice(there, make([]float32, len(numbers))); err != nil {
			return nil, err
		}
		if _, err := w.block(1); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
		if err := wrote(there, func(i int) float32 { return numbers[i] }); err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return ways, nil
}
