package golden

import (
	"bytes"
	"fmt"
)

// A Difference is the first place where two outputs are not alike.
//
// Safe for concurrent use after it is made; its fields must not change.
type Difference struct {
	Output    int // which of the outputs
	Index     int // which number of it; -1 where the outputs have not the same sizes
	Want, Got uint64
	Count     int // of the numbers that differ, in all outputs
}

// String describes it.
func (d *Difference) String() string {
	if d.Index < 0 {
		return fmt.Sprintf("output %d has not the size that it had", d.Output)
	}
	return fmt.Sprintf("%d numbers differ, the first is number %d of output %d: %#x instead of %#x", d.Count, d.Index, d.Output, d.Got, d.Want)
}

// Compare finds where outputs differ from those wanted, nil if nowhere.
//
// Safe for concurrent use.
func Compare(want, got []Output) *Difference {
	if len(want) != len(got) {
		return &Difference{Output: min(len(want), len(got)), Index: -1}
	}
	var first *Difference
	for o := range want {
		w, g := want[o], got[o]
		if w.Width != g.Width || len(w.Data) != len(g.Data) {
			return &Difference{Output: o, Index: -1}
		}
		if bytes.Equal(w.Data, g.Data) {
			continue
		}
		for i := range w.Len() {
			if at := i * w.Width; !bytes.Equal(w.Data[at:at+w.Width], g.Data[at:at+w.Width]) {
				if first == nil {
					first = &Difference{Output: o, Index: i, Want: w.At(i), Got: g.At(i)}
				}
				first.Count++
			}
		}
	}
	return first
}

// Len is how many numbers there are.
func (o Output) Len() int { return len(o.Data) / o.Width }

// At is the i-th number, of its low 8 bytes where it has more.
func (o Output) At(i int) uint64 {
	var v uint64
	for k := min(o.Width, 8) - 1; k >= 0; k-- {
		v = v<<8 | uint64(o.Data[i*o.Width+k])
	}
	return v
}
