package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// Kernels of the corpus whose threads work together, by every NVRTC and option that made one, against what Go computes.

// A corpusRun is a kernel with memory for its arguments.
type corpusRun struct {
	t testing.TB
	k *Kernel
	m *Memory
}

// eachKernel calls f with the kernel of a file in every set that has it.
func eachKernel(t *testing.T, file, name string, f func(t *testing.T, r corpusRun)) {
	n := 0
	for _, set := range corpusSets(t) {
		eachCorpus(t, set, func(have, text string) {
			if have == file {
				n++
				t.Run(set, func(t *testing.T) {
					p, m := loadText(t, text)
					require.NotNil(t, p.Kernel(name))
					f(t, corpusRun{t, p.Kernel(name), m})
				})
			}
		})
	}
	require.NotZero(t, n)
}

// put makes an allocation with fixed-size numbers, such as []uint32.
func (r corpusRun) put(numbers any) *Allocation {
	r.t.Helper()
	var b bytes.Buffer
	require.NoError(r.t, binary.Write(&b, binary.LittleEndian, numbers))
	a, err := r.m.Alloc(int64(b.Len()))
	require.NoError(r.t, err)
	copy(a.Data, b.Bytes())
	return a
}

// numbers reads an allocation as numbers.
func numbers[T any](r corpusRun, a *Allocation) []T {
	r.t.Helper()
	var v T
	all := make([]T, len(a.Data)/binary.Size(v))
	require.NoError(r.t, binary.Read(bytes.NewReader(a.Data), binary.LittleEndian, all))
	return all
}

func (r corpusRun) launch(blocks, threads uint32, args ...any) {
	r.t.Helper()
	for i, a := range args {
		if a, ok := a.(*Allocation); ok {
			args[i] = a.Base
		}
	}
	_, err := Run(context.Background(), &Launch{Kernel: r.k, Grid: [3]uint32{blocks, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params(args...)},
		&Config{Workers: 4, MaxSteps: 1 << 24})
	require.NoError(r.t, err)
}

func listOf[T uint32 | uint64 | int32 | float32 | float64](n int, f func(i int) T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = f(i)
	}
	return all
}

func TestReduceShared(t *testing.T) {
	eachKernel(t, "02_reduce_shared", "reduce", func(t *testing.T, r corpusRun) {
		const n = 5000
		x, out := r.put(listOf(n, func(i int) float32 { return float32(i % 7) })), r.put(make([]float32, 3))
		r.launch(3, 256, x, out, uint32(n))
		want := make([]float32, 3)
		for i := range n {
			want[i/256%3] += float32(i % 7)
		}
		assert.Equal(t, want, numbers[float32](r, out))
	})
}

func TestSpmv(t *testing.T) {
	eachKernel(t, "49_spmv_csr", "sp", func(t *testing.T, r corpusRun) {
		const n = 20 // row i has 5i elements
		var rows, columns []int32
		var v []float64
		want := make([]float64, n)
		x := listOf(n, func(i int) float64 { return float64(i) / 4 })
		for i := range n {
			rows = append(rows, int32(len(v)))
			for j := range 5 * i {
				columns, v = append(columns, int32(j*7%n)), append(v, float64(j%11))
				want[i] += float64(j%11) * x[j*7%n]
			}
		}
		rows = append(rows, int32(len(v)))
		y := r.put(make([]float64, n))
		r.launch(5, 128, r.put(rows), r.put(columns), r.put(v), r.put(x), y, uint32(n))
		assert.Equal(t, want, numbers[float64](r, y))
	})
}

func TestAtomicsGlobal(t *testing.T) {
	eachKernel(t, "06_atomics_global", "at", func(t *testing.T, r corpusRun) {
		i, u := r.put(listOf(20, func(i int) int32 { return int32(100 + i) })), r.put(listOf(20, func(i int) uint32 { return uint32(14 + i) }))
		l, sl := r.put(listOf(20, func(i int) uint64 { return uint64(i)<<40 + uint64(i) })), r.put([]uint64{9, 0})
		f, d := r.put(listOf(20, func(i int) float32 { return float32(i) + 0.5 })), r.put(listOf(20, func(i int) float64 { return float64(i) + 0.5 }))
		r.launch(1, 1, i, u, l, f, d, sl)
		gi, gu, gl := numbers[int32](r, i), numbers[uint32](r, u), numbers[uint64](r, l)
		assert.Equal(t, []int32{100, 101, 0, 103, 104, 0, 106, 107}, gi[:8])
		assert.Equal(t, []int32{100, 101, 102, 103, 104, 105, 106, 107}, gi[10:18])
		assert.Equal(t, []uint32{0, 0, 16, 0, 17}, gu[:5])
		assert.Equal(t, []uint32{14, 15, 16, 17, 18}, gu[10:15])
		assert.Equal(t, []uint64{5, 1<<40 + 4, 7, 7, 4<<40 + 4, 5, 6<<40 + 7, 7 << 40}, gl[:8])
		assert.Equal(t, []uint64{0, 1<<40 + 1, 2<<40 + 2, 3<<40 + 3, 4<<40 + 4, 5<<40 + 5, 6<<40 + 6, 7<<40 + 7}, gl[10:18])
		assert.Equal(t, []uint64{3, 9}, numbers[uint64](r, sl))
		assert.Equal(t, []float32{1, 3.5}, numbers[float32](r, f)[:2])
		assert.Equal(t, []float32{0.5, 1.5}, numbers[float32](r, f)[10:12])
		assert.Equal(t, 2.5, numbers[float64](r, d)[0])
		assert.Equal(t, 0.5, numbers[float64](r, d)[10])
	})
}

func TestAtomicsOfBlocks(t *testing.T) {
	eachKernel(t, "06_atomics_global", "at", func(t *testing.T, r corpusRun) {
		i, u, l := r.put(make([]int32, 20)), r.put(make([]uint32, 20)), r.put(make([]uint64, 20))
		f, d := r.put(make([]float32, 20)), r.put(make([]float64, 20))
		r.launch(10, 64, i, u, l, f, d, r.put(make([]uint64, 2)))
		assert.Equal(t, []int32{10 * 2016, -10 * 2016, 0, 63}, numbers[int32](r, i)[:4])
		assert.EqualValues(t, 640%18, numbers[uint32](r, u)[3])
		assert.EqualValues(t, 3*640, numbers[uint64](r, l)[1])
		assert.EqualValues(t, 2*640, numbers[float32](r, f)[1])
		assert.EqualValues(t, 2*640, numbers[float64](r, d)[0])
	})
}

func TestHistogram(t *testing.T) {
	eachKernel(t, "08_atomics_shared_hist", "hist", func(t *testing.T, r corpusRun) {
		data := make([]byte, 5000)
		want := make([]uint32, 258)
		for i := range data {
			data[i] = byte(i * i % 251)
			want[data[i]]++
			want[257] = max(want[257], uint32(data[i]))
		}
		want[256] = uint32(len(data))
		h := r.put(make([]uint32, 258))
		r.launch(1, 256, r.put(data), h, uint32(len(data)))
		assert.Equal(t, want, numbers[uint32](r, h))
	})
}

