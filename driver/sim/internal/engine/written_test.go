package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWritten compares the bits with a slice of bools.
func TestWritten(t *testing.T) {
	const size = 300
	r := rand.New(rand.NewPCG(3, 4))
	m, other := newWritten(size), newWritten(size)
	model, second := make([]bool, size), make([]bool, size)
	for range 2000 {
		off := int64(r.IntN(size))
		n := int64(r.IntN(int(size-off))) + 1
		yes := r.IntN(2) == 0
		switch r.IntN(4) {
		case 0:
			m.mark(off, n, yes)
			for i := range n {
				model[off+i] = yes
			}
		case 1:
			other.mark(off, n, yes)
			for i := range n {
				second[off+i] = yes
			}
		case 2:
			from := int64(r.IntN(int(size-n) + 1))
			m.copy(off, other, from, n)
			copy(model[off:off+n], second[from:from+n])
		case 3:
			k := int64(1) << r.IntN(4)
			at := off / k * k
			if at+k > size {
				continue
			}
			not := r.Uint32() & (1<<k - 1)
			m.set(uint64(at), uint64(k), not)
			for i := range k {
				model[at+i] = not>>i&1 == 0
			}
			assert.Equal(t, not, m.unwritten(uint64(at), uint64(k)))
		}
		left := int64(0)
		for i := range model {
			if model[i] == (m.unwritten(uint64(i), 1) != 0) {
				t.Fatalf("byte %d", i)
			}
			if !model[i] {
				left++
			}
		}
		require.Equal(t, left, m.left.Load())
	}
	m.copy(0, nil, 0, size)
	assert.Zero(t, m.left.Load())
}

func TestRememberWrites(t *testing.T) {
	m := NewMemory(1 << 20)
	early, err := m.Alloc(16)
	require.NoError(t, err)
	m.RememberWrites()
	a, err := m.Alloc(16)
	require.NoError(t, err)
	b, err := m.Alloc(16)
	require.NoError(t, err)
	assert.Zero(t, early.written.unwritten(0, 8))
	assert.Equal(t, uint32(0xff), a.written.unwritten(0, 8))
	m.Written(a.Base+3, 2)
	m.Written(a.Base+15, 100) // as much as there is
	m.Written(a.Base+16, 4)   // not there
	m.Copied(b.Base+1, a.Base, 8)
	m.Copied(b.Base+12, early.Base, 4)
	assert.Equal(t, uint32(0b11100111), a.written.unwritten(0, 8))
	assert.Equal(t, uint32(0b11001111), b.written.unwritten(0, 8))
	assert.Equal(t, uint32(0x0f), b.written.unwritten(8, 8))
	assert.Equal(t, uint32(0x7f), a.written.unwritten(8, 8))
}
