package engine

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/abi/ptx"
)

// The benchmarks run kernels beside plain Go loops that do the same on one goroutine.

// runLaunch runs a launch and reports thread-instructions a second: operations of warps times 32.
func runLaunch(b *testing.B, l *Launch) {
	b.Helper()
	var steps uint64
	c := &Config{}
	b.ReportAllocs()
	for b.Loop() {
		s, err := Run(context.Background(), l, c)
		if err != nil {
			b.Fatal(err)
		}
		steps += s.Steps
	}
	b.ReportMetric(32*float64(steps)/b.Elapsed().Seconds()/1e6, "Mthread-instr/s")
}

func random(n int) []float32 {
	r := rand.New(rand.NewPCG(1, 2))
	f := make([]float32, n)
	for i := range f {
		f[i] = r.Float32()
	}
	return f
}

func copied(t testing.TB, m *Memory, f []float32) *Allocation {
	return floats(t, m, len(f), func(i int) float32 { return f[i] })
}

// axpyLaunch is y += 2x for n numbers.
func axpyLaunch(t testing.TB, n int) *Launch {
	p, m := loadText(t, corpusText(t, "nvrtc-12.4-compute_80", "01_axpy"))
	x, y := copied(t, m, random(n)), copied(t, m, random(n))
	return &Launch{Kernel: p.Kernel("axpy"), Grid: [3]uint32{uint32(n+255) / 256, 1, 1}, Block: [3]uint32{256, 1, 1},
		Params: params(float32(2), x.Base, y.Base, uint32(n))}
}

func goAxpy(b *testing.B, n int) {
	x, y := random(n), random(n)
	for b.Loop() {
		for i, v := range x {
			y[i] += 2 * v
		}
	}
}

func BenchmarkAxpy(b *testing.B) {
	b.Run("sim", func(b *testing.B) { runLaunch(b, axpyLaunch(b, 1<<22)) })
	b.Run("go", func(b *testing.B) { goAxpy(b, 1<<22) })
}

// A launch of 1,024 threads is mostly what a launch costs.
func BenchmarkSmall(b *testing.B) {
	b.Run("sim", func(b *testing.B) { runLaunch(b, axpyLaunch(b, 1024)) })
	b.Run("go", func(b *testing.B) { goAxpy(b, 1024) })
}

func TestNoAllocation(t *testing.T) {
	for _, n := range []int{1024, 1 << 16} {
		l, c := axpyLaunch(t, n), &Config{}
		ctx := context.Background()
		run := func() {
			if _, err := Run(ctx, l, c); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if !raceEnabled {
			assert.Zero(t, testing.AllocsPerRun(20, run), "%d threads", n)
		}
	}
}

func BenchmarkReduction(b *testing.B) {
	const n = 1 << 22
	b.Run("sim", func(b *testing.B) {
		p, m := loadText(b, corpusText(b, "nvrtc-12.4-compute_80", "02_reduce_shared"))
		x, out := copied(b, m, random(n)), copied(b, m, make([]float32, n/256))
		runLaunch(b, &Launch{Kernel: p.Kernel("reduce"), Grid: [3]uint32{n / 256, 1, 1}, Block: [3]uint32{256, 1, 1},
			Params: params(x.Base, out.Base, uint32(n))})
	})
	b.Run("go", func(b *testing.B) {
		x, out := random(n), make([]float32, n/256)
		var s [256]float32
		for b.Loop() {
			for block := range out {
				copy(s[:], x[256*block:])
				for k := 128; k > 0; k >>= 1 {
					for t := range s { // the block's threads, as the kernel has them
						if t < k {
							s[t] += s[t+k]
						}
					}
				}
				out[block] = s[0]
			}
		}
	})
}

func BenchmarkMatmul(b *testing.B) {
	const n = 256
	b.Run("sim", func(b *testing.B) {
		p, m := loadText(b, corpusText(b, "nvrtc-12.4-compute_80", "04_matmul_tiled"))
		x, y, z := copied(b, m, random(n*n)), copied(b, m, random(n*n)), copied(b, m, make([]float32, n*n))
		runLaunch(b, &Launch{Kernel: p.Kernel("mm"), Grid: [3]uint32{n / 16, n / 16, 1}, Block: [3]uint32{16, 16, 1},
			Params: params(x.Base, y.Base, z.Base, uint32(n))})
	})
	b.Run("go", func(b *testing.B) {
		x, y, z := random(n*n), random(n*n), make([]float32, n*n)
		for b.Loop() {
			for i := range n {
				for j := range n {
					s := float32(0)
					for k := range n {
						s += x[i*n+k] * y[k*n+j]
					}
					z[i*n+j] = s
				}
			}
		}
	})
}

// mandelbrotSize and the others are the picture of the benchmark: mostly points that part after different numbers of rounds.
const (
	mandelbrotSize  = 512
	mandelbrotLimit = 256
)

func goMandelbrot(out []int32) {
	const scale = float32(3) / mandelbrotSize
	for py := range mandelbrotSize {
		for px := range mandelbrotSize {
			cx, cy, x, y, n := -2+float32(px)*scale, -1.5+float32(py)*scale, float32(0), float32(0), int32(0)
			for n < mandelbrotLimit && x*x+y*y < 4 {
				x, y = x*x-y*y+cx, 2*x*y+cy
				n++
			}
			out[py*mandelbrotSize+px] = n
		}
	}
}

func BenchmarkMandelbrot(b *testing.B) {
	b.Run("sim", func(b *testing.B) {
		text, err := os.ReadFile("testdata/mandelbrot.ptx")
		require.NoError(b, err)
		p, m := loadText(b, string(text))
		out, err := m.Alloc(4 * mandelbrotSize * mandelbrotSize)
		require.NoError(b, err)
		runLaunch(b, &Launch{Kernel: p.Kernel("mandelbrot"), Grid: [3]uint32{mandelbrotSize / 16, mandelbrotSize / 16, 1}, Block: [3]uint32{16, 16, 1},
			Params: params(out.Base, uint32(mandelbrotSize), float32(-2), float32(-1.5), float32(3)/mandelbrotSize, uint32(mandelbrotLimit))})
	})
	b.Run("go", func(b *testing.B) {
		out := make([]int32, mandelbrotSize*mandelbrotSize)
		for b.Loop() {
			goMandelbrot(out)
		}
	})
}

// BenchmarkLoad decodes all of the corpus that loads: what a module's loading costs once its text is parsed.
func BenchmarkLoad(b *testing.B) {
	var modules []*ptx.Module
	instructions := 0
	eachCorpus(b, "nvrtc-12.4-compute_80", func(_, text string) {
		m, err := ptx.Parse(text)
		require.NoError(b, err)
		if p, err := Load(m, LoadConfig{Arch: 80, Memory: NewMemory(0)}); err == nil {
			for _, f := range p.functions {
				instructions += len(f.insts)
			}
			p.Unload()
			modules = append(modules, m)
		}
	})
	require.NotEmpty(b, modules)
	b.ReportAllocs()
	for b.Loop() {
		for _, m := range modules {
			p, err := Load(m, LoadConfig{Arch: 80, Memory: NewMemory(0)})
			if err != nil {
				b.Fatal(err)
			}
			p.Unload()
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*instructions), "ns/instr")
}