func TestWarpShuffle(t *testing.T) {
	eachKernel(t, "09_warp_shuffle", "shf", func(t *testing.T, r corpusRun) {
		const n = 16 // the kernel names 16 lanes in one of its masks; what lanes that are not there give is 0 here
		x, y := listOf(n, func(i int) float32 { return float32(i) / 8 }), listOf(n, func(i int) int32 { return int32(5 * i % n) })
		z, w := listOf(n, func(i int) float64 { return float64(i) * 1e10 }), listOf(n, func(i int) uint64 { return uint64(i) << 33 })
		ax, ay, az, aw := r.put(x), r.put(y), r.put(z), r.put(w)
		r.launch(1, n, ax, ay, az, aw)
		v := append([]float32(nil), x...)
		shuffle := func(from func(i int) int) {
			was := append([]float32(nil), v...)
			for i := range v {
				if j := from(i); j < n {
					v[i] += was[j]
				}
			}
		}
		for o := 16; o > 0; o >>= 1 {
			shuffle(func(i int) int { return i ^ o })
		}
		shuffle(func(i int) int { return i + 1 })
		shuffle(func(i int) int { return pick(i < 2, i, i-2) })
		shuffle(func(i int) int { return i&^7 + 3 })
		assert.Equal(t, v, numbers[float32](r, ax))
		assert.Equal(t, listOf(n, func(i int) int32 { return y[y[i]] }), numbers[int32](r, ay))
		assert.Equal(t, listOf(n, func(i int) float64 { return z[i^1] }), numbers[float64](r, az))
		assert.Equal(t, listOf(n, func(i int) uint64 { return w[min(i+1, n-1)] }), numbers[uint64](r, aw))
	})
}

func TestVoteMatch(t *testing.T) {
	eachKernel(t, "10_vote_match", "vote", func(t *testing.T, r corpusRun) {
		for _, c := range []func(i int) uint32{
			func(i int) uint32 { return uint32(i % 5) }, func(i int) uint32 { return uint32(i + 4) }, func(int) uint32 { return 7 },
		} {
			x, q := listOf(32, c), listOf(32, func(i int) uint64 { return uint64(i%3) << 40 })
			ax, aq := r.put(x), r.put(q)
			r.launch(1, 32, ax, aq)
			where := func(is func(i int) bool) (m uint32) {
				for i := range 32 {
					if is(i) {
						m |= 1 << i
					}
				}
				return m
			}
			yes := func(b bool) uint32 { return pick[uint32](b, 1, 0) }
			want := listOf(32, func(t int) uint32 {
				v := x[t]
				ballot := where(func(i int) bool { return x[i]&1 != 0 })
				same := where(func(i int) bool { return x[i] == v })
				s := ballot + yes(where(func(i int) bool { return x[i] > 3 }) == full)*2 + yes(where(func(i int) bool { return x[i] > 5 }) != 0)*3
				s += same + pick(same == full, full, 0) + yes(same == full) + full
				if t&1 != 0 {
					s += where(func(i int) bool { return i&1 != 0 && x[i]&2 != 0 })
				}
				return s
			})
			assert.Equal(t, want, numbers[uint32](r, ax))
			assert.Equal(t, listOf(32, func(t int) uint64 { return uint64(where(func(i int) bool { return i%3 == t%3 })) }), numbers[uint64](r, aq))
		}
	})
}

func TestHalfAtomics(t *testing.T) {
	eachKernel(t, "13_half_atomics", "ha", func(t *testing.T, r corpusRun) {
		h := func(v float32) uint16 { return number.F16FromF32(v) }
		a, b := r.put([]uint16{h(0), h(1), h(0.25), 3, 4, 5, 6, 7, 8, 9}), r.put([]uint16{h(2), h(3), 0, 0, 0, 0, h(5), h(7), 0, 0, 0, 0})
		r.launch(1, 1, a, b)
		assert.Equal(t, []uint16{h(1), h(1.25), h(0.25), 3, 4, 5, 6, 7, 8, h(1)}, numbers[uint16](r, a))
		assert.Equal(t, []uint16{h(7), h(10), 0, 0, 0, 0, h(5), h(7), 0, 0, h(2), h(3)}, numbers[uint16](r, b))
		r.launch(4, 64, a, b)
		assert.Equal(t, h(257), numbers[uint16](r, a)[0])
	})
}

