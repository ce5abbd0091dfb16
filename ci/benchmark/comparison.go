package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A comparison is several ways to do the same thing, each beside the first.
type comparison struct {
	Title string      `json:"title"`
	Ways  []wayResult `json:"ways"`
	// Bounds are what is to be held in it.
	Bounds []bound `json:"bounds,omitempty"`
}

// A bound is one of a way: how many times as long as another it may take, how many nanoseconds, or how many allocations.
type bound struct {
	Way    string  `json:"way"`
	Of     string  `json:"of,omitempty"` // "": the first way
	Kind   string  `json:"kind"`
	AtMost float64 `json:"at_most"`
}

// The kinds of bounds.
const (
	boundRatio  = "ratio"       // to another way's time
	boundTime   = "nanoseconds" // at the 10th percentile and at the median
	boundAllocs = "allocations"
)

// compare runs blocks of n of each way, round by round, each round in an order of its own, since what ran before leaves
// its traces. After each block settle is called, and not timed; nil: nothing is. The first rounds don't count.
func compare(ways []way, rounds, n int, settle func() error) ([]wayResult, error) {
	if settle == nil {
		settle = func() error { return nil }
	}
	samples := make([][]float64, len(ways))
	run := func(w way) (float64, error) {
		t, err := w.block(n)
		if err == nil {
			err = settle()
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", w.name, err)
		}
		return float64(t.Nanoseconds()) / float64(n), nil
	}
	warm := max(1, rounds/20)
	for round := range warm + rounds {
		for _, i := range rand.Perm(len(ways)) {
			t, err := run(ways[i])
			if err != nil {
				return nil, err
			}
			if round >= warm {
				samples[i] = append(samples[i], t)
			}
		}
	}
	results := make([]wayResult, len(ways))
	for i, w := range ways {
		results[i] = wayResult{Name: w.name, Time: figureOf(samples[i]), Beyond: beyond(samples[i], samples[0]), Allocs: -1}
		if w.once == nil {
			continue
		}
		var alone []float64
		for range rounds / 2 {
			t, err := run(w)
			if err != nil {
				return nil, err
			}
			alone = append(alone, t)
		}
		results[i].Alone = figureOf(alone)
		var err error
		results[i].Allocs = testing.AllocsPerRun(min(500, 10*n), func() { err = w.once() })
		if err == nil {
			err = settle()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", w.name, err)
		}
	}
	return results, nil
}

// times makes a way of a call.
func times(name string, once func() error) way {
	return way{name, func(n int) (time.Duration, error) {
		start := time.Now()
		for range n {
			if err := once(); err != nil {
				return 0, err
			}
		}
		return time.Since(start), nil
	}, once}
}

// find is the result of the way called name; "" is the first.
func (c *comparison) find(name string) wayResult {
	if i := slices.IndexFunc(c.Ways, func(w wayResult) bool { return w.Name == name }); i >= 0 {
		return c.Ways[i]
	}
	if name == "" && len(c.Ways) > 0 {
		return c.Ways[0]
	}
	return wayResult{Allocs: -1}
}

// criteria holds the comparison to its bounds.
func (c *comparison) criteria() (all []criterion) {
	for _, b := range c.Bounds {
		w, what := c.find(b.Way), c.Title+": "+b.Way
		switch b.Kind {
		case boundRatio:
			of := c.find(b.Of)
			all = append(all, atMostOf(what, w.Time, of.Name, of.Time, b.AtMost))
		case boundTime:
			all = append(all, within(what, w.Time, b.AtMost))
		case boundAllocs:
			all = append(all, criterion{what + ", allocations", fmt.Sprint(w.Allocs), fmt.Sprintf("at most %.0f", b.AtMost), w.Allocs >= 0 && w.Allocs <= b.AtMost})
		}
	}
	return all
}

// table shows the comparison.
func (c *comparison) table() table {
	t := table{c.Title, [][]string{{"", "p10", "median", "p10 / first", "median / first", "allocations", "blocks"}}}
	for _, w := range c.Ways {
		t.add(w.Name, w.Time, c.Ways[0].Time, w.Allocs)
	}
	return t
}
