package misuse

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Call names a call that has an answer: the scenario with what is wrong in it, and the function.
//
// Safe for concurrent use after it is made; its fields must not change.
type Call struct{ Name, Function string }

// Codes that are no code of the driver.
const (
	Crash  = "crash"  // the process ended
	Hang   = "hang"   // the call did not come back
	Varies = "varies" // two processes got different codes
)

// An Answer is what a call gave: the name of a code in C, or [Crash], [Hang] or [Varies].
//
// Safe for concurrent use after it is made; its fields must not change.
type Answer struct {
	Call
	Code string
}

// Dead are the calls that do not come back; nobody else makes them.
//
// Safe for concurrent use.
func Dead(answers []Answer) map[Call]string {
	dead := map[Call]string{}
	for _, a := range answers {
		if a.Code == Crash || a.Code == Hang {
			dead[a.Call] = a.Code
		}
	}
	return dead
}

// Merge is what two recordings agree on.
//
// Safe for concurrent use.
func Merge(one, two []Answer) []Answer {
	second := map[Call]string{}
	for _, a := range two {
		second[a.Call] = a.Code
	}
	merged := slices.Clone(one)
	for i, a := range merged {
		if second[a.Call] != a.Code {
			merged[i].Code = Varies
		}
	}
	return merged
}

// Write writes answers, one a line: name, function and code with tabs between them. About stands in the first line.
//
// Not safe for concurrent use.
func Write(path, about string, answers []Answer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", about)
	for _, a := range answers {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", a.Name, a.Function, a.Code)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// Read reads what Write wrote; nothing where there is no file.
//
// Safe for concurrent use.
func Read(path string) (about string, answers []Answer, err error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, nil
	} else if err != nil {
		return "", nil, err
	}
	defer f.Close()
	seen := map[Call]bool{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if text, ok := strings.CutPrefix(lines.Text(), "# "); ok {
			about = text
			continue
		}
		parts := strings.Split(lines.Text(), "\t")
		if len(parts) != 3 {
			return "", nil, fmt.Errorf("%s:%d: %d columns instead of 3", path, n, len(parts))
		}
		a := Answer{Call{parts[0], parts[1]}, parts[2]}
		if seen[a.Call] {
			return "", nil, fmt.Errorf("%s:%d: %s, %s has two answers", path, n, a.Name, a.Function)
		}
		seen[a.Call] = true
		answers = append(answers, a)
	}
	return about, answers, lines.Err()
}
