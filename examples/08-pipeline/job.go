package main

import (
	"context"
	"fmt"

	"github.com/purecuda/purecuda/rtc"
)

// A job is what is to be done with the chunks.
type job struct {
	dev          *rtc.Device
	kernel       *rtc.Kernel
	size, rounds int
	in, out      []*rtc.HostBuffer[uint32] // of each chunk
}

// fill makes the host's buffers. They are pinned: a copy from or to Go's own
// memory would be waited for.
func (j *job) fill() error {
	for c := range chunks {
		in, err := rtc.NewHostBuffer[uint32](j.dev, j.size)
		if err != nil {
			return err
		}
		out, err := rtc.NewHostBuffer[uint32](j.dev, j.size)
		if err != nil {
			return err
		}
		for i := range in.Slice() {
			in.Slice()[i] = uint32(c*j.size + i)
		}
		j.in, j.out = append(j.in, in), append(j.out, out)
	}
	return nil
}

// through takes all chunks through the kernel and is when the parts of each ran,
// counted from a common start.
func (j *job) through(streams []*rtc.Stream) ([]part, error) {
	for _, out := range j.out {
		clear(out.Slice())
	}
	start, err := streams[0].Record()
	if err != nil {
		return nil, err
	}
	defer start.Close()
	arrays := make([]*rtc.Array, len(streams)) // one each: parts of one array would not overlap
	for i, s := range streams {
		if arrays[i], err = rtc.NewArray(j.dev, rtc.Uint32, j.size); err != nil {
			return nil, err
		}
		defer arrays[i].Close()
		if err := s.Wait(start); err != nil {
			return nil, err
		}
	}
	var marks [chunks][4]*rtc.Event // in front of the parts, and behind the last
	for c := range chunks {
		i := c % len(streams)
		if marks[c], err = j.enqueue(streams[i], arrays[i], c); err != nil {
			return nil, err
		}
	}
	if err := j.dev.Synchronize(context.Background()); err != nil {
		return nil, err
	}
	parts := make([]part, chunks)
	for c, m := range marks {
		parts[c].chunk, parts[c].stream = c, c%len(streams)
		for i, e := range m {
			if parts[c].at[i], err = e.Since(start); err != nil {
				return nil, err
			}
			_ = e.Close()
		}
	}
	return parts, j.check()
}

// enqueue gives a stream the work of one chunk, with events between the parts.
func (j *job) enqueue(s *rtc.Stream, x *rtc.Array, c int) (marks [4]*rtc.Event, err error) {
	const block = 256
	grid := rtc.Dim((j.size + block - 1) / block)
	if marks[0], err = s.Record(); err != nil {
		return marks, err
	}
	for i, part := range []func() error{
		func() error { return s.Copy(x, j.in[c]) },
		func() error {
			return j.kernel.Enqueue(s, grid, rtc.Dim(block), 0, x, factor, summand, j.rounds, j.size)
		},
		func() error { return s.Copy(j.out[c], x) },
	} {
		if err := part(); err != nil {
			return marks, err
		}
		if marks[i+1], err = s.Record(); err != nil {
			return marks, err
		}
	}
	return marks, nil
}

// check holds the results against Go, which makes all rounds one.
func (j *job) check() error {
	a, b := uint32(1), uint32(0)
	for range j.rounds {
		a, b = a*factor, b*factor+summand
	}
	for c, out := range j.out {
		for i, v := range out.Slice() {
			if want := a*uint32(c*j.size+i) + b; v != want {
				return fmt.Errorf("chunk %d: element %d is %d, want %d", c, i, v, want)
			}
		}
	}
	return nil
}
