package driver

import "fmt"

// A Dim3 is the size of a grid in blocks, or of a block in threads, or of a
// cluster in blocks. Each axis counts at least 1: the zero Dim3 is no size.
//
// Safe for concurrent use after it is made; its fields must not change.
type Dim3 struct{ X, Y, Z uint32 }

// Dim is a Dim3 of one size, with 1 for the axes that are left out.
func Dim(x uint32, yz ...uint32) Dim3 {
	d := Dim3{x, 1, 1}
	if len(yz) > 0 {
		d.Y = yz[0]
	}
	if len(yz) > 1 {
		d.Z = yz[1]
	}
	return d
}

// String is (x, y, z).
func (d Dim3) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

// Count is X × Y × Z, at most the largest uint64.
func (d Dim3) Count() uint64 {
	xy := uint64(d.X) * uint64(d.Y)
	if d.Z != 0 && xy > ^uint64(0)/uint64(d.Z) {
		return ^uint64(0)
	}
	return xy * uint64(d.Z)
}

func (d Dim3) axes() [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }
