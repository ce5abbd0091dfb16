//go:build !rtcalone

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A table is one of the report: the first row is the head.
type table struct {
	title string
	rows  [][]string
}

// tables are the figures.
func (r *results) tables() []table {
	var all []table
	if r.Launches.GPU != "" {
		all = r.gpuTables()
	}
	for i := range r.Service.Comparisons {
		all = append(all, r.Service.Comparisons[i].table())
	}
	return all
}

// gpuTables are the figures of what needs a GPU, each beside that of C in the same run.
func (r *results) gpuTables() []table {
	enqueue := launchTable("Enqueue a kernel of four arguments", r.Launches.Enqueue)
	wait := launchTable("Launch the kernel and wait for it", r.Launches.Wait)
	enqueue.addAlone(r.Launches.Enqueue)
	wait.addAlone(r.Launches.Wait)
	for _, p := range r.Python {
		enqueue.add(p.Name, p.Enqueue, find(r.Launches.Enqueue, inC), -1)
		wait.add(p.Name, p.Wait, find(r.Launches.Wait, inC), -1)
	}
	across := table{"Launch on two streams in turn, each after the other", [][]string{enqueue.rows[0]}}
	for _, w := range r.Launches.Across {
		across.add(w.Name, w.Time, find(r.Launches.Across, acrossByHand), w.Allocs)
	}
	all := append([]table{enqueue, wait, across}, r.graphTables()...)
	for i, ways := range r.Launches.Peer {
		all = append(all, launchTable("Copy "+peerSizes[i].name+" to another device and wait for it", ways))
	}
	return append(all, launchTable("Compile a small kernel, not the first of the process", r.Launches.Compile), r.startTable(), r.loadedTable(), r.stepTable())
}

// graphTables are those of the graph.
func (r *results) graphTables() []table {
	l := r.Launches
	what := fmt.Sprintf("a CUDA graph of %d kernels in a row", kernels)
	replay, wait := launchTable("Launch "+what, l.Replay), launchTable("Launch "+what+" and wait for it", l.ReplayWait)
	for _, p := range r.Python {
		if !p.Replay.zero() {
			replay.add(p.Name, p.Replay, find(l.Replay, inC), -1)
			wait.add(p.Name, p.ReplayWait, find(l.ReplayWait, inC), -1)
		}
	}
	return []table{replay, wait, launchTable("Change an argument of one of them, launch and wait", l.ReplayChanged)}
}

// absent is what could not be measured: what failed, and what needs something that is not there.
func (r *results) absent() []string {
	all := r.Failed
	all = append(all[:len(all):len(all)], r.Launches.Absent...)
	all = append(all, r.Service.Absent...)
	for _, p := range r.Python {
		for _, what := range p.Absent {
			all = append(all, p.Name+": "+what)
		}
	}
	return all
}

func launchTable(title string, ways []wayResult) table {
	t := table{title, [][]string{{"", "p10", "median", "p10 / C", "median / C", "allocations", "blocks"}}}
	for _, w := range ways {
		t.add(w.Name, w.Time, find(ways, inC), w.Allocs)
	}
	return t
}

// addAlone adds what the library's ways take by themselves, for the comparison with other libraries.
func (t *table) addAlone(ways []wayResult) {
	for _, w := range ways {
		if strings.HasPrefix(w.Name, "rtc ") && !w.Alone.zero() {
			t.add(w.Name+", alone", w.Alone, find(ways, inC), -1)
		}
	}
}

func (t *table) add(name string, f, c figure, allocs float64) {
	counted := ""
	if allocs >= 0 {
		counted = fmt.Sprint(allocs)
	}
	t.rows = append(t.rows, append(cells(name, f, c), counted, fmt.Sprint(f.Samples)))
}

// cells are a name, a figure and what it is of C's.
func cells(name string, f, c figure) []string {
	if f.zero() || c.zero() {
		return []string{name, "-", "-", "-", "-"}
	}
	ratio := f.over(c)
	return []string{name, duration(f.P10), duration(f.Median), fmt.Sprintf("%.3f", ratio.P10), fmt.Sprintf("%.3f", ratio.Median)}
}

