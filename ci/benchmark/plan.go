//go:build !rtcalone

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A plan is what the command run does.
type plan struct {
	folder, out, scripts, python string // no folder: nothing that needs a GPU
	notes                        []string
	strict, inside               bool
	starts, rounds               int
	service                      serviceSetting
}

// results is everything that was measured.
type results struct {
	Date     string         `json:"date"`
	Notes    []string       `json:"notes"` // lines for the head of the report
	Launches launchResults  `json:"launches"`
	Starts   []start        `json:"starts"`
	Service  serviceResults `json:"service"`
	Python   []pythonResult `json:"python"`
	Failed   []string       `json:"failed"` // what could not be measured, and why
}

// A pythonResult is what a Python script measures of a library: nanoseconds a call.
type pythonResult struct {
	Name    string `json:"name"`
	Enqueue figure `json:"enqueue"`
	Wait    figure `json:"wait"`

	// Of a graph of as many kernels as ours has; zero where the library has no graphs, as Absent says then.
	Replay     figure   `json:"replay"`
	ReplayWait figure   `json:"replay_wait"`
	Absent     []string `json:"absent"`
}

// The programs of the start comparison that the criteria speak of.
const (
	startC          = "C"
	startGo         = "Go, purecuda"
	startGoCached   = "Go, purecuda, source in its cache"
	startCoreCached = "cuda.core, source in its cache"
	startCuPyCached = "CuPy, source in its cache"
)

func (p *plan) run() error {
	r := results{Date: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Notes: p.notes}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	caches, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return err
	}
	defer os.RemoveAll(caches)
	alone := filepath.Join(filepath.Dir(self), "rtcalone")
	if _, err := os.Stat(alone); err != nil {
		return fmt.Errorf("the program with rtc alone, which ci/bench builds: %w", err)
	}
	if p.folder != "" {
		if err := p.gpu(alone, caches, &r); err != nil {
			return err
		}
	}
	if err := p.compiles(self, alone, caches, &r); err != nil {
		return err
	}
	return p.report(&r)
}

// gpu measures what needs a GPU.
func (p *plan) gpu(alone, caches string, r *results) error {
	var errs []error
	runs, scripts := make([]launchResults, processes), make([][]pythonResult, len(p.pythonScripts()))
	for i := range runs {
		if err := output(&runs[i], alone, "launches", p.folder, strconv.Itoa(max(1, p.rounds/processes))); err != nil {
			return fmt.Errorf("launches: %w", err)
		}
		if i%2 == 0 {
			continue // Python takes its time to start
		}
		for j, script := range p.pythonScripts() {
			var one pythonResult
			if err := output(&one, p.python, script, "launches"); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", script, err))
				continue
			}
			scripts[j] = append(scripts[j], one)
		}
	}
	r.Launches = pool(runs)
	for _, runs := range scripts {
		if len(runs) > 0 {
			r.Python = append(r.Python, poolPython(runs))
		}
	}
	for _, together := range p.programs(alone, r.Launches, caches) {
		s, e := startAll(together, int(time.Now().UnixNano()%1e6))
		r.Starts, errs = append(r.Starts, s...), append(errs, e...)
	}
	r.fail(errs)
	return nil
}

// compiles measures the compile service, which needs none, in several processes for the reason that launches are.
func (p *plan) compiles(self, alone, caches string, r *results) error {
	runs := make([]serviceResults, serviceProcesses)
	for i := range runs {
		if err := output(&runs[i], self, p.service.arguments(max(1, p.rounds/serviceProcesses/2))...); err != nil {
			return fmt.Errorf("service: %w", err)
		}
	}
	r.Service = poolService(runs)
	for _, nvrtc := range r.Service.NVRTCs {
		version, path, _ := strings.Cut(strings.TrimSuffix(nvrtc, ")"), " (")
		c, errs := p.moduleStarts(alone, caches, version, path)
		r.Service.Comparisons = append(r.Service.Comparisons, c)
		r.fail(errs)
		if !p.inside {
			continue
		}
		for _, command := range []string{"speed", "together"} {
			var inside serviceResults
			if err := output(&inside, self, command, "-nvrtc", path, strconv.Itoa(max(1, p.rounds/100))); err != nil {
				r.fail([]error{fmt.Errorf("%s, NVRTC %s: %w", command, version, err)})
				continue
			}
			r.Service.Comparisons = append(r.Service.Comparisons, inside.Comparisons...)
			r.Service.Absent = append(r.Service.Absent, inside.Absent...)
		}
	}
	return nil
}

