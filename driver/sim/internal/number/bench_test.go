package number_test

import (
	"math"
	"testing"

	"github.com/purecuda/purecuda/driver/sim/internal/number"
)

// benchF32 runs op over 32 lanes, as the engine does, and reports the time of one.
func benchF32(b *testing.B, op func(d, x, y, z *[32]uint32)) {
	var d, x, y, z [32]uint32
	for i := range x {
		x[i] = math.Float32bits(1 + float32(i)/7)
		y[i] = math.Float32bits(3 - float32(i)/5)
		z[i] = math.Float32bits(float32(i) / 3)
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
