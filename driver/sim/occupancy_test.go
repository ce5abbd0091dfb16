package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim"
)

// The figures are those of NVIDIA's occupancy calculator.
func TestOccupancy(t *testing.T) {
	for _, c := range []struct {
		cc, registers, static, threads, dynamic int
		want                                    int
	}{
		{90, 32, 0, 1024, 0, 2}, {90, 32, 0, 256, 0, 8}, {90, 32, 0, 32, 0, 32},
		{90, 64, 0, 1024, 0, 1}, {90, 65, 0, 1024, 0, 0}, {90, 40, 0, 256, 0, 6}, {90, 255, 0, 256, 0, 1}, {90, 128, 0, 128, 0, 4},
		{90, 16, 48 << 10, 128, 0, 4}, {90, 16, 0, 128, 227 << 10, 1}, {90, 16, 0, 128, 113 << 10, 2}, {90, 16, 0, 128, 113<<10 + 1, 1},
		{80, 32, 0, 1024, 0, 2}, {80, 32, 0, 64, 0, 32}, {80, 16, 32 << 10, 64, 0, 4},
		{86, 32, 0, 1024, 0, 1}, {86, 32, 0, 256, 0, 6}, {86, 32, 0, 32, 0, 16}, {86, 16, 48 << 10, 64, 0, 2},
		{89, 32, 0, 32, 0, 24}, {75, 32, 0, 1024, 0, 1}, {75, 32, 0, 32, 0, 16}, {75, 16, 32 << 10, 64, 0, 2},
		{70, 32, 0, 1024, 0, 2}, {70, 16, 48 << 10, 64, 0, 2}, {61, 32, 0, 64, 0, 32}, {52, 16, 48 << 10, 64, 0, 2},
		{90, 32, 0, 0, 0, 0}, {90, 32, 0, 1025, 0, 0},
	} {
		require.Equal(t, c.want, sim.Fit(c.cc, c.registers, c.static, c.threads, c.dynamic), "%+v", c)
	}
}

func TestSuggestions(t *testing.T) {
	r := newRig(t, sim.Config{})
	f, err := r.load(t, kernels).Function("axpy")
	require.NoError(t, err)
	blocks, threads, err := f.SuggestBlock(0, 0)
	require.NoError(t, err)
	require.Equal(t, []int{2 * 132, 1024}, []int{blocks, threads})
	blocks, threads, err = f.SuggestBlock(0, 200)
	require.NoError(t, err)
	held, err := f.MaxActiveBlocks(threads, 0)
	require.NoError(t, err)
	require.LessOrEqual(t, threads, 200)
	require.Equal(t, held*132, blocks)
	require.Greater(t, held*threads, 1800)

	for blocks, want := range map[int]uint64{1: 227 << 10, 2: 113 << 10, 4: 56 << 10} {
		n, err := f.AvailableShared(blocks, 128)
		require.NoError(t, err)
		require.Equal(t, want, n)
		require.NoError(t, f.SetMaxDynamicShared(uint32(n)))
		fit, err := f.MaxActiveBlocks(128, uint32(n))
		require.NoError(t, err)
		require.Equal(t, blocks, fit)
	}
	_, err = f.AvailableShared(33, 128)
	require.Error(t, err)
	_, err = f.MaxActiveBlocks(0, 0)
	require.Error(t, err)
}