func (r *results) fail(errs []error) {
	for _, err := range errs {
		r.Failed = append(r.Failed, err.Error())
	}
}

// programs are what is started up to its first kernel; those of one group take turns.
func (p *plan) programs(alone string, l launchResults, caches string) [][]program {
	cached := func(name string) string { return filepath.Join(caches, name) }
	goCached := program{name: startGoCached, args: []string{alone, "first"}, runs: p.starts, warm: true, env: []string{"PURECUDA_CACHE=" + cached("purecuda")}}
	all := [][]program{{
		{name: startC, args: []string{filepath.Join(p.folder, "first"), l.LibCUDA, l.LibNVRTC}, runs: p.starts,
			env: []string{"LD_LIBRARY_PATH=" + filepath.Dir(l.LibNVRTC)}}, // NVRTC opens its other half by a bare name
		{name: startGo, args: []string{alone, "first"}, runs: p.starts},
	}}
	if p.scripts == "" {
		return append(all, []program{goCached})
	}
	few := (p.starts + 2) / 3
	goCached.runs = few
	script := func(name string) []string { return []string{p.python, filepath.Join(p.scripts, name), "first"} }
	cupyCache := "CUPY_CACHE_DIR=" + cached("cupy")
	return append(all,
		[]program{{name: "cuda.core", args: script("cuda_core.py"), runs: few}},
		[]program{{name: "CuPy, source not in its cache", args: script("cupy_raw.py"), runs: few, env: []string{cupyCache}}},
		[]program{
			goCached,
			{name: startCuPyCached, args: script("cupy_raw.py"), runs: few, env: []string{cupyCache}, warm: true},
			{name: startCoreCached, args: script("cuda_core.py"), runs: few, env: []string{"CUDA_CORE_CACHE=" + cached("cuda.core")}, warm: true},
		})
}

func (p *plan) pythonScripts() []string {
	if p.scripts == "" {
		return nil
	}
	return []string{filepath.Join(p.scripts, "cuda_core.py"), filepath.Join(p.scripts, "cupy_raw.py")}
}

// report prints the results and writes them to the folder out.
func (p *plan) report(r *results) error {
	text := r.text()
	fmt.Print(text)
	held := true
	for _, c := range r.criteria() {
		held = held && c.held
	}
	if p.out != "" {
		raw, err := json.MarshalIndent(r, "", "\t")
		if err != nil {
			return err
		}
		for name, content := range map[string][]byte{"bench.txt": []byte(text), "bench.md": []byte(r.markdown()), "bench.json": raw} {
			if err := os.WriteFile(filepath.Join(p.out, name), content, 0o644); err != nil {
				return err
			}
		}
	}
	switch {
	case len(r.Failed) > 0:
		return errors.New("not everything could be measured; see above")
	case p.strict && !held:
		return errors.New("a bound was not held; see above")
	}
	return nil
}

// moduleStarts has new processes with the NVRTC of path up to their first module: its source in the cache, and not in the cache.
func (p *plan) moduleStarts(alone, caches, version, path string) (comparison, []error) {
	with := "PURECUDA_NVRTC=" + path
	dir, err := os.MkdirTemp(caches, "modules")
	if err != nil {
		return comparison{}, []error{err}
	}
	starts, errs := startAll([]program{
		{name: "a Go program that does nothing", args: []string{alone, "nothing"}, runs: p.starts},
		{name: "rtc.NewModule, source in its cache", args: []string{alone, "module"}, runs: p.starts, env: []string{with, "PURECUDA_CACHE=" + dir}, warm: true},
		{name: "rtc.NewModule, compiled", args: []string{alone, "module"}, runs: p.starts, env: []string{with, "PURECUDA_CACHE=off"}},
	}, int(time.Now().UnixNano()%1e6))
	c := comparison{Title: "A new process until its first module, NVRTC " + version}
	for _, s := range starts {
		c.Ways = append(c.Ways, wayResult{Name: s.Name, Time: s.Total, Allocs: -1})
	}
	return c, errs
}
