//go:build !rtcalone

package main

import (
	"fmt"
	"slices"
)

// A criterion is a bound that is to be held.
type criterion struct {
	what  string
	value string
	bound string
	held  bool
}

func (c criterion) String() string {
	verdict := "held"
	if !c.held {
		verdict = "NOT HELD"
	}
	return fmt.Sprintf("%-8s  %s: %s (%s)", verdict, c.what, c.value, c.bound)
}

// criteria holds the results against what the library promises. What was not measured is not held.
func (r *results) criteria() []criterion {
	return append(r.gpuCriteria(), r.Service.criteria()...)
}

// gpuCriteria are those of what needs a GPU.
func (r *results) gpuCriteria() []criterion {
	if r.Launches.GPU == "" {
		return nil
	}
	enqueue, wait := r.Launches.Enqueue, r.Launches.Wait
	allocs := allocations(enqueue, prepared)
	all := []criterion{
		atMost(prepared, find(enqueue, prepared), find(enqueue, inC), 1.05),
		{prepared + ", allocations", fmt.Sprint(allocs), "at most 0", allocs == 0},
		atMost(checked, find(enqueue, checked), find(enqueue, inC), 1.25),
		atMost(preparedWait, find(wait, preparedWait), find(wait, inC), 1.05),
		atMost(checkedWait, find(wait, checkedWait), find(wait, inC), 1.05),
		atMost(acrossOrdered, find(r.Launches.Across, acrossOrdered), find(r.Launches.Across, acrossByHand), 1.3),
		atMost("a new process until its first kernel's result", r.start(startGo), r.start(startC), 1.1),
	}
	l := r.Launches
	all = append(all,
		atMostMore(l.Replay, replayed, 150),
		criterion{replayed + ", allocations", fmt.Sprint(allocations(l.Replay, replayed)), "at most 0", allocations(l.Replay, replayed) == 0},
		atMost(replayedWait, find(l.ReplayWait, replayedWait), find(l.ReplayWait, inC), 1.02),
		faster(replayedWait, find(l.ReplayWait, replayedWait), allPrepared, find(l.ReplayWait, allPrepared), 3),
		atMost(changedWait, find(l.ReplayChanged, changedWait), find(l.ReplayChanged, inC), 1.05))
	for i, ways := range l.Peer {
		all = append(all, atMost(peerCopy+", "+peerSizes[i].name, find(ways, peerCopy), find(ways, peerSizes[i].than), peerSizes[i].bound))
	}
	for _, p := range r.Python {
		all = append(all,
			ahead(prepared, alone(enqueue, prepared), p.Name, p.Enqueue),
			ahead(checked, alone(enqueue, checked), p.Name, p.Enqueue),
			ahead(preparedWait, alone(wait, preparedWait), p.Name, p.Wait),
			ahead(checkedWait, alone(wait, checkedWait), p.Name, p.Wait))
	}
	for _, s := range r.Starts {
		if s.Name != startC && s.Name != startGo && s.Name != startGoCached {
			all = append(all, ahead("a new process", r.start(startGo), s.Name, s.Total))
		}
	}
	for _, name := range []string{startCuPyCached, startCoreCached} {
		if s, ok := r.find(name); ok {
			mine, _ := r.find(startGoCached)
			all = append(all, ahead("a new process, source in its cache,", mine.Total, name, s.Total),
				ahead("the same until the module is loaded", mine.Loaded, name, s.Loaded))
		}
	}
	return all
}

// atMost bounds how many times as long as C a way takes.
func atMost(what string, f, c figure, bound float64) criterion {
	return atMostOf(what, f, inC, c, bound)
}

func atMostOf(what string, f figure, of string, c figure, bound float64) criterion {
	if f.zero() || c.zero() {
		return criterion{what, "not measured", fmt.Sprintf("at most %.2f × %s", bound, of), false}
	}
	ratio := f.over(c)
	return criterion{what, fmt.Sprintf("%.3f × %s at the 10th percentile, %.3f at the median", ratio.P10, of, ratio.Median),
		fmt.Sprintf("at most %.2f", bound), ratio.worst() <= bound}
}

// atMostMore bounds what a call takes beyond C's, which is the first way, in nanoseconds: at the 10th percentile, and in the median round.
func atMostMore(ways []wayResult, what string, bound float64) criterion {
	said := fmt.Sprintf("at most C and %.0f ns", bound)
	i := slices.IndexFunc(ways, func(w wayResult) bool { return w.Name == what })
	if i < 0 || ways[i].Time.zero() || ways[0].Time.zero() {
		return criterion{what, "not measured", said, false}
	}
	p10, median := ways[i].Time.P10-ways[0].Time.P10, ways[i].Beyond
	return criterion{what, fmt.Sprintf("C and %.0f ns at the 10th percentile, %.0f ns in the median round", p10, median), said, max(p10, median) <= bound}
}

// faster bounds how many times as long another way takes.
func faster(what string, f figure, than string, other figure, bound float64) criterion {
	what += " instead of " + than
	said := fmt.Sprintf("at least %.0f times as fast", bound)
	if f.zero() || other.zero() {
		return criterion{what, "not measured", said, false}
	}
	ratio := other.over(f)
	return criterion{what, fmt.Sprintf("%.1f times as fast at the 10th percentile, %.1f at the median", ratio.P10, ratio.Median), said,
		min(ratio.P10, ratio.Median) >= bound}
}

// within bounds a time, in nanoseconds.
func within(what string, f figure, bound float64) criterion {
	said := "at most " + duration(bound)
	if f.zero() {
		return criterion{what, "not measured", said, false}
	}
	return criterion{what, fmt.Sprintf("%s at the 10th percentile, %s at the median", duration(f.P10), duration(f.Median)), said, f.worst() <= bound}
}

func ahead(what string, f figure, of string, other figure) criterion {
	if f.zero() || other.zero() {
		return criterion{what + " against " + of, "not measured", "less than 1", false}
	}
	ratio := f.over(other)
	return criterion{what + " against " + of, fmt.Sprintf("%.3f at the 10th percentile, %.3f at the median", ratio.P10, ratio.Median),
		"less than 1", ratio.worst() < 1}
}

// find is the time of a way, or no figure.
func find(ways []wayResult, name string) figure {
	if i := slices.IndexFunc(ways, func(w wayResult) bool { return w.Name == name }); i >= 0 {
		return ways[i].Time
	}
	return figure{}
}

// allocations is how many a call of a way makes, or -1.
func allocations(ways []wayResult, name string) float64 {
	if i := slices.IndexFunc(ways, func(w wayResult) bool { return w.Name == name }); i >= 0 {
		return ways[i].Allocs
	}
	return -1
}

// alone is the time of a way by itself, or no figure: other libraries are measured in processes where nothing alternates.
func alone(ways []wayResult, name string) figure {
	if i := slices.IndexFunc(ways, func(w wayResult) bool { return w.Name == name }); i >= 0 {
		return ways[i].Alone
	}
	return figure{}
}

func (r *results) start(name string) figure {
	s, _ := r.find(name)
	return s.Total
}

func (r *results) find(name string) (start, bool) {
	if i := slices.IndexFunc(r.Starts, func(s start) bool { return s.Name == name }); i >= 0 {
		return r.Starts[i], true
	}
	return start{}, false
}
