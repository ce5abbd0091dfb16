//go:build !rtcalone

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func ways(names ...string) (all []wayResult) {
	for i, name := range names {
		f := figure{4000 + 100*float64(i), 5000 + 100*float64(i), 600}
		all = append(all, wayResult{Name: name, Time: f, Alone: f, Allocs: -1})
	}
	return all
}

// sample is a run in which all bounds are held.
func sample() *results {
	r := &results{
		Date: "2026-01-02 03:04 UTC", Notes: []string{"commit: abc"},
		Launches: launchResults{
			GPU: "a GPU", Driver: "13.0", NVRTC: "13.0", LibCUDA: "/libcuda.so.1", LibNVRTC: "/libnvrtc.so.13",
			Enqueue: ways(inC, prepared, bareCall, driverLaunch, checked),
			Wait:    ways(inC, preparedWait, checkedWait),
			Compile: ways(inC, moduleCompile),
			Across:  ways(acrossByHand, acrossOrdered),

			Replay:        ways(inC, replayed),
			ReplayWait:    append(ways(inC, replayedWait, allInC), wayResult{Name: allPrepared, Time: figure{41000, 51000, 600}, Allocs: -1}),
			ReplayChanged: ways(inC, changedWait),
			Peer:          [][]wayResult{append(ways(inC, peerCopy, peerCopyTo), wayResult{Name: peerInOrder, Time: figure{4000, 5000, 600}, Allocs: -1}), {{Name: inC, Time: figure{7e5, 7e5, 60}}, {Name: peerCopy, Time: figure{7e5, 7.1e5, 60}}}},
			Absent:        []string{"the weather: no window"},
		},
		Starts: []start{
			{Name: startC, Total: figure{3e8, 3.2e8, 15}, Steps: []figure{{1e6, 1e6, 15}, {2e8, 2e8, 15}, {6e7, 7e7, 15}, {1e6, 1e6, 15}, {1e6, 1e6, 15}}},
			{Name: startGo, Total: figure{3.1e8, 3.3e8, 15}},
			{Name: "cuda.core", Total: figure{8e8, 9e8, 5}},
			{Name: startGoCached, Total: figure{2.6e8, 2.7e8, 5}, Loaded: figure{2.5e8, 2.6e8, 5}},
			{Name: startCoreCached, Total: figure{7e8, 8e8, 5}, Loaded: figure{6.9e8, 7.9e8, 5}, Steps: []figure{{6.9e8, 7.9e8, 5}, {0, 0, 5}, {0, 0, 5}, {0, 0, 5}, {1e6, 1e6, 5}}},
		},
		Service: serviceResults{NVRTCs: []string{"12.4 (/libnvrtc.so.12)"}, Absent: []string{"Redis: there is none"}, Comparisons: []comparison{{
			Title:  "A hit",
			Ways:   []wayResult{{Name: "bare", Time: figure{500, 600, 9}, Allocs: 2}, {Name: "ours", Time: figure{900, 950, 9}, Allocs: 0}, {Name: "slower", Time: figure{1800, 1900, 9}, Allocs: -1}},
			Bounds: []bound{{Way: "ours", Kind: boundTime, AtMost: 1000}, {Way: "ours", Kind: boundAllocs}, {Way: "slower", Of: "ours", Kind: boundRatio, AtMost: 2}},
		}}},
		Python: []pythonResult{
			{Name: "CuPy 14", Enqueue: figure{7000, 7700, 300}, Wait: figure{12000, 12800, 300}},
			{Name: "cuda.core 9", Enqueue: figure{7100, 7800, 300}, Wait: figure{12100, 12900, 300}, Replay: figure{4400, 5500, 300},
				ReplayWait: figure{60000, 60000, 300}, Absent: []string{"a picture: none"}},
		},
	}
	r.Launches.Enqueue[1].Allocs, r.Launches.Replay[1].Allocs, r.Launches.Replay[1].Beyond = 0, 0, 90
	r.Launches.ReplayWait[1].Time = figure{4080, 5100, 600}
	return r
}

func verdicts(r *results) map[string]bool {
	held := map[string]bool{}
	for _, c := range r.criteria() {
		held[c.what] = c.held
	}
	return held
}

