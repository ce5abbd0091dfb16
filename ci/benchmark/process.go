//go:build !rtcalone

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A program is one that is started to see how long it takes to its first kernel's result: it writes a line that begins
// with "ok", and may add steps such as "compile=13000" in microseconds. The last argument, a number, is added.
type program struct {
	name string
	args []string
	env  []string // beside the environment
	warm bool     // the number is always the same, so that a cache may know the source
	runs int
}

// A start is what was measured of a program, in nanoseconds.
type start struct {
	Name  string   `json:"name"`
	Total figure   `json:"total"`
	Steps []figure `json:"steps,omitempty"` // as stepNames
	// Loaded is all up to the step run; zero where the program tells of no steps.
	Loaded figure `json:"loaded"`
}

// stepNames are the parts of a start; the first is all before the program's own main function.
var stepNames = []string{"process", "open", "compile", "load", "run"}

// startAll starts the programs by turns, one at a time, each once more at the beginning without counting.
func startAll(programs []program, seed int) ([]start, []error) {
	total := make([][]float64, len(programs))
	steps := make([][][]float64, len(programs))
	loaded := make([][]float64, len(programs))
	errs := make([]error, len(programs))
	for round := range 1 + slices.MaxFunc(programs, func(a, b program) int { return cmp.Compare(a.runs, b.runs) }).runs {
		for i, p := range programs {
			if round > p.runs || errs[i] != nil {
				continue
			}
			n := 1
			if !p.warm {
				seed++
				n = seed
			}
			took, parts, err := p.start(n)
			if err != nil {
				errs[i] = fmt.Errorf("%s: %w", p.name, err)
				continue
			}
			if round == 0 {
				continue
			}
			total[i] = append(total[i], float64(took.Nanoseconds()))
			if len(parts) > 0 {
				loaded[i] = append(loaded[i], float64(took.Nanoseconds())-parts[len(parts)-1])
			}
			for j, part := range parts {
				if j == len(steps[i]) {
					steps[i] = append(steps[i], nil)
				}
				steps[i][j] = append(steps[i][j], part)
			}
		}
	}
	var starts []start
	for i, p := range programs {
		s := start{Name: p.name, Total: figureOf(total[i]), Loaded: figureOf(loaded[i])}
		for _, samples := range steps[i] {
			s.Steps = append(s.Steps, figureOf(samples))
		}
		starts = append(starts, s)
	}
	return starts, slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

// start runs the program once: the time to its line, and its parts.
func (p program) start(seed int) (time.Duration, []float64, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.args[0], append(slices.Clone(p.args[1:]), strconv.Itoa(seed))...)
	cmd.Env = append(append(os.Environ(), p.env...), "SEED="+strconv.Itoa(seed)) // the stub driver wants to know it
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, nil, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	lines := bufio.NewReader(out)
	line, _ := lines.ReadString('\n')
	took := time.Since(began)
	io.Copy(io.Discard, lines)
	if err := cmd.Wait(); err != nil || !strings.HasPrefix(line, "ok") {
		return 0, nil, failure(err, line+problems.String())
	}
	parts, err := stepsOf(line, took)
	return took, parts, err
}

// stepsOf reads the steps of an "ok" line, in nanoseconds; what they leave of took comes first.
func stepsOf(line string, took time.Duration) ([]float64, error) {
	words := strings.Fields(line)[1:]
	if len(words) == 0 {
		return nil, nil
	}
	parts := make([]float64, len(stepNames))
	parts[0] = float64(took.Nanoseconds())
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		us, err := strconv.ParseInt(value, 10, 64)
		i := slices.Index(stepNames, name)
		if err != nil || i < 1 {
			return nil, fmt.Errorf("step %q is none of %v in microseconds", word, stepNames[1:])
		}
		parts[i] = float64(us) * 1000
		parts[0] -= parts[i]
	}
	return parts, nil
}

// output runs a command to its end and reads the JSON that it writes.
func output(into any, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil {
		return failure(err, problems.String())
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%w in %.200q", err, text)
	}
	return nil
}

// failure is err with the last line that was written.
func failure(err error, said string) error {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	last := lines[len(lines)-1]
	if err == nil {
		return fmt.Errorf("no line that begins with ok, but %q", last)
	}
	if last == "" {
		return err
	}
	return fmt.Errorf("%w: %s", err, last)
}
