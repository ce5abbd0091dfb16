package engine

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// floats makes an allocation with numbers.
func floats(t testing.TB, m *Memory, n int, f func(i int) float32) *Allocation {
	t.Helper()
	a, err := m.Alloc(int64(4 * n))
	require.NoError(t, err)
	for i := range n {
		binary.LittleEndian.PutUint32(a.Data[4*i:], math.Float32bits(f(i)))
	}
	return a
}

func floatAt(a *Allocation, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:]))
}

// params packs words: float32, uint32 or uint64.
func params(words ...any) []byte {
	var b []byte
	for _, w := range words {
		switch w := w.(type) {
		case uint64:
			for len(b)%8 != 0 {
				b = append(b, 0)
			}
			b = binary.LittleEndian.AppendUint64(b, w)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, w)
		case float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w))
		}
	}
	return b
}

func TestAxpy(t *testing.T) {
	p, m := loadText(t, corpusText(t, "nvrtc-12.4-compute_80", "01_axpy"))
	k := p.Kernel("axpy")
	require.NotNil(t, k)
	const n = 1000
	x := floats(t, m, n, func(i int) float32 { return float32(i) })
	y := floats(t, m, n, func(i int) float32 { return 1 })
	l := &Launch{Kernel: k, Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{256, 1, 1}, Params: params(float32(2), x.Base, y.Base, uint32(n))}
	stats, err := Run(context.Background(), l, &Config{})
	require.NoError(t, err)
	assert.NotZero(t, stats.Steps)
	for i := range n {
		require.Equal(t, float32(2*i+1), floatAt(y, i), i)
	}

	l.Params = params(float32(2), x.Base, uint64(0x3038), uint32(n))
	_, err = Run(context.Background(), l, &Config{Workers: 1})
	require.EqualError(t, err, "axpy: in no allocation: 4 bytes at 0x3038; block (0,0,0), thread (0,0,0), PTX line 45 (ld.global.f32)")
}
