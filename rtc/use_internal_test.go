package rtc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEachUse: each memory once, and written if any of it is. Twice would be worse than useless: who holds a memory twice waits for whoever closes
// it in between, and that one for him.
func TestEachUse(t *testing.T) {
	dev, err := OpenSimulated()
	require.NoError(t, err)
	defer dev.Close()
	x, err := Zeros[int32](dev, 4)
	require.NoError(t, err)
	half, err := x.Slice(2, 4)
	require.NoError(t, err)
	y, err := Zeros[int32](dev, 4)
	require.NoError(t, err)
	h, err := NewHostBuffer[int32](dev, 4)
	require.NoError(t, err)
	var got []use
	add := func(_ Copyable, p place, write bool) error {
		got = append(got, use{p.mem, write})
		return nil
	}
	require.NoError(t, eachUse([]Copyable{x, y, h, y}, []Copyable{half, half, x}, add))
	require.Equal(t, []use{{x.mem, true}, {y.mem, false}, {h.mem, false}}, got)
	require.NoError(t, y.Close())
	require.EqualError(t, eachUse([]Copyable{x, y}, nil, add), "reads[1]: int32 array [4] is closed")
	require.EqualError(t, eachUse(nil, []Copyable{x, x, nil}, add), "writes[2]: an array or host buffer is nil")
}
