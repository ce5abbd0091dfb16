package sim

import (
	"bytes"

	"github.com/purecuda/purecuda/dl"
	"github.com/purecuda/purecuda/driver"
)

// A place is memory of a device, or of the host.
type place struct {
	at   uint64
	host []byte // nil: at counts
}

func (d *Driver) bytes(p place, n uint64) ([]byte, *fault) {
	if p.host != nil {
		return p.host, nil
	}
	b, err := d.memory(p.at, n)
	if err != nil {
		return nil, lost("a copy or fill of %v", err)
	}
	return b, nil
}

// A copyWork copies n bytes.
type copyWork struct {
	d        *Driver
	to, from place
	n        uint64
	speed    int
}

func (*copyWork) kind() driver.NodeKind { return driver.CopyNode }

func (w *copyWork) run(moment) (span, *fault) {
	to, f := w.d.bytes(w.to, w.n)
	if f != nil {
		return 0, f
	}
	from, f := w.d.bytes(w.from, w.n)
	if f != nil {
		return 0, f
	}
	copy(to, from)
	w.d.copied(w.to, w.from, w.n)
	return copyCost(int(w.n), w.speed), nil
}

// reaches reports whether devices have n bytes at an address.
func (d *Driver) reaches(at, n uint64) bool {
	_, err := d.memory(at, n)
	return err == nil
}

// copyIn puts a copy from the host into a stream. What is not pinned is read now.
func (d *Driver) copyIn(s *stream, to uint64, from uintptr, n uint64) driver.Result {
	switch {
	case n == 0:
		return driver.Success
	case from == 0 || !d.reaches(to, n):
		return driver.InvalidValue
	}
	if dev, _ := d.find(uint64(from)); dev != nil {
		return d.copyBetween(s, to, uint64(from), n)
	}
	w := &copyWork{d: d, to: place{at: to}, n: n, speed: pinnedSpeed}
	if d.hosts.pinned(from, n) {
		w.from.at = uint64(from)
		return d.enqueue(s, w)
	}
	w.from.host, w.speed = dl.Memory(from, int(n)), pagedSpeed
	switch {
	case s.capture != nil: // read when the graph runs
	case n <= staged:
		w.from.host = bytes.Clone(w.from.host)
	default:
		return d.finish(s, w)
	}
	return d.enqueue(s, w)
}

// staged is how much of a copy from memory that is not pinned the driver takes in before it was its turn.
const staged = 64 << 10

// finish puts work into a stream and waits for it.
func (d *Driver) finish(s *stream, w work) driver.Result {
	if r := d.enqueue(s, w); r != driver.Success || s.capture != nil {
		return r
	}
	return d.waitFor(s)
}

// copyOut puts a copy to the host into a stream, and waits for it unless the memory is pinned.
func (d *Driver) copyOut(s *stream, to uintptr, from, n uint64) driver.Result {
	switch {
	case n == 0:
		return driver.Success
	case to == 0 || !d.reaches(from, n):
		return driver.InvalidValue
	}
	w := &copyWork{d: d, from: place{at: from}, n: n, speed: pinnedSpeed}
	if d.hosts.pinned(to, n) {
		w.to.at = uint64(to)
		return d.enqueue(s, w)
	}
	w.to.host, w.speed = dl.Memory(to, int(n)), pagedSpeed
	return d.finish(s, w)
}

// copyBetween puts a copy between two places of devices into a stream.
func (d *Driver) copyBetween(s *stream, to, from, n uint64) driver.Result {
	switch {
	case n == 0:
		return driver.Success
	case !d.reaches(to, n) || !d.reaches(from, n):
		return driver.InvalidValue
	}
	return d.enqueue(s, &copyWork{d: d, to: place{at: to}, from: place{at: from}, n: n, speed: deviceSpeed})
}
