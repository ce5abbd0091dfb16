package main

import (
	"math"
	"slices"
)

// A figure is what many samples say: nanoseconds, or whatever the samples are.
type figure struct {
	P10     float64 `json:"p10"`
	Median  float64 `json:"median"`
	Samples int     `json:"samples"`
}

// figureOf is the zero figure for no samples.
func figureOf(samples []float64) figure {
	if len(samples) == 0 {
		return figure{}
	}
	sorted := slices.Sorted(slices.Values(samples))
	return figure{P10: percentile(sorted, 0.1), Median: percentile(sorted, 0.5), Samples: len(sorted)}
}

// beyond is the median of what samples are more than others, one by one.
func beyond(samples, others []float64) float64 {
	more := make([]float64, len(samples))
	for i := range samples {
		more[i] = samples[i] - others[i]
	}
	return figureOf(more).Median
}

// percentile is the value below which that part of sorted lies, between two neighbours in proportion.
func percentile(sorted []float64, part float64) float64 {
	at := part * float64(len(sorted)-1)
	i := int(at)
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// over is f as a multiple of g, at both points.
func (f figure) over(g figure) figure {
	return figure{P10: f.P10 / g.P10, Median: f.Median / g.Median, Samples: min(f.Samples, g.Samples)}
}

// worst is the greater of the two points.
func (f figure) worst() float64 { return math.Max(f.P10, f.Median) }

// zero reports whether nothing was measured.
func (f figure) zero() bool { return f.Samples == 0 }
