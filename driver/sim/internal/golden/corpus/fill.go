package corpus

import (
	"math"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// A Fill gives the i-th number of a buffer.
type Fill func(d *golden.Dice, i int) float64

// Zero is 0.
func zero(*golden.Dice, int) float64 { return 0 }

// same is one number.
func same(v float64) Fill { return func(*golden.Dice, int) float64 { return v } }

// between is random.
func between(low, high float64) Fill {
	return func(d *golden.Dice, _ int) float64 { return d.Between(low, high) }
}

// below is a random whole number.
func below(n float64) Fill {
	return func(d *golden.Dice, _ int) float64 { return math.Floor(d.Between(0, n)) }
}

// whole is a random whole number.
func whole(low, high float64) Fill {
	return func(d *golden.Dice, _ int) float64 { return math.Floor(d.Between(low, high+1)) }
}

// bits are random ones: of 32 bits at most.
func bits(d *golden.Dice, _ int) float64 { return float64(int32(d.Next())) }
