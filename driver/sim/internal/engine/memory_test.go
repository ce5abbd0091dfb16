package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemoryBounds(t *testing.T) {
	m := NewMemory(1 << 20)
	a, err := m.Alloc(100)
	require.NoError(t, err)
	b, err := m.Alloc(1)
	require.NoError(t, err)
	assert.Zero(t, a.Base%256)
	assert.Zero(t, b.Base%256)
	for _, c := range []struct {
		addr uint64
		n    int64
		want string // of the error; "" for none
	}{
		{a.Base, 100, ""},
		{a.Base + 99, 1, ""},
		{a.Base + 50, 0, ""},
		{a.Base + 99, 2, "byte 99 of an allocation of 100 bytes"},
		{a.Base + 100, 1, "just past the end of an allocation of 100 bytes"},
		{a.Base - 4, 4, "4 bytes before an allocation of 100 bytes"},
		{8, 4, "null pointer"},
		{1 << 40, 4, "in no allocation"},
		{b.Base, -1, "byte 0 of"},
		{b.Base, 1 << 62, "byte 0 of"},
	} {
		got, err := m.Bytes(c.addr, c.n)
		if c.want == "" {
			require.NoError(t, err)
			assert.Len(t, got, int(c.n))
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
	assert.Equal(t, int64(101), m.Used())
	require.NoError(t, m.Free(a.Base))
	require.ErrorIs(t, m.Free(a.Base), ErrNotAllocated)
	require.ErrorIs(t, m.Free(b.Base+1), ErrNotAllocated)
	_, err = m.Bytes(a.Base+4, 4)
	require.ErrorContains(t, err, "byte 4 of an allocation of 100 bytes")
	require.ErrorContains(t, err, "that was freed")
	_, err = m.Alloc(1 << 20)
	require.ErrorIs(t, err, ErrOutOfMemory)
	_, err = m.Alloc(1<<20 - 1)
	require.NoError(t, err)
}

// When the addresses have all been used they are used again, but not those that something has.
func TestMemoryAddressesComeRound(t *testing.T) {
	m := NewMemory(1 << 40)
	m.end = m.begin + 10*(256+gap)
	kept, err := m.Alloc(256)
	require.NoError(t, err)
	reserved, err := m.Reserve(256, 256)
	require.NoError(t, err)
	seen := map[uint64]int{}
	var first []uint64
	for i := range 100 {
		a, err := m.Alloc(256)
		require.NoError(t, err)
		require.True(t, a.Base >= kept.Base+256 || a.Base+256 <= kept.Base)
		require.True(t, a.Base >= reserved+256 || a.Base+256 <= reserved)
		if i < 8 {
			first = append(first, a.Base)
		}
		seen[a.Base]++
		require.NoError(t, m.Free(a.Base))
	}
	require.Len(t, seen, 8)
	require.IsIncreasing(t, first)
	for _, a := range first {
		_, err := m.Bytes(a, 1)
		require.ErrorContains(t, err, "that was freed")
	}
	var all []uint64
	for {
		a, err := m.Alloc(256)
		if err != nil {
			break
		}
		all = append(all, a.Base)
	}
	require.Len(t, all, 8)
	for _, a := range all {
		require.Equal(t, a, m.Find(a+255).Base)
	}
	m.Release(reserved)
	again, err := m.Alloc(256)
	require.NoError(t, err)
	require.Equal(t, reserved, again.Base)
}

func TestMemoryPlaces(t *testing.T) {
	m, host, peer := NewMemoryOf(0, 1<<20), NewMemory(0), NewMemoryOf(1, 1<<20)
	_, err := host.Alloc(1)
	require.ErrorIs(t, err, ErrOutOfMemory)
	other, err := peer.Alloc(8)
	require.NoError(t, err)
	data := make([]byte, 4096)
	host.Place(0xc000123000, data)
	_, err = m.Bytes(0xc000123010, 4)
	require.Error(t, err)
	m.Join(host, peer)
	b, err := m.Bytes(0xc000123010, 4)
	require.NoError(t, err)
	b[0] = 7
	assert.Equal(t, byte(7), data[16])
	assert.Same(t, other, m.Find(other.Base))
	m.Join(host)
	assert.Nil(t, m.Find(other.Base))
	require.True(t, host.Displace(0xc000123000))
	require.False(t, host.Displace(0xc000123000))
	assert.Nil(t, m.Find(0xc000123010))

	// One piece of memory at two addresses.
	require.NoError(t, m.Take(4096))
	at, err := m.Reserve(8192, 4096)
	require.NoError(t, err)
	assert.Zero(t, at%4096)
	m.Place(at+4096, data)
	m.Place(at, data)
	m.Find(at).Data[5] = 1
	assert.Equal(t, byte(1), m.Find(at + 4096).Data[5])
	assert.Equal(t, int64(4096), m.Used())
	m.Give(4096)
	assert.Zero(t, m.Used())
}
