package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// An event is one line of go test -json (see go doc test2json).
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// A test is one test or subtest of a package.
type test struct {
	output []string
	result string // pass, fail, skip; "" while it runs
	parent bool
}

type summary struct {
	out      io.Writer
	running  map[string]map[string]*test // by package, then name
	passed   int
	failed   []string
	skipped  map[string]map[string]int // by reason, then package
	packages int                       // failed packages
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, running: map[string]map[string]*test{}, skipped: map[string]map[string]int{}}
}

// read takes events until the end of in, and prints as they come what is known by then.
func (s *summary) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			var e event
			if json.Unmarshal([]byte(line), &e) != nil || e.Action == "" {
				fmt.Fprint(s.out, line) // not from a test: go's own words
			} else {
				s.event(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *summary) event(e event) {
	switch {
	case e.Action == "build-output":
		fmt.Fprint(s.out, e.Output)
	case e.Package == "":
	case e.Test != "":
		s.testEvent(e)
	case e.Action == "output":
		if e.Output != "PASS\n" {
			fmt.Fprint(s.out, e.Output)
		}
	case e.Action == "pass", e.Action == "fail", e.Action == "skip":
		s.endPackage(e)
	}
}

func (s *summary) testEvent(e event) {
	tests := s.running[e.Package]
	if tests == nil {
		tests = map[string]*test{}
		s.running[e.Package] = tests
	}
	t := tests[e.Test]
	if t == nil {
		t = &test{}
		tests[e.Test] = t
	}
	if cut := strings.LastIndex(e.Test, "/"); cut > 0 && tests[e.Test[:cut]] != nil {
		tests[e.Test[:cut]].parent = true
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			t.output = append(t.output, e.Output)
		}
	case "pass", "fail", "skip":
		t.result = e.Action
		if e.Action == "fail" {
			fmt.Fprint(s.out, strings.Join(t.output, ""))
		}
	}
}

// endPackage counts the package's tests. One that never ended took the process with it: what it wrote is shown.
func (s *summary) endPackage(e event) {
	tests := s.running[e.Package]
	delete(s.running, e.Package)
	if e.Action == "fail" {
		s.packages++
	}
	for _, name := range slices.Sorted(maps.Keys(tests)) {
		t := tests[name]
		switch {
		case t.result == "":
			fmt.Fprint(s.out, strings.Join(t.output, ""))
			s.failed = append(s.failed, e.Package+" "+name+" (did not end)")
		case t.parent && t.result != "fail":
		case t.result == "pass":
			s.passed++
		case t.result == "fail":
			s.failed = append(s.failed, e.Package+" "+name)
		case t.result == "skip":
			reason := skipReason(t.output)
			if s.skipped[reason] == nil {
				s.skipped[reason] = map[string]int{}
			}
			s.skipped[reason][e.Package]++
		}
	}
}

const longest = 120 // characters of a reason

var logLine = regexp.MustCompile(`^\s*[\w.-]+\.go:\d+: (.*)`)

// skipReason returns the beginning of the last thing that a skipped test logged.
func skipReason(output []string) string {
	for _, line := range slices.Backward(output) {
		if match := logLine.FindStringSubmatch(line); match != nil {
			if reason := []rune(strings.TrimSpace(match[1])); len(reason) > longest {
				return string(reason[:longest-1]) + "…"
			}
			return strings.TrimSpace(match[1])
		}
	}
	return "no reason given"
}

// finish prints the counts and reports whether all is well.
func (s *summary) finish() bool {
	skips := 0
	for _, reason := range slices.Sorted(maps.Keys(s.skipped)) {
		count := 0
		var where []string
		for _, name := range slices.Sorted(maps.Keys(s.skipped[reason])) {
			count += s.skipped[reason][name]
			where = append(where, name)
		}
		skips += count
		fmt.Fprintf(s.out, "skipped %d: %s (%s)\n", count, reason, strings.Join(where, ", "))
	}
	for _, name := range s.failed {
		fmt.Fprintf(s.out, "failed: %s\n", name)
	}
	fmt.Fprintf(s.out, "tests: %d passed, %d failed, %d skipped", s.passed, len(s.failed), skips)
	if s.packages > 0 {
		fmt.Fprintf(s.out, "; packages failed: %d", s.packages)
	}
	fmt.Fprintln(s.out)
	if s.passed == 0 && len(s.failed) == 0 {
		fmt.Fprintln(s.out, "no test ran")
		return false
	}
	return len(s.failed) == 0 && s.packages == 0
}
