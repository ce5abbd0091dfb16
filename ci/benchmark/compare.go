package main

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
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
