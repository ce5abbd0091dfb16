//go:build !rtcalone

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFigureOf(t *testing.T) {
	for _, c := range []struct {
		name        string
		samples     []float64
		p10, median float64
	}{
		{"one", []float64{7}, 7, 7},
		{"two", []float64{2, 1}, 1.1, 1.5},
		{"eleven, unsorted", []float64{10, 0, 9, 1, 8, 2, 7, 3, 6, 4, 5}, 1, 5},
		{"an outlier does not count", []float64{1, 1, 1, 1, 1e9}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := figureOf(c.samples)
			require.InDelta(t, c.p10, f.P10, 1e-9)
			require.InDelta(t, c.median, f.Median, 1e-9)
			require.Equal(t, len(c.samples), f.Samples)
		})
	}
	require.True(t, figureOf(nil).zero())
}

func TestFigureOfKeepsItsSamples(t *testing.T) {
	samples := []float64{3, 1, 2}
	figureOf(samples)
	require.Equal(t, []float64{3, 1, 2}, samples, "they are in the order of the rounds")
}

func TestBeyondIsRoundByRound(t *testing.T) {
	c, ours := []float64{100, 900, 100, 900, 500}, []float64{107, 907, 107, 907, 400}
	require.InDelta(t, 7, beyond(ours, c), 1e-9)
	require.Zero(t, beyond(c, c))
}

func TestOver(t *testing.T) {
	ratio := figure{P10: 4.2, Median: 5.5, Samples: 9}.over(figure{P10: 4, Median: 5, Samples: 7})
	require.InDelta(t, 1.05, ratio.P10, 1e-9)
	require.InDelta(t, 1.1, ratio.Median, 1e-9)
	require.InDelta(t, 1.1, ratio.worst(), 1e-9, "a bound holds at both points")
	require.Equal(t, 7, ratio.Samples)
}
