package rtc

import (
	"fmt"

	"github.com/purecuda/purecuda/driver"
)

// A Dim3 is the size of a grid in blocks, or of a block in threads, along x, y
// and z. A launch refuses parts that are not positive: write the ones, with the
// fields' names, or use [Dim], which does. The zero Dim3 is refused.
//
// Safe for concurrent use after it is made; its fields must not change.
type Dim3 struct {
	X, Y, Z int

	parts int // of a Dim call with too many
}

// Dim makes a Dim3 of one, two or three parts; those not given are 1. More
// than three are refused by the launch that gets them.
func Dim(x int, yz ...int) Dim3 {
	d := Dim3{X: x, Y: 1, Z: 1}
	if len(yz) > 0 {
		d.Y = yz[0]
	}
	if len(yz) > 1 {
		d.Z = yz[1]
	}
	if len(yz) > 2 {
		d.parts = 1 + len(yz)
	}
	return d
}

// String is (x, y, z).
func (d Dim3) String() string { return fmt.Sprintf("(%d, %d, %d)", d.X, d.Y, d.Z) }

// words are the parts as the driver takes them. What it would not take by
// their range alone is refused here, since a conversion would change it; the
// device's own limits are the driver package's to check.
func (d Dim3) words(what string) (driver.Dim3, error) {
	if d.parts != 0 {
		return driver.Dim3{}, fmt.Errorf("%s has %d parts; x, y and z are all there are", what, d.parts)
	}
	for i, n := range [3]int{d.X, d.Y, d.Z} {
		if n < 1 || n > 1<<31-1 {
			return driver.Dim3{}, fmt.Errorf("%s %s is %d in %s; it must be from 1 to 2147483647%s", what, "xyz"[i:i+1], n, d, d.hint())
		}
	}
	return driver.Dim3{X: uint32(d.X), Y: uint32(d.Y), Z: uint32(d.Z)}, nil
}

// hint is for who wrote a Dim3 without its ones.
func (d Dim3) hint() string {
	switch {
	case d.X > 0 && d.Y == 0 && d.Z == 0:
		return fmt.Sprintf(" (rtc.Dim(%d) writes the ones)", d.X)
	case d.X > 0 && d.Y > 0 && d.Z == 0:
		return fmt.Sprintf(" (rtc.Dim(%d, %d) writes the ones)", d.X, d.Y)
	}
	return ""
}