func TestMmaAsm(t *testing.T) {
	eachKernel(t, "28_mma_asm", "ma", func(t *testing.T, r corpusRun) {
		value := func(i int) float64 { return float64(i*7%11 - 5) }
		a := r.put(listOf(64, func(i int) uint32 {
			return uint32(number.F16FromF32(float32(value(2*i)))) | uint32(number.F16FromF32(float32(value(2*i+1))))<<16
		}))
		c := r.put(make([]float32, 64))
		r.launch(1, 64, a, c)
		m := func(j, row, column int) float64 { return value(64*j + 8*row + column) } // two matrices of 8 by 8
		want := listOf(64, func(i int) float32 {
			sum := 0.0
			for e := range 4 {
				row, column := i&31/4, i&3*2+e&1
				for k := range 16 {
					sum += m(e/2, row, k%8) * m(k/8, column, k%8)
				}
			}
			return float32(sum)
		})
		assert.Equal(t, want, numbers[float32](r, c))
	})
}

func TestCpAsync(t *testing.T) {
	eachKernel(t, "29_cp_async", "ca", func(t *testing.T, r corpusRun) {
		g, o := listOf(1024, func(i int) float32 { return float32(i) }), r.put(make([]float32, 256))
		r.launch(1, 128, r.put(g), o)
		assert.Equal(t, listOf(256, func(i int) float32 { return pick(i < 128, g[i*4&511], g[512+(i&127^1)]) }), numbers[float32](r, o))
	})
}

func TestCooperativeGroups(t *testing.T) {
	eachKernel(t, "30_coop_groups", "cgk", func(t *testing.T, r corpusRun) {
		x, y := r.put(listOf(32, func(i int) float32 { return float32(i) })), r.put(make([]int32, 32))
		r.launch(1, 32, x, y)
		assert.EqualValues(t, 2*31*16, numbers[float32](r, x)[0])
		assert.Equal(t, listOf(32, func(int) int32 { return 32 }), numbers[int32](r, y))
	})
}

func TestGenericPointers(t *testing.T) {
	eachKernel(t, "41_generic_ptrs", "gp", func(t *testing.T, r corpusRun) {
		for k := range 3 { // with 3 it reads past the end of an array
			was := listOf(40, func(i int) int32 { return int32(10 * i) })
			g := r.put(was)
			r.launch(1, 32, g, uint32(k))
			got := numbers[int32](r, g)
			for i := range 32 {
				l := pick(k > 0 && i&7 == k, 7, was[k])
				assert.Equal(t, l+pick(k == 0, 7, int32(k)), got[i+1], "k %d, thread %d", k, i)
			}
			assert.Equal(t, pick[int32](k == 0, 0, 3*32), got[0], "k %d", k)
		}
	})
}

func TestSpinlockLastBlock(t *testing.T) {
	eachKernel(t, "53_spinlock_lastblock", "lb", func(t *testing.T, r corpusRun) {
		const blocks, threads = 30, 32 // one warp: threads of others may add after the first has counted the block
		x, o := r.put(listOf(blocks*threads, func(i int) float32 { return float32(i % 16) })), r.put(make([]float32, 3))
		r.launch(blocks, threads, x, o)
		assert.Equal(t, []float32{blocks * threads * 7.5, blocks * threads * 7.5, blocks}, numbers[float32](r, o))
	})
}

func TestMbarrierAsync(t *testing.T) {
	eachKernel(t, "57_mbarrier_async", "mb2", func(t *testing.T, r corpusRun) {
		p := r.put(make([]int32, 96))
		r.launch(1, 96, p)
		assert.Equal(t, listOf(96, func(int) int32 { return 1 }), numbers[int32](r, p))
	})
}

func TestNamedBarriers(t *testing.T) {
	eachKernel(t, "58_named_barriers", "nbk", func(t *testing.T, r corpusRun) {
		p := r.put(make([]int32, 128))
		r.launch(1, 128, p)
		assert.Equal(t, listOf(128, func(int) int32 { return 2 }), numbers[int32](r, p))
	})
}