func (r *results) startTable() table {
	t := table{"A new process until the result of its first kernel", [][]string{{"", "p10", "median", "p10 / C", "median / C", "runs"}}}
	for _, s := range r.Starts {
		t.rows = append(t.rows, append(cells(s.Name, s.Total, r.start(startC)), fmt.Sprint(s.Total.Samples)))
	}
	return t
}

// loadedTable has the same processes until the module is loaded.
func (r *results) loadedTable() table {
	c, _ := r.find(startC)
	t := table{"A new process until its module is loaded", [][]string{{"", "p10", "median", "p10 / C", "median / C", "runs"}}}
	for _, s := range r.Starts {
		if !s.Loaded.zero() {
			t.rows = append(t.rows, append(cells(s.Name, s.Loaded, c.Loaded), fmt.Sprint(s.Loaded.Samples)))
		}
	}
	return t
}

// stepTable says where the time of a start goes.
func (r *results) stepTable() table {
	t := table{"Its steps, medians", [][]string{append([]string{""}, stepNames...)}}
	for _, s := range r.Starts {
		if len(s.Steps) == 0 || s.Steps[1].Median == 0 {
			continue // or it tells of the last one only
		}
		row := []string{s.Name}
		for _, step := range s.Steps {
			row = append(row, duration(step.Median))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// duration prints nanoseconds with three digits.
func duration(ns float64) string {
	for _, unit := range []struct {
		name string
		ns   float64
	}{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}} {
		if ns >= 0.9995*unit.ns {
			v := ns / unit.ns
			digits := 2
			if v >= 9.995 {
				digits = 1
			}
			if v >= 99.95 {
				digits = 0
			}
			return fmt.Sprintf("%.*f %s", digits, v, unit.name)
		}
	}
	return fmt.Sprintf("%.0f ns", ns)
}

// head says what machine the figures are of.
func (r *results) head() []string {
	l := r.Launches
	all := []string{"date: " + r.Date}
	if l.GPU != "" {
		all = append(all,
			"gpu: "+l.GPU,
			"driver: CUDA "+l.Driver+" ("+l.LibCUDA+")",
			"nvrtc: "+l.NVRTC+" ("+l.LibNVRTC+")")
	} else {
		all = append(all, "gpu: none, the compile service alone", "nvrtc: "+strings.Join(r.Service.NVRTCs, ", "))
	}
	// Where the tree lies is no matter.
	if top, err := os.Getwd(); err == nil {
		for i := range all {
			all[i] = strings.ReplaceAll(all[i], top+string(filepath.Separator), "")
		}
	}
	return append(all, r.Notes...)
}

func (r *results) text() string {
	var b bytes.Buffer
	for _, line := range r.head() {
		fmt.Fprintln(&b, line)
	}
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n%s\n", t.title)
		widths := make([]int, len(t.rows[0]))
		for _, row := range t.rows {
			for i, cell := range row {
				widths[i] = max(widths[i], utf8.RuneCountInString(cell))
			}
		}
		for _, row := range t.rows {
			var line strings.Builder
			for i, cell := range row {
				pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
				if i == 0 {
					line.WriteString("  " + cell + pad)
				} else {
					line.WriteString("  " + pad + cell)
				}
			}
			fmt.Fprintln(&b, strings.TrimRight(line.String(), " "))
		}
	}
	fmt.Fprintf(&b, "\nBounds\n")
	for _, c := range r.criteria() {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	for _, what := range r.absent() {
		fmt.Fprintf(&b, "  not measured: %s\n", what)
	}
	return b.String()
}

func (r *results) markdown() string {
	var b bytes.Buffer
	for _, line := range r.head() {
		fmt.Fprintf(&b, "%s  \n", line)
	}
	for _, t := range r.tables() {
		fmt.Fprintf(&b, "\n### %s\n\n", t.title)
		for i, row := range t.rows {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if i == 0 {
				fmt.Fprintf(&b, "|---%s|\n", strings.Repeat("|---:", len(row)-1))
			}
		}
	}
	fmt.Fprintf(&b, "\n### Bounds\n\n")
	for _, c := range r.criteria() {
		fmt.Fprintf(&b, "- %s\n", c)
	}
	for _, what := range r.absent() {
		fmt.Fprintf(&b, "- not measured: %s\n", what)
	}
	return b.String()
}