func TestCriteria(t *testing.T) {
	for what, held := range verdicts(sample()) {
		require.True(t, held, what)
	}
	for _, c := range []struct {
		name   string
		change func(*results)
		broken []string
	}{
		{"slow at the median only", func(r *results) { r.Launches.Enqueue[1].Time.Median = 5251 }, []string{prepared}},
		{"slow at the 10th percentile only", func(r *results) { r.Launches.Enqueue[4].Time.P10 = 5001 }, []string{checked}},
		{"allocates", func(r *results) { r.Launches.Enqueue[1].Allocs = 1 }, []string{prepared + ", allocations"}},
		{"not counted", func(r *results) { r.Launches.Enqueue[1].Allocs = -1 }, []string{prepared + ", allocations"}},
		{"slow wait", func(r *results) { r.Launches.Wait[1].Time.P10 *= 1.1 }, []string{preparedWait}},
		{"slow start", func(r *results) { r.Starts[1].Total.Median = 3.53e8 }, []string{"a new process until its first kernel's result"}},
		{"not started", func(r *results) { r.Starts[1].Total = figure{} },
			[]string{"a new process until its first kernel's result", "a new process against cuda.core", "a new process against " + startCoreCached}},
		{"Python is as fast", func(r *results) { r.Python[0].Enqueue.P10 = 4400 }, []string{checked + " against CuPy 14"}},
		{"replay call at the 10th percentile only", func(r *results) { r.Launches.Replay[1].Time.P10 = 4151 }, []string{replayed}},
		{"replay call in the median round only", func(r *results) { r.Launches.Replay[1].Beyond = 151 }, []string{replayed}},
		{"replay allocates", func(r *results) { r.Launches.Replay[1].Allocs = 1 }, []string{replayed + ", allocations"}},
		{"slow replay and wait", func(r *results) { r.Launches.ReplayWait[1].Time.P10 = 4081 }, []string{replayedWait}},
		{"no gain", func(r *results) { r.Launches.ReplayWait[3].Time.Median = 3*5100 - 1 }, []string{replayedWait + " instead of " + allPrepared}},
		{"slow change", func(r *results) { r.Launches.ReplayChanged[1].Time.P10 = 4201 }, []string{changedWait}},
		{"no graphs", func(r *results) { r.Launches.Replay, r.Launches.ReplayWait, r.Launches.ReplayChanged = nil, nil, nil },
			[]string{replayed, replayed + ", allocations", replayedWait, replayedWait + " instead of " + allPrepared, changedWait}},
		{"slow copy to another device", func(r *results) { r.Launches.Peer[1][1].Time.Median = 7.15e5 }, []string{peerCopy + ", 256 MiB"}},
		{"one GPU", func(r *results) { r.Launches.Peer = nil }, nil},
		{"Python's start from a cache is as fast", func(r *results) { r.Starts[4].Total.P10 = 2.5e8 },
			[]string{"a new process, source in its cache, against " + startCoreCached, "a new process against " + startCoreCached}},
		{"Python's load from a cache is as fast", func(r *results) { r.Starts[4].Loaded.Median = 2.5e8 }, []string{"the same until the module is loaded against " + startCoreCached}},
		{"our start from a cache failed", func(r *results) { r.Starts[3] = start{Name: startGoCached} },
			[]string{"a new process, source in its cache, against " + startCoreCached, "the same until the module is loaded against " + startCoreCached}},
		{"over its time", func(r *results) { r.Service.Comparisons[0].Ways[1].Time.Median = 1001 }, []string{"A hit: ours"}},
		{"allocates", func(r *results) { r.Service.Comparisons[0].Ways[1].Allocs = 1 }, []string{"A hit: ours, allocations"}},
		{"over another's time", func(r *results) { r.Service.Comparisons[0].Ways[2].Time.P10 = 1801 }, []string{"A hit: slower"}},
		{"a way that is not there", func(r *results) { r.Service.Comparisons[0].Ways = r.Service.Comparisons[0].Ways[:1] }, []string{"A hit: ours", "A hit: ours, allocations", "A hit: slower"}},
		{"no GPU", func(r *results) { r.Launches, r.Starts, r.Python = launchResults{}, nil, nil }, nil},
		{"not measured", func(r *results) { r.Launches.Wait = r.Launches.Wait[:2] }, []string{checkedWait, checkedWait + " against CuPy 14", checkedWait + " against cuda.core 9"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sample()
			c.change(r)
			var broken []string
			for what, held := range verdicts(r) {
				if !held {
					broken = append(broken, what)
				}
			}
			require.ElementsMatch(t, c.broken, broken)
		})
	}
}

