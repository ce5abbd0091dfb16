package rtc

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoom: pieces of a ring never overlap, begin at multiples of the alignment, and the ring is used to the end.
func TestRoom(t *testing.T) {
	const size = 16 * stagingAlign
	dice := rand.New(rand.NewPCG(1, 2))
	var out []piece
	full, most := 0, 0
	for range 10000 {
		n := 1 + dice.IntN(size/4)
		from, ok := room(out, size, n)
		if !ok {
			require.NotEmpty(t, out, "there is room when nothing is out")
			full++
			out = out[1:]
			continue
		}
		require.Zero(t, from%stagingAlign)
		require.LessOrEqual(t, from+n, size)
		sum := n
		for _, p := range out {
			require.False(t, from < p.to && p.from < from+n, "%d bytes at %d, where %d to %d are out", n, from, p.from, p.to)
			sum += p.to - p.from
		}
		most = max(most, sum)
		out = append(out, piece{from: from, to: from + n})
		if dice.IntN(3) == 0 {
			out = out[1:]
		}
	}
	require.Greater(t, full, 100)
	require.Greater(t, most, size*9/10)
}
