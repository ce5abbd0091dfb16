package sim

import (
	"encoding/binary"

	"github.com/purecuda/purecuda/driver"
)

// A fillWork writes one value of 1, 2 or 4 bytes again and again, in rows.
type fillWork struct {
	d      *Driver
	to     uint64
	value  uint32
	size   uint64 // of the value
	width  uint64 // values of a row
	height uint64 // rows
	pitch  uint64 // from one row to the next, in bytes
}

func (*fillWork) kind() driver.NodeKind { return driver.MemsetNode }

// allowed reports whether the memory is there and aligned.
func (w *fillWork) allowed() bool {
	if w.size != 1 && w.size != 2 && w.size != 4 || w.to%w.size != 0 || w.width > mostMemory || w.height == 0 {
		return false
	}
	if w.height > 1 && (w.pitch < w.width*w.size || w.pitch > mostMemory || w.height > mostMemory/w.pitch) {
		return false
	}
	return w.d.reaches(w.to, (w.height-1)*w.pitch+w.width*w.size)
}

func (w *fillWork) run(moment) (span, *fault) {
	row := w.width * w.size
	all, f := w.d.bytes(place{at: w.to}, (w.height-1)*w.pitch+row)
	if f != nil {
		return 0, f
	}
	for y := range w.height {
		fill(all[y*w.pitch:][:row], w.value, int(w.size))
		w.d.written(w.to+y*w.pitch, row)
	}
	return copyCost(int(row*w.height), deviceSpeed), nil
}

// fill repeats a value of so many bytes all over b.
func fill(b []byte, value uint32, size int) {
	if len(b) == 0 {
		return
	}
	var v [4]byte
	binary.LittleEndian.PutUint32(v[:], value)
	for n := copy(b, v[:size]); n < len(b); n *= 2 { // what is there doubles
		copy(b[n:], b[:n])
	}
}

// memset puts a fill of n values into a stream.
func (d *Driver) memset(s *stream, to uint64, value uint32, size, n uint64) driver.Result {
	if n*size == 0 { // in 64 bits, as the driver counts
		return driver.Success
	}
	w := &fillWork{d: d, to: to, value: value, size: size, width: n, height: 1}
	if !w.allowed() {
		return driver.InvalidValue
	}
	return d.enqueue(s, w)
}
