package number_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// benchF32 runs op over 32 lanes, as the engine does, and reports the time of one.
func benchF32(b *testing.B, op func(d, x, y, z *[32]uint32)) {
	var d, x, y, z [32]uint32
	r := rand.New(rand.NewPCG(1, 1))
	for i := range x {
		x[i] = math.Float32bits(r.Float32()*4 - 2)
		y[i] = math.Float32bits(r.Float32()*4 - 2)
		z[i] = math.Float32bits(r.Float32()*4 - 2)
	}
	n := 0
	for b.Loop() {
		op(&d, &x, &y, &z)
		n += len(d)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/lane")
}

func f32(b uint32) float32 { return math.Float32frombits(b) }

func BenchmarkAddF32(b *testing.B) {
	benchF32(b, func(d, x, y, _ *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.AddF32(f32(x[i]), f32(y[i])))
		}
	})
}

func BenchmarkFMAF32(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.FMAF32(f32(x[i]), f32(y[i]), f32(z[i])))
		}
	})
}

func BenchmarkFMAF32Lanes(b *testing.B) { benchF32(b, number.FMAF32Lanes) }

// Small integers are where the sum in float64 always ends in zeros.
func BenchmarkFMAF32Integers(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			v := float32(i + 1)
			d[i] = math.Float32bits(number.FMAF32(v, v, v))
		}
	})
}

func BenchmarkFMAF32RZ(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.FMAF32RZ(f32(x[i]), f32(y[i]), f32(z[i])))
		}
	})
}

func BenchmarkMulF32RZ(b *testing.B) {
	benchF32(b, func(d, x, y, _ *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.MulF32RZ(f32(x[i]), f32(y[i])))
		}
	})
}

func BenchmarkFMAF16(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = uint32(number.FMAF16(uint16(x[i]>>16), uint16(y[i]>>16), uint16(z[i]>>16)))
		}
	})
}

func BenchmarkFMABF16(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = uint32(number.FMABF16(uint16(x[i]>>16), uint16(y[i]>>16), uint16(z[i]>>16)))
		}
	})
}

func BenchmarkS32FromF32(b *testing.B) {
	benchF32(b, func(d, x, _, _ *[32]uint32) {
		for i := range d {
			d[i] = uint32(number.S32FromF32(f32(x[i])))
		}
	})
}

func BenchmarkEx2Approx(b *testing.B) {
	benchF32(b, func(d, x, _, _ *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.Ex2Approx(f32(x[i])))
		}
	})
}

func BenchmarkSinApprox(b *testing.B) {
	benchF32(b, func(d, x, _, _ *[32]uint32) {
		for i := range d {
			d[i] = math.Float32bits(number.SinApprox(f32(x[i])))
		}
	})
}

func BenchmarkLop3(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = number.Lop3(x[i], y[i], z[i], 0x96)
		}
	})
}

func BenchmarkPrmt(b *testing.B) {
	benchF32(b, func(d, x, y, z *[32]uint32) {
		for i := range d {
			d[i] = number.Prmt(x[i], y[i], z[i])
		}
	})
}

func BenchmarkAddF64RM(b *testing.B) {
	x, y := 1.1, 2.3e-5
	for b.Loop() {
		x = number.AddF64RM(x, y)
	}
}