func TestReport(t *testing.T) {
	r := sample()
	r.Failed = []string{"ci/benchmark/cuda_core.py: exit status 1"}
	r.Starts = append(r.Starts, start{Name: "CuPy"})
	for _, want := range []string{
		"gpu: a GPU\ndriver: CUDA 13.0 (/libcuda.so.1)\nnvrtc: 13.0 (/libnvrtc.so.13)\ncommit: abc\n",
		"  C                            4.00 µs  5.00 µs    1.000       1.000                  600\n",
		"  rtc Prepared.Enqueue         4.10 µs  5.10 µs    1.025       1.020            0     600\n",
		"  CuPy 14                      7.00 µs  7.70 µs    1.750       1.540                  300\n",
		"  rtc Kernel.Launch, alone    4.20 µs  5.20 µs    1.050       1.040                  600\n",
		"  CuPy                                    -       -        -           -     0\n",
		"  Go, purecuda                       310 ms  330 ms    1.033       1.031    15\n",
		"  C  1.00 ms  200 ms  70.0 ms  1.00 ms  1.00 ms\n",
		"  held      rtc Kernel.Launch: 1.050 × C at the 10th percentile, 1.040 at the median (at most 1.05)\n",
		"  not measured: ci/benchmark/cuda_core.py: exit status 1\n",
		"  cuda.core 9            4.40 µs  5.50 µs    1.100       1.100                  300\n",
		"  held      rtc/graph Exec.Launch: C and 100 ns at the 10th percentile, 90 ns in the median round (at most C and 150 ns)\n",
		"  not measured: the weather: no window\n  not measured: Redis: there is none\n  not measured: cuda.core 9: a picture: none\n",
		"\nA hit\n              p10   median  p10 / first  median / first  allocations  blocks\n  bare     500 ns   600 ns        1.000           1.000            2       9\n",
		"  slower  1.80 µs  1.90 µs        3.600           3.167                    9\n",
		"  held      A hit: slower: 2.000 × ours at the 10th percentile, 2.000 at the median (at most 2.00)\n",
		"  held      A hit: ours: 900 ns at the 10th percentile, 950 ns at the median (at most 1.00 µs)\n",
		"  held      a new process, source in its cache, against cuda.core, source in its cache: 0.371 at the 10th percentile, 0.338 at the median (less than 1)\n",
	} {
		require.Contains(t, r.text(), want)
	}
	md := r.markdown()
	require.Contains(t, md, "| rtc Prepared.Enqueue | 4.10 µs | 5.10 µs | 1.025 | 1.020 | 0 | 600 |\n")
	require.Contains(t, md, "\n- held      rtc Prepared.Enqueue, allocations: 0 (at most 0)\n")
	for _, table := range strings.Split(md, "###")[1:14] {
		rows := strings.Split(strings.TrimSpace(table[strings.Index(table, "|"):]), "\n")
		for _, row := range rows {
			require.Equal(t, strings.Count(rows[0], "|"), strings.Count(row, "|"), row)
		}
	}
}

// Without a GPU the report is of the compile service alone.
func TestReportOfTheServiceAlone(t *testing.T) {
	r := sample()
	r.Launches, r.Starts, r.Python = launchResults{}, nil, nil
	top, err := os.Getwd()
	require.NoError(t, err)
	r.Service.NVRTCs = append(r.Service.NVRTCs, "11.8 ("+filepath.Join(top, ".deps", "libnvrtc.so")+")")
	text := r.text()
	require.True(t, strings.HasPrefix(text, "date: 2026-01-02 03:04 UTC\ngpu: none, the compile service alone\nnvrtc: 12.4 (/libnvrtc.so.12), 11.8 ("+filepath.Join(".deps", "libnvrtc.so")+")\ncommit: abc\n\nA hit\n"), text)
	require.NotContains(t, text, "Launch")
	require.Len(t, r.criteria(), 3)
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]string{
		0: "0 ns", 41.6: "42 ns", 999: "999 ns", 999.6: "1.00 µs", 4213: "4.21 µs", 9994: "9.99 µs", 9996: "10.0 µs", 12840: "12.8 µs",
		99960: "100 µs", 448e3: "448 µs", 13.25e6: "13.2 ms", 0.32e9: "320 ms", 1.1e9: "1.10 s",
	} {
		require.Equal(t, want, duration(ns))
	}
}

func TestReportWritesAndJudges(t *testing.T) {
	r, p := sample(), plan{out: t.TempDir(), strict: true}
	require.NoError(t, p.report(r))
	raw, err := os.ReadFile(filepath.Join(p.out, "bench.json"))
	require.NoError(t, err)
	var back results
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, r, &back)
	for _, name := range []string{"bench.txt", "bench.md"} {
		text, err := os.ReadFile(filepath.Join(p.out, name))
		require.NoError(t, err)
		require.Contains(t, string(text), "Enqueue a kernel of four arguments")
	}

	r.Launches.Enqueue[1].Allocs = 3
	require.ErrorContains(t, p.report(r), "not held")
	p.strict = false
	require.NoError(t, p.report(r), "without -strict a missed bound is only told")
	r.Failed = []string{"x"}
	require.Error(t, p.report(r), "but not that something failed to run")
}
