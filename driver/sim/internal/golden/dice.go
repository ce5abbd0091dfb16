package golden

import "hash/fnv"

// A Dice gives the same numbers for the same name for ever: SplitMix64.
//
// Not safe for concurrent use.
type Dice uint64

// NewDice makes one of a name.
func NewDice(name string) *Dice {
	h := fnv.New64a()
	h.Write([]byte(name))
	d := Dice(h.Sum64())
	return &d
}

// Next is 64 random bits.
func (d *Dice) Next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below is a number from 0 to n-1.
func (d *Dice) Below(n int) int { return int(d.Next() >> 11 % uint64(n)) }

// OneIn is true once in n times.
func (d *Dice) OneIn(n int) bool { return d.Below(n) == 0 }

// Between is a number from low to high, without high.
func (d *Dice) Between(low, high float64) float64 {
	v := float64(d.Next()>>11) / (1 << 53)
	return low + float64(v*(high-low))
}
