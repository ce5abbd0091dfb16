//go:build !rtcalone

package main

import (
	"fmt"
	"slices"
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
